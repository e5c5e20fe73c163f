// The hand-made model's numbers as formulas that the reader may change, and the 90 sentences that
// tell what still works.

import { element, t } from "../page.js"
import { greedy_decode } from "./decoding.js"
import { glosses_at, word_for_word } from "./glosses.js"
import { BadLine, lines, load_hand_made } from "./hand_made.js"

const NOUNS = ["cats", "dogs", "you"]
const TIMES = ["today", "yesterday"]
const LISTED = 12
const LETTERS = () => [ // what the eight numbers of a state mean
  ["sin cos", t("the position, as an angle")],
  ["N", t("a noun")], ["V", t("a verb")], ["T", t("a time word")],
  ["S", t("which one of its kind: cats or dogs, beat or upset, today or yesterday")],
  ["P", t("past")], ["O", t("the object")],
]

/** All 90: a noun, a verb, a noun; alone, or with a time word in front or behind. */
export const SENTENCES = NOUNS.flatMap(subject => ["beat", "upset"].flatMap(verb => NOUNS.flatMap(object => {
  const plain = `${subject} ${verb} ${object}`
  return [plain, ...TIMES.flatMap(time => [`${time} ${plain}`, `${plain} ${time}`])]
})))

/** What a model makes of each of the 90. */
export function translations([model, tokenizer]) {
  return SENTENCES.map(text => tokenizer.decode(greedy_decode(model, tokenizer.encode_source(text))))
}

/** Fill the panel with the formulas of the file's text. */
export function fill_formulas(panel, app, original) {
  const expected = translations(load_hand_made(original))
  const all = [...lines(original)]
  const written = new Map() // what the reader wrote, by the number of the line
  const count = element("p", { class: "count", role: "status" })
  const squares = element("ol", { class: "squares", "aria-hidden": "true" })
  const broken = element("ul", { class: "broken" }) // below the line that was changed last
  const trouble = element("p", { class: "notice", role: "alert" }) // below the line that it is about
  const restore = element("button", { type: "button", disabled: true, onclick: () => {
    written.clear()
    for (const input of panel.querySelectorAll("input")) input.value = input.defaultValue
    examine()
    broken.previousElementSibling.lastElementChild.focus({ preventScroll: true })
  } }, t("Restore every number"))

  const text = () => all.map(line => (written.has(line.number) ? `${line.row} = ${written.get(line.number)}` : line.whole)).join("\n")

  function examine() {
    panel.querySelectorAll("input").forEach(input => {
      input.classList.toggle("changed", input.value !== input.defaultValue)
      input.removeAttribute("aria-invalid")
    })
    trouble.remove()
    restore.disabled = !written.size
    try {
      const made = load_hand_made(text())
      tell(translations(made))
      app.replace_hand_made(made, written.size)
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      const input = panel.querySelector(`#line-${error.line}`)
      input.setAttribute("aria-invalid", "true")
      input.parentElement.after(trouble)
      trouble.textContent = t("Not counted: {message}", { message: error.message })
    }
  }

  function tell(made) {
    const wrong = [...made.keys()].filter(i => made[i] !== expected[i])
    count.textContent = t("{right} of {all} sentences are right.", { right: made.length - wrong.length, all: made.length })
    squares.replaceChildren(...made.map((translation, i) => element("li", { class: translation === expected[i] ? "" : "wrong", title: `${SENTENCES[i]}: ${translation}` })))
    broken.replaceChildren(...wrong.slice(0, LISTED).map(i => {
      const see = element("button", { type: "button", lang: "en", onclick: () => app.read({ s: SENTENCES[i] }) }, SENTENCES[i])
      return element("li", {}, see, " ", made[i] ? chinese(made[i]) : t("(nothing)"), " ",
        element("small", {}, t("instead of"), " ", chinese(expected[i])))
    }))
    if (wrong.length > LISTED) broken.append(element("li", {}, t("and {more} more", { more: wrong.length - LISTED })))
  }

  function group_of(title, parts) {
    return element("details", {}, element("summary", {}, title), ...parts.flatMap(part_of))
  }

  function part_of(name) {
    const rows = all.filter(line => line.part === name && line.formula !== undefined)
    const words = name.split(/(?<=[._])/).flatMap(word => [word, element("wbr")])
    return [element("p", { class: "label" }, element("code", {}, ...words)),
      ...rows.map(({ number, row, formula }) => {
        const input = element("input", { type: "text", id: `line-${number}`, value: formula, defaultValue: formula, autocomplete: "off", oninput: () => {
          if (input.value === input.defaultValue) written.delete(number)
          else written.set(number, input.value)
          input.parentElement.after(broken)
          examine()
        } })
        input.spellcheck = false
        return element("label", { class: "formula-line" }, element("code", {}, ...glosses_at([row]), ` ${row} =`), input)
      })]
  }

  const parts = [...new Set(all.map(line => line.part))].filter(Boolean)
  const groups = [
    [t("Embeddings"), "embedding"], [t("Encoder"), "encoder."], [t("Decoder"), "decoder."], [t("Output layer"), "output"],
  ]
  panel.append(
    element("h2", {}, t("Its numbers")),
    element("p", {}, t("A line adds up numbers, each with its weight; what is not written is 0. Change any of them, and see which of the 90 sentences break.")),
    letters(),
    element("div", { class: "score" }, count, restore, squares),
    ...groups.map(([title, sign]) => group_of(title, parts.filter(part => part.includes(sign)))))
  tell(expected)
}

/** A Chinese sentence, and on the English page its words in English. */
function chinese(text) {
  const meaning = word_for_word(text)
  return element("span", {}, element("span", { lang: "zh-TW" }, text),
    meaning && element("span", { class: "gloss", lang: "en" }, ` (${meaning})`))
}

function letters() {
  const list = element("dl", { class: "letters" })
  for (const [names, meaning] of LETTERS()) {
    const letters = names.split(" ").flatMap(name => [element("code", {}, name), " "])
    list.append(element("dt", {}, ...letters), element("dd", {}, meaning))
  }
  const wanted = element("p", {}, t("In the encoder these eight numbers say what a word is; in the decoder, what is wanted next. a1 to a4 are the numbers of head 1, b1 to b4 those of head 2, and h is the one hidden neuron. <bos> and <eos> are the (start) and the (end)."))
  const reasons = element("p", {}, element("a", { href: "../../start/by-hand/" }, t("Why each number is what it is")))
  return element("details", { open: true }, element("summary", {}, t("What the letters mean")), list, wanted, reasons)
}
