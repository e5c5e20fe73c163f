// What happens when something is taken out: the question first, then both translations side by side,
// then why, in numbers; and where nothing happens, a sentence with which something does.

import { element, t } from "../page.js"
import { hide, mute, without_causal_mask, without_embedding_scale, without_padding_mask, without_positions, without_score_division } from "./interventions.js"
import { in_words } from "./glosses.js"
import { per_cent, pick, radios, select, shown } from "./parts.js"
import { head_of, heads_of } from "./state.js"

const LONGEST = 24 // tokens: of a longer translation the rest is counted
const WITHOUT = {
  score_division: without_score_division,
  embedding_scale: without_embedding_scale,
  positions: without_positions,
  causal_mask: without_causal_mask,
  padding_mask: without_padding_mask,
}

/** Sentences of the shipped model that need what is taken out. */
const TELLING = {
  mute: { s: "We are not resting.", mute: "bridge.2.3" },
  score_division: { s: "The sweater is a little cheaper than that coat." },
  positions: { s: "The dog saw the cat." },
  causal_mask: { s: "The boss is very busy." },
  padding_mask: { s: "Cats eat fish." },
}

/** What can be taken out, by the value it has in the list: its name, and what that means. */
const parts = () => ({
  hide: [t("Hide words of the source"), t("The words struck out are hidden from the encoder and from the bridge.")],
  mute: [t("Mute a head"), t("What this head adds to the attention’s output becomes zero.")],
  score_division: [t("Missing √dₖ"), t("The scores are not divided by √dₖ.")],
  embedding_scale: [t("Missing √d_model"), t("The embeddings are not multiplied by √d_model.")],
  positions: [t("No positions"), t("Nothing tells where a word stands.")],
  causal_mask: [t("No causal mask"), t("Each token written sees the later ones.")],
  padding_mask: [t("No padding mask"), t("The padding behind the sentence is read like words.")],
})

/** What the state takes out of the model: its value in the list; nothing by default. */
export function taken_out({ hide, mute, without }) {
  return without || (mute && "mute") || (hide.length && "hide") || ""
}

/** Change a model that was just made, as the state says. */
export function take_out(model, state) {
  if (state.without) WITHOUT[state.without](model)
  else if (state.mute) mute(model, ...head_of(state.mute))
  else hide(model, state.hide.map(place => place - 1))
}

