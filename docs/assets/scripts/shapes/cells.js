// Numbers into their places: those of shapes, counts with their shares, bytes, totals.

import { memory, multiplyAdds, parameters, scores, total } from "./sizes.js"

const UNITS = ["B", "kB", "MB", "GB", "TB"]
const ratios = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 })
const words = new Intl.NumberFormat(document.documentElement.lang, {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 3,
  useGrouping: "always",
})

/** All that a model of these sizes needs. */
export function needs(sizes) {
  const found = { parameters: parameters(sizes), multiply_adds: multiplyAdds(sizes) }
  for (const parts of Object.values(found)) parts.total = total(parts)
  found.multiply_adds.scores = total(scores(sizes))
  return { ...found, memory: memory(sizes) }
}

/** Write the sizes into every shape, and what is needed into every cell, beside its old ratio. */
export function show(explorer, sizes, now, before) {
  const known = { ...sizes, d_k: sizes.d_model / sizes.num_heads }
  for (const place of explorer.querySelectorAll("[data-size]")) place.textContent = known[place.dataset.size]
  for (const place of explorer.querySelectorAll("[data-number]")) {
    const [kind, part] = place.dataset.number.split(" ")
    const value = now[kind][part]
    const data = place.querySelector("data")
    data.value = value
    data.textContent = written(value, kind, place.closest("output"))
    place.querySelector("em").textContent = ratio(value, before[kind][part])
    const bar = place.querySelector("rect")
    if (!bar) continue
    const percent = (100 * value) / now[kind].total
    bar.setAttribute("width", percent)
    place.querySelector("small").textContent = `${percent.toFixed(1)}%`
  }
}

function written(value, kind, isTotal) {
  if (kind === "memory") return amount(value)
  if (!isTotal) return value.toLocaleString("en")
  return words.format(value).replace(/(\d)(\p{Letter})/u, "$1 $2") // 6,310萬 as 6,310 萬
}

/** A number of bytes in the largest unit that leaves a digit before the point. */
function amount(count) {
  const power = Math.min(Math.floor((String(count).length - 1) / 3), UNITS.length - 1)
  return power ? `${(count / 1000 ** power).toFixed(1)} ${UNITS[power]}` : `${count} B`
}

/** How many times as much as before; nothing where nothing changed, or nothing was. */
function ratio(now, before) {
  const times = before ? ratios.format(now / before) : "1"
  return times === "1" ? "" : `×${times}`
}
