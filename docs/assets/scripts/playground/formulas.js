// The hand-made model's numbers as formulas that the reader may change, and the 90 sentences that
// show what still works.

import { button, element, t } from "../page.js"
import { greedy_decode } from "./decoding.js"
import { chinese, glossesAt } from "./glosses.js"
import { BadLine, lines, loadHandMade } from "./hand_made.js"

const NOUNS = ["cats", "dogs", "you"]
const TIMES = ["today", "yesterday"]
const LISTED = 12
const LETTERS = {
  "sin cos": t("the position, as an angle"),
  N: t("a noun"),
  V: t("a verb"),
  T: t("a time word"),
  S: t("which one of its kind: cats or dogs, beat or upset, today or yesterday"),
  P: t("past"),
  O: t("the object"),
}
const GROUPS = {
  embedding: t("Embeddings"),
  "encoder.": t("Encoder"),
  "decoder.": t("Decoder"),
  output: t("Output layer"),
}

const PLAIN = NOUNS.flatMap(subject =>
  ["beat", "upset"].flatMap(verb => NOUNS.map(object => `${subject} ${verb} ${object}`)),
)

/** All 90: a noun, a verb, a noun; alone, or with a time word in front or behind. */
const SENTENCES = PLAIN.flatMap(plain => [
  plain,
  ...TIMES.flatMap(time => [`${time} ${plain}`, `${plain} ${time}`]),
])

/** What a model makes of each of the 90. */
function translations([model, tokenizer]) {
  return SENTENCES.map(text => tokenizer.decode(greedy_decode(model, tokenizer.encode_source(text))))
}

/** The panel of the file's text; it is filled when a reader first comes to the hand-made model. */
export function formulasView(app, original) {
  const node = element("section#part-formulas.panel")
  return {
    node,
    update() {
      node.hidden = app.state.model !== "hand-made"
      if (!node.hidden && !node.hasChildNodes()) fill(node, app, original)
    },
  }
}

function fill(panel, app, original) {
  const expected = translations(loadHandMade(original))
  const all = [...lines(original)]
  const fields = new Map() // Of each formula, by the number of its line.
  const count = element("p.count", { role: "status" })
  const squares = element("ol.squares", { "aria-hidden": "true" })
  const broken = element("ul.broken") // Below the line that was changed last.
  const trouble = element("p.notice", { role: "alert" }) // Below the line that it is about.
  const restore = button(t("Restore every number"), restoreAll, { disabled: true })

  function restoreAll() {
    for (const input of fields.values()) input.value = input.defaultValue
    examine()
    broken.previousElementSibling.lastElementChild.focus({ preventScroll: true })
  }

  function text() {
    const line = ({ number, row, whole }) =>
      fields.has(number) ? `${row} = ${fields.get(number).value}` : whole
    return all.map(line).join("\n")
  }

  function examine() {
    for (const input of fields.values()) {
      input.classList.toggle("changed", input.value !== input.defaultValue)
      input.removeAttribute("aria-invalid")
    }
    trouble.remove()
    const changed = panel.querySelectorAll(".changed").length
    restore.disabled = !changed
    try {
      const made = loadHandMade(text())
      report(translations(made))
      app.replaceHandMade(made, changed)
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      const input = fields.get(error.line)
      input.setAttribute("aria-invalid", "true")
      input.parentElement.after(trouble)
      trouble.textContent = t("Not counted: {message}", { message: error.message })
    }
  }

  function report(found) {
    const wrong = [...found.keys()].filter(i => found[i] !== expected[i])
    const counts = { right: found.length - wrong.length, all: found.length }
    count.textContent = t("{right} of {all} sentences are right.", counts)
    const square = (translation, i) => {
      const kind = translation === expected[i] ? "li" : "li.wrong"
      return element(kind, { title: `${SENTENCES[i]}: ${translation}` })
    }
    squares.replaceChildren(...found.map(square))
    const item = i => {
      const see = button(SENTENCES[i], () => app.read({ s: SENTENCES[i] }), { lang: "en" })
      const instead = element("small", t("instead of"), " ", chinese(expected[i]))
      return element("li", see, " ", found[i] ? chinese(found[i]) : t("(nothing)"), " ", instead)
    }
    broken.replaceChildren(...wrong.slice(0, LISTED).map(item))
    const more = wrong.length - LISTED
    if (more > 0) broken.append(element("li", t("and {more} more", { more })))
  }

  function partOf(name) {
    const words = name.split(/(?<=[._])/).flatMap(word => [word, element("wbr")])
    const rows = all.filter(line => line.part === name && line.formula !== undefined)
    return [element("p.label", element("code", ...words)), ...rows.map(fieldOf)]
  }

  function fieldOf({ number, row, formula }) {
    const field = { type: "text", autocomplete: "off", spellcheck: false, defaultValue: formula }
    const input = element(`input#line-${number}`, field)
    fields.set(number, input)
    const label = element("code", ...glossesAt([row]), ` ${row} =`)
    input.oninput = () => {
      input.parentElement.after(broken)
      examine()
    }
    return element("label.formula-line", label, input)
  }

  const parts = [...new Set(all.map(line => line.part))].filter(Boolean)
  const groups = Object.entries(GROUPS).map(([sign, title]) => {
    const fields = parts.filter(part => part.includes(sign)).flatMap(partOf)
    return element("details", element("summary", title), ...fields)
  })
  const introduction = t(
    "A line adds up numbers, each with its weight; what is not written is 0. Change any of them, " +
      "and see which of the 90 sentences break.",
  )
  panel.append(
    element("h2", t("Its numbers")),
    element("p", introduction),
    letters(),
    element("div.score", count, restore, squares),
    ...groups,
  )
  report(expected)
}

/** What the eight numbers of a state mean. */
function letters() {
  const list = element("dl.letters")
  for (const [names, meaning] of Object.entries(LETTERS)) {
    const codes = names.split(" ").flatMap(name => [element("code", name), " "])
    list.append(element("dt", ...codes), element("dd", meaning))
  }
  const sides = t(
    "In the encoder these eight numbers say what a word is; in the decoder, what is wanted next. " +
      "a1 to a4 are the numbers of head 1, b1 to b4 those of head 2, and h is the one hidden " +
      "neuron. <bos> and <eos> are the (start) and the (end).",
  )
  const reasons = element("a", { href: "../../assembly/by-hand/" }, t("Why each number is what it is"))
  const summary = element("summary", t("What the letters mean"))
  const texts = [element("p", sides), element("p", reasons)]
  return element("details", { open: true }, summary, list, ...texts)
}
