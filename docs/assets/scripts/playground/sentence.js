// Which model reads which sentence, and what the model cannot know of it.

import { element, t } from "../page.js"
import { choose, pick, radios, select } from "./parts.js"
import { LONGEST } from "./state.js"
import { UnknownWord } from "./tokenizer.js"
import { unfamiliar } from "./unfamiliar.js"

export const EXAMPLES = {
  shipped: [
    "The cat ate two fish yesterday.",
    "The cat that the farmer likes is sleeping.",
    "Did the student buy a book yesterday?",
    "The teacher didn't give the student three apples.",
    "The dog is bigger than the cat.",
    "He wants to borrow my umbrella.",
    "When will the doctor go to the hospital?",
    "Who gave the teacher a cup of coffee?",
    "The students read three books at the library yesterday.",
    "The small dog that ate my fish is tired.",
  ],
  "hand-made": [
    "cats beat dogs yesterday",
    "yesterday cats beat dogs",
    "dogs beat cats yesterday",
    "cats beat dogs",
    "today you upset cats",
    "dogs upset you",
    "you upset dogs today",
    "yesterday dogs upset dogs",
    "cats upset you yesterday",
    "you beat you",
  ],
}

export function sentence_view(app, neighbours) {
  const models = radios(t("Model"), "model", [
    ["shipped", t("trained: 1,129,600 numbers")],
    ["hand-made", t("made by hand: 109 numbers")],
  ], app.state.model, model => app.read({ model, s: last[model] ?? EXAMPLES[model][0] }))
  const input = element("input", { type: "text", id: "sentence", lang: "en", autocomplete: "off" })
  input.spellcheck = false
  const form = element("form", { class: "sentence", onsubmit: event => {
    event.preventDefault()
    app.read({ s: input.value })
  } },
  element("label", { htmlFor: "sentence" }, t("English sentence")),
  element("div", {}, input, element("button", { class: "main" }, t("Translate"))))
  const examples = element("div")
  const words = element("p", { lang: "en" })
  const list_words = () => {
    const { source } = app.tokenizer // of the hand-made model
    words.textContent = (source ?? words_of(neighbours, app.tokenizer)).join(", ")
  }
  const vocabulary = element("details", { ontoggle: list_words },
    element("summary", {}, t("The words that it knows")), words)
  const notice = element("div", { class: "notice", role: "status" })

  let offered = "" // the model whose examples stand there
  const last = {} // each model's last sentence
  let put = "" // the sentence that stands there, unless the reader is typing the next one

  const offer = known => {
    const options = [["", t("take one of ten …")], ...known.map(text => [text, text])]
    const list = select(t("or"), options, "", s => s && app.read({ s }))
    list.querySelectorAll("option:not(:first-child)").forEach(option => (option.lang = "en"))
    examples.replaceChildren(list)
  }

  return {
    notice,
    node: element("section", { class: "panel", id: "part-sentence" }, models, form, examples, vocabulary, notice),
    update() {
      const { model, s } = app.state
      const known = EXAMPLES[model]
      last[model] = s
      choose(models, model)
      if (put !== s) input.value = put = s
      if (offered !== model) {
        offer(known)
        vocabulary.open = false
      }
      offered = model
      pick(examples, known.includes(s) ? s : "")
    },
    tell(texts) {
      notice.replaceChildren(...texts.map(text => element("p", {}, text)))
    },
  }
}

/** The English words of the training sentences: those that the tokenizer does not cut into pieces. */
function words_of({ kinds, after }, tokenizer) {
  const named = Object.values(kinds)
  const others = Object.keys(after).filter(word => !named.includes(word))
  const whole = word => /^[a-z]+$/.test(word) && tokenizer.encode(`${word} `).length === 1
  return [...Object.keys(kinds), ...others].filter(whole).sort()
}

/** What a reader should know of a sentence before trusting its translation. */
export function troubles(text, tokenizer, neighbours) {
  const { words, marks, pairs, sentences, length } = unfamiliar(text, tokenizer, neighbours)
  const told = []
  if (words.length === 1)
    told.push(t("Training never showed the model the word {word}. It reads it in pieces and guesses.", { word: quoted(words) }))
  else if (words.length)
    told.push(t("Training never showed the model these words: {words}. It reads them in pieces and guesses.", { words: quoted(words) }))
  if (marks.length) told.push(t("Training never showed these marks: {marks}.", { marks: quoted(marks) }))
  if (pairs.length)
    told.push(t("A construction that training never showed: {places}. Do not trust the translation.", { places: pairs.map(place).join(t(", ")) }))
  if (sentences) told.push(t("{sentences} sentences: in training there were at most two.", { sentences }))
  if (length) told.push(t("{length} words: in training there were at most {longest}.", { length, longest: neighbours.longest }))
  return told
}

/** Why a sentence cannot be read at all; nothing if it can. */
export function refusal(text, model, tokenizer) {
  try {
    const { length } = tokenizer.encode_source(text)
    const most = model.config.max_len
    if (text.length > LONGEST)
      return t("The sentence has {length} characters: the page reads at most {most}.", { length: text.length, most: LONGEST })
    if (length === 1) return t("Type a sentence first.")
    return length <= most ? "" : t("The sentence has {length} tokens with its end: the model reads at most {most}.", { length, most })
  } catch (error) {
    if (!(error instanceof UnknownWord)) throw error
    const values = { word: quoted([error.message]), words: quoted(tokenizer.source) }
    return t("The hand-made model has no row for {word}. It knows {words}.", values)
  }
}

function place([first, second]) {
  if (!first) return t("{word} at the beginning", { word: quoted([second]) })
  return quoted([`${first} ${second || "…"}`])
}

function quoted(words) {
  return words.map(word => t("“{word}”", { word })).join(t(", "))
}