export function what_if_view(app) {
  const options = Object.entries(parts()).map(([value, [name]]) => [value, name])
  const list = select(t("Take out"), [["", t("nothing")], ...options], "", choose)
  const meaning = element("p")
  const details = element("div", { class: "details" })
  const question = element("div", { class: "question", id: "part-question" })
  const answer = element("div", { class: "answer", id: "part-answer", role: "status" })
  let expected = ""
  let hides = null // the run of which words are hidden, also while none is

  function choose(what) {
    hides = null
    const last = app.run.read.slice(0, -1).findLastIndex(piece => /\p{L}/u.test(piece)) // no mark
    const first = { hide: { hide: [Math.max(last, 0) + 1] }, mute: { mute: `${app.state.map}.${app.state.layer}.${app.state.head}` } }
    const how = app.state.how === "sample" ? "greedy" : app.state.how
    app.change({ how, ...app.nothing_taken_out, ...(first[what] ?? { without: what }) })
  }

  function offer() {
    const what = taken_out(app.state) || (hides === app.run ? "hide" : "")
    pick(list, what)
    meaning.textContent = what && parts()[what][1]
    details.replaceChildren(...(what === "hide" ? [words()] : what === "mute" ? [heads()] : []))
    answer.replaceChildren()
    question.replaceChildren()
    if (taken_out(app.state)) ask()
  }

  function words() {
    const group = element("div", { class: "tokens", role: "group", "aria-label": t("Words to hide"), lang: "en" })
    app.run.read.slice(0, -1).forEach((piece, i) => {
      const hidden = app.state.hide.includes(i + 1)
      group.append(element("button", { type: "button", "aria-pressed": hidden, onclick: () => {
        hides = app.run
        const others = app.state.hide.filter(place => place !== i + 1)
        app.change({ hide: hidden ? others : [...others, i + 1].sort((a, b) => a - b) })
        details.querySelectorAll("button")[i].focus()
      } }, shown(piece)))
    })
    return group
  }

  function heads() {
    const labels = { encoder: t("encoder"), decoder: t("decoder"), bridge: t("bridge") }
    const options = heads_of(app.model).map(address => {
      const [map, layer, head] = address.split(".")
      return [address, t("{part}, layer {layer}, head {head}", { part: labels[map], layer, head })]
    })
    return select(t("Head"), options, app.state.mute, mute => {
      app.change({ mute })
      details.querySelector("select").focus()
    })
  }

  function ask() {
    expected = ""
    const reveal = element("button", { type: "button", class: "main", disabled: true, onclick: show }, t("Show what happens"))
    question.replaceChildren(
      radios(t("“{sentence}”: what do you expect?", { sentence: app.state.s }), "expected", [
        ["same", t("the same translation")],
        ["partly", t("part of it changes, at most half")],
        ["mostly", t("more than half of it changes")],
        ["unknown", t("I do not know")],
      ], "", guess => {
        expected = guess
        reveal.disabled = false
      }), reveal)
  }

  async function show() {
    const asked = question.firstChild
    const { explanations } = await import("./explanations.js")
    if (question.firstChild !== asked) return // something else is taken out by now
    const before = app.run
    const after = app.run_changed()
    const telling = before.text === after.text && TELLING[taken_out(app.state)]
    answer.replaceChildren(
      element("div", { class: "beside" },
        written(t("as it is"), before, after), written(t("with the change"), after, before)),
      paragraph(verdict(expected, before, after)),
      telling && app.state.model === "shipped" ? try_with(telling) : "",
      ...explanations(taken_out(app.state), app, before, after).map(paragraph),
      button(t("Show the attention with the change"), app.show_changed))
    if (!app.guided()) answer.scrollIntoView({ block: "nearest" })
    app.notice()
  }

  /** A way to a sentence that tells more. */
  function try_with(telling) {
    const { hide, mute, without } = app.state
    const read = () => app.read({ hide, mute, without, ...telling })
    return button(t("Try it with “{sentence}”", { sentence: telling.s }), read)
  }

  return {
    node: element("section", { class: "panel", id: "part-what-if" }, list, meaning, details, question, answer),
    update(anew) {
      if (anew) offer()
    },
  }
}

function button(label, onclick) {
  return element("button", { type: "button", onclick }, label)
}

function paragraph(text) {
  return element("p", {}, text)
}

function written(label, run, other) {
  const common = common_places(run.ids, other.ids)
  const tokens = in_words(run.written, i =>
    element("div", { class: common.has(i) ? "" : "differs" }, element("span", {}, shown(run.written[i])),
      element("small", {}, per_cent(Math.exp(run.log_probs[i][run.ids[i]])))))
  const more = tokens.length - LONGEST
  return element("div", {}, element("p", { class: "label" }, label),
    element("ol", { class: "tokens", lang: "zh-TW" }, ...tokens.slice(0, LONGEST)),
    more > 0 ? element("p", { class: "label" }, t("and {more} more tokens", { more })) : null)
}

/** Places in `a` of the longest sequence that `b` has too. */
function common_places(a, b) {
  const best = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1])
  const places = new Set()
  for (let i = 0, j = 0; i < a.length && j < b.length;)
    if (a[i] === b[j] && best[i][j] > best[i][j + 1]) places.add(i++) && j++
    else if (best[i + 1][j] > best[i][j + 1]) i++
    else j++
  return places
}

function verdict(expected, before, after) {
  const all = Math.max(before.ids.length, after.ids.length)
  const differ = all - common_places(before.ids, after.ids).size
  const happened = differ === 0 ? "same" : 2 * differ <= all ? "partly" : "mostly"
  const told = differ === 0
    ? t("The translation stays the same.")
    : t("The translation changes: {differ} of {all} tokens (counted in the longer one).", { differ, all })
  if (expected === "unknown") return told
  const judged = expected === happened ? t("As you expected.") : t("You expected something else.")
  return t("{sentence} {next}", { sentence: told, next: judged })
}
