// Small parts that several views are made of.

import { element, t } from "../page.js"

/** How a token of nothing but white space is shown. */
export const SPACE = "␣"

/** A token as people read it. */
export function shown(piece) {
  if (piece === "<bos>") return t("(start)")
  if (piece === "<eos>") return t("(end)")
  if (piece === "<pad>") return t("(padding)")
  const hexadecimal = sign => `<${sign.codePointAt().toString(16).padStart(2, "0").toUpperCase()}>`
  return piece.trim().replace(/\p{Cc}/gu, hexadecimal) || SPACE
}

/** 0.934 as 93%; what rounds to nothing keeps a digit, down to a thousandth. */
export function per_cent(share) {
  const rounded = 100 * share
  if (rounded > 0 && rounded < 0.001) return "<0.001%"
  return `${rounded >= 9.5 || rounded === 0 ? Math.round(rounded) : rounded.toPrecision(1)}%`
}

/** A number with its true minus sign. */
export function decimal(number, digits = 2) {
  return number.toFixed(digits).replace("-", "−")
}

/** A bar as long as a share of 1. */
export function bar(share) {
  const made = element("span", { class: "bar" })
  made.style.setProperty("--share", share)
  return made
}

/** Choices of which one holds: radio buttons with a name for the group. */
export function radios(legend, name, options, chosen, on_choice) {
  const group = element("fieldset", { class: "choices" }, element("legend", {}, legend))
  for (const [value, label] of options) {
    const radio = element("input", {
      type: "radio", name, value, checked: value === chosen, onchange: () => on_choice(value),
    })
    group.append(element("label", {}, radio, element("span", {}, label)))
  }
  return group
}

/** Choose the option of a group of radio buttons that has this value. */
export function choose(group, value) {
  for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === String(value)
}

/** A list to choose from. */
export function select(label, options, chosen, on_choice) {
  const list = element("select", { onchange: () => on_choice(list.value) })
  for (const [value, text] of options)
    list.append(element("option", { value, selected: value === chosen }, text))
  return element("label", { class: "select" }, element("span", {}, label), list)
}

/** Choose the option that has this value; the list stays, and the focus in it. */
export function pick(list, value) {
  list.querySelector("select").value = value
}

/** A table: the head's texts, then rows of texts and elements; the first cell names its row. */
export function table(caption, head, rows) {
  const cells = rows.map(([first, ...rest]) => element("tr", {},
    element("th", { scope: "row" }, first), ...rest.map(cell => element("td", {}, cell))))
  return element("table", { class: "framed" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map(text => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...cells))
}
