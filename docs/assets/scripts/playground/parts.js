// Small parts that several views are made of.

import { element, t } from "../page.js"

/** How a token of nothing but white space is shown. */
export const SPACE = "␣"

const NAMED = 0.1 // Keys with a smaller weight are not named.
const NAMES = { "<bos>": t("(start)"), "<eos>": t("(end)"), "<pad>": t("(padding)") }

/** How the three attentions are called. */
export const MAPS = { encoder: t("encoder"), decoder: t("decoder"), bridge: t("cross-attention") }

/** A token as people read it. */
export function shown(piece) {
  const hexadecimal = sign => `<${sign.codePointAt().toString(16).padStart(2, "0").toUpperCase()}>`
  return NAMES[piece] ?? (piece.trim().replace(/\p{Cc}/gu, hexadecimal) || SPACE)
}

export const quoted = word => t("“{word}”", { word })

/** 0.934 as 93%; what rounds to nothing keeps a digit, down to a thousandth. */
export function percent(share) {
  const rounded = 100 * share
  if (rounded > 0 && rounded < 0.001) return "<0.001%"
  return `${rounded >= 9.5 || rounded === 0 ? Math.round(rounded) : rounded.toPrecision(1)}%`
}

/** What a word, or the step that writes it, looks at most. */
export function looksAt(query, keys, weights, isWord) {
  const best = [...keys.keys()].filter(i => weights[i] >= NAMED)
  best.sort((a, b) => weights[b] - weights[a])
  const named = best.slice(0, 3).map(i => `${quoted(shown(keys[i]))}\u00a0${percent(weights[i])}`)
  const values = { query: shown(query), keys: named.join(t(", ")) }
  if (!best.length) return t("“{query}” looks at all a little: no weight reaches 10%.", values)
  if (isWord) return t("“{query}” looks at: {keys}", values)
  return t("To write “{query}” it looks at: {keys}", values)
}

/** A number with its true minus sign. */
export function decimal(number, digits = 2) {
  return number.toFixed(digits).replace("-", "−")
}

/** The same element, with a number that its style sheet needs, such as "--share". */
export function styled(part, name, value) {
  part.style.setProperty(name, value)
  return part
}

/** Choices of which one holds: radio buttons with a name for the group; none is chosen yet. */
export function radios(legend, name, options, onchoice) {
  const choices = Object.entries(options).map(([value, text]) => {
    const radio = { type: "radio", name, value, onchange: () => onchoice(value) }
    return element("label", element("input", radio), element("span", text))
  })
  return element("fieldset.choices", element("legend", legend), ...choices)
}

/** Choose the option of a group of radio buttons that has this value. */
export function choose(group, value) {
  for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === String(value)
}

/** A list to choose from; the first option is chosen. */
export function select(label, options, onchoice) {
  const list = element("select", { onchange: () => onchoice(list.value) })
  for (const [value, text] of options) list.append(element("option", { value }, text))
  return element("label.select", element("span", label), list)
}

/** Choose the option that has this value; the list stays, and the focus in it. */
export function pick(list, value) {
  list.querySelector("select").value = value
}

/** Show which of some buttons is pressed; none of them if `chosen` is -1. */
export function press(buttons, chosen) {
  for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", i === chosen)
}

/** A table: the head's texts, then rows of texts and elements; the first cell names its row. */
export function table(caption, head, rows) {
  const cell = (content, i) => (i ? element("td", content) : element("th", { scope: "row" }, content))
  const titles = head.map(text => element("th", { scope: "col" }, text))
  return element(
    "table",
    element("caption", caption),
    element("thead", element("tr", ...titles)),
    element("tbody", ...rows.map(cells => element("tr", ...cells.map(cell)))),
  )
}
