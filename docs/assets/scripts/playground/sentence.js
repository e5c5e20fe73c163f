// Which model reads which sentence, and what the model cannot know of it.

import { element, t } from "../page.js"
import { choose, pick, quoted, radios, select } from "./parts.js"
import { UnknownWord } from "./tokenizer.js"
import { unfamiliar } from "./unfamiliar.js"

const LONGEST = 200 // Characters of a sentence.

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

export function sentenceView(app, neighbours) {
  const names = {
    shipped: t("trained: 1,129,600 numbers"),
    "hand-made": t("made by hand: 109 numbers"),
  }
  const lastSentence = {} // Of each model.
  const read = model => app.read({ model, s: lastSentence[model] ?? EXAMPLES[model][0] })
  const models = radios(t("Model"), "model", names, read)
  const field = { type: "text", lang: "en", autocomplete: "off", spellcheck: false }
  const input = element("input#sentence", field)
  const form = element(
    "form.sentence",
    element("label", { htmlFor: "sentence" }, t("English sentence")),
    element("div", input, element("button.main", t("Translate"))),
  )
  form.onsubmit = event => {
    event.preventDefault()
    app.read({ s: input.value })
  }
  const examples = element("div")
  const words = element("p", { lang: "en" })
  const summary = element("summary", t("The words that it knows"))
  const vocabulary = element("details", summary, words)
  vocabulary.ontoggle = () => {
    const { source } = app.tokenizer // Of the hand-made model.
    words.textContent = (source ?? wordsOf(neighbours, app.tokenizer)).join(", ")
  }
  const notice = element("div.notice", { role: "status" })

  let offered = "" // The model whose examples the list has.
  let shownSentence = "" // It stays until another is read: the reader may be typing the next one.

  function offer(known) {
    const options = [["", t("take one of ten …")], ...known.map(text => [text, text])]
    const list = select(t("or"), options, s => s && app.read({ s }))
    for (const option of list.querySelectorAll("option:not(:first-child)")) option.lang = "en"
    examples.replaceChildren(list)
    vocabulary.open = false
  }

  const parts = [models, form, examples, vocabulary, notice]
  return {
    notice,
    node: element("section#part-sentence.panel", ...parts),
    update() {
      const { model, s } = app.state
      lastSentence[model] = s
      choose(models, model)
      if (shownSentence !== s) input.value = s
      shownSentence = s
      if (offered !== model) offer(EXAMPLES[model])
      offered = model
      pick(examples, EXAMPLES[model].includes(s) ? s : "")
    },
    notify(texts) {
      notice.replaceChildren(...texts.map(text => element("p", text)))
    },
  }
}

/** The English words of the training sentences: those that the tokenizer does not cut into pieces. */
function wordsOf({ kinds, after }, tokenizer) {
  const named = Object.values(kinds)
  const others = Object.keys(after).filter(word => !named.includes(word))
  const isWhole = word => /^[a-z]+$/.test(word) && tokenizer.encode(word).length === 1
  return [...Object.keys(kinds), ...others].filter(isWhole).sort()
}

/** What a reader should know of a sentence before trusting its translation. */
export function troubles(text, tokenizer, neighbours) {
  const { words, marks, pairs, sentences, length } = unfamiliar(text, tokenizer, neighbours)
  const { longest } = neighbours
  const told = { words: list(words), marks: list(marks), places: pairs.map(placeOf).join(t(", ")) }
  return [
    /\p{Script=Han}/u.test(text) && t("The model reads English: type it in English."),
    words.length > 0 &&
      t("Training never showed the model {words}. It reads such words in pieces and guesses.", told),
    marks.length > 0 && t("Training never showed these marks: {marks}.", told),
    pairs.length > 0 &&
      t("A construction that training never showed: {places}. Do not trust the translation.", told),
    sentences > 0 && t("{sentences} sentences: in training there were at most two.", { sentences }),
    length > 0 && t("{length} words: in training there were at most {longest}.", { length, longest }),
  ].filter(Boolean)
}

/** Why a sentence cannot be read at all; nothing if it can. */
export function refusal(text, model, tokenizer) {
  const values = { length: text.length, most: LONGEST }
  if (text.length > LONGEST)
    return t("The sentence has {length} characters: the page reads at most {most}.", values)
  try {
    const counts = { length: tokenizer.encode_source(text).length, most: model.config.max_len }
    if (counts.length === 1) return t("Type a sentence first.")
    if (counts.length <= counts.most) return ""
    return t("The sentence has {length} tokens with its end: the model reads at most {most}.", counts)
  } catch (error) {
    if (!(error instanceof UnknownWord)) throw error
    const known = { word: quoted(error.message), words: list(tokenizer.source) }
    return t("The hand-made model has no row for {word}. It knows {words}.", known)
  }
}

function placeOf([first, second]) {
  if (!first) return t("{word} at the beginning", { word: quoted(second) })
  return quoted(`${first} ${second || "…"}`)
}

const list = words => words.map(quoted).join(t(", "))
