// The controls: what they say, what they should say, and what is wrong with it.

import { t } from "../page.js"

/** The sizes that the reader has chosen. */
export function chosen(form) {
  const read = field => (field.type === "checkbox" ? field.checked : field.valueAsNumber)
  return Object.fromEntries(named(form).map(field => [field.name, read(field)]))
}

/** Choose the sizes of a preset. */
export function choose(form, preset) {
  for (const [name, value] of Object.entries(sizesOf(preset))) {
    const field = form.elements[name]
    if (field.type === "checkbox") field.checked = value
    else field.value = value
  }
}

/** Put the stop of a slider into its field. */
export function take(slider) {
  slider.nextElementSibling.value = stops(slider)[slider.value]
}

/** Let sliders, presets and marks of what is wrong follow the fields. */
export function follow(form, sizes, wrong) {
  for (const slider of form.querySelectorAll("[type=range]")) {
    const value = sizes[slider.nextElementSibling.name]
    if (Number.isNaN(value)) continue
    const distances = stops(slider).map(stop => Math.abs(stop - value))
    slider.value = distances.indexOf(Math.min(...distances))
    slider.setAttribute("aria-valuetext", value)
  }
  for (const field of named(form))
    field.setAttribute("aria-invalid", wrong?.names.includes(field.name) ?? false)
  for (const preset of form.querySelectorAll("button")) {
    const same = Object.entries(sizesOf(preset)).every(([name, value]) => sizes[name] === value)
    preset.setAttribute("aria-pressed", same)
  }
}

/** Why there is no model of these sizes, and the names of the sizes to blame; else null. */
export function problem(form, sizes) {
  const blame = (names, text) => ({ names, text })
  for (const { name, min, max } of form.querySelectorAll("[type=number]"))
    if (!Number.isInteger(sizes[name]) || sizes[name] < min || sizes[name] > max)
      return blame([name], t("{name} must be a whole number from {min} to {max}.", { name, min, max }))
  const { d_model, num_heads } = sizes
  const even = t("d_model must be even, as sines and cosines come in pairs: got {d_model}.", sizes)
  if (d_model % 2) return blame(["d_model"], even)
  if (d_model % num_heads === 0) return null
  const near = { ...sizes, nearest: nearestDivisor(d_model, num_heads) }
  const text = t("num_heads must divide d_model, {d_model}: got {num_heads}. The nearest is {nearest}.", near)
  return blame(["d_model", "num_heads"], text)
}

/** The number nearest to `wanted` that divides `whole`. */
function nearestDivisor(whole, wanted) {
  for (let away = 1; ; away += 1)
    for (const divisor of [wanted + away, wanted - away])
      if (divisor > 0 && whole % divisor === 0) return divisor
}

const sizesOf = preset => JSON.parse(preset.dataset.sizes)
const named = form => [...form.querySelectorAll("[name]")]
const stops = slider => JSON.parse(slider.dataset.stops)
