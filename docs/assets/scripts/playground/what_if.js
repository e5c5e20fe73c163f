// What happens when something is taken out: the question first, then both translations side by side,
// then why, in numbers; and where nothing happens, a sentence with which something does.

import { button, element, t } from "../page.js"
import { groupedByWord } from "./glosses.js"
import { activeIntervention, headsOf, INTERVENTIONS, NO_INTERVENTION } from "./interventions.js"
import { MAPS, percent, pick, radios, select, shown } from "./parts.js"

const LONGEST = 24 // The tokens of a longer translation are counted from here on.

export function whatIfView(app) {
  const titles = Object.entries(INTERVENTIONS).map(([name, { title }]) => [name, title])
  const list = select(t("Take out"), [["", t("nothing")], ...titles], choose)
  const meaning = element("p")
  const details = element("div.details")
  const question = element("div#part-question.question")
  const answer = element("div#part-answer.answer", { role: "status" })
  let hidesWordsOf = null // The run of which words are hidden, also while none is.

  function choose(name) {
    hidesWordsOf = null
    const how = app.state.how === "sample" ? "greedy" : app.state.how
    const start = INTERVENTIONS[name]?.start?.(app) ?? { without: name }
    app.change({ how, ...NO_INTERVENTION, ...start })
  }

  function offer() {
    const name = activeIntervention(app.state) || (hidesWordsOf === app.run ? "hide" : "")
    pick(list, name)
    meaning.textContent = INTERVENTIONS[name]?.meaning ?? ""
    details.replaceChildren(...(name === "hide" ? [words()] : name === "mute" ? [heads()] : []))
    answer.replaceChildren()
    question.replaceChildren()
    if (activeIntervention(app.state)) ask()
  }

  function words() {
    const name = { role: "group", "aria-label": t("Words to hide"), lang: "en" }
    const buttons = app.run.read.slice(0, -1).map((piece, i) => {
      const { hide } = app.state
      const isHidden = hide.includes(i + 1)
      const toggle = () => {
        hidesWordsOf = app.run
        const others = hide.filter(place => place !== i + 1)
        app.change({ hide: isHidden ? others : [...others, i + 1].sort((a, b) => a - b) })
        details.querySelectorAll("button")[i].focus()
      }
      return button(shown(piece), toggle, { "aria-pressed": isHidden })
    })
    return element("div.tokens", name, ...buttons)
  }

  function heads() {
    const options = headsOf(app.model).map(address => {
      const [map, layer, head] = address.split(".")
      return [address, t("{part}, layer {layer}, head {head}", { part: MAPS[map], layer, head })]
    })
    const list = select(t("Head"), options, mute => {
      app.change({ mute })
      details.querySelector("select").focus()
    })
    pick(list, app.state.mute)
    return list
  }

  function ask() {
    let expected = ""
    const answers = {
      same: t("the same translation"),
      partly: t("part of it changes, at most half"),
      mostly: t("more than half of it changes"),
      unknown: t("I do not know"),
    }
    const show = { className: "main", disabled: true }
    const reveal = button(t("Show what happens"), () => showAnswer(expected), show)
    const legend = t("“{sentence}”: what do you expect?", { sentence: app.state.s })
    const choices = radios(legend, "expected", answers, guess => {
      expected = guess
      reveal.disabled = false
    })
    question.replaceChildren(choices, reveal)
  }

  function showAnswer(expected) {
    const before = app.run
    const after = app.runChanged()
    const { example, explain } = INTERVENTIONS[activeIntervention(app.state)]
    const isSame = before.text === after.text
    const original = translation(t("as it is"), before, after)
    const changed = translation(t("with the change"), after, before)
    answer.replaceChildren(
      element("div.beside", original, changed),
      element("p", verdict(expected, before, after)),
      isSame && example && app.state.model === "shipped" ? tryButton(example) : "",
      element("p", explain(app, before, after)),
      element("p", firstDifference(before, after)),
      button(t("Show the attention with the change"), app.showChanged),
    )
    answer.scrollIntoView({ block: "nearest" })
  }

  /** A way to a sentence that shows more. */
  function tryButton(example) {
    const { hide, mute, without } = app.state
    const read = () => app.read({ hide, mute, without, ...example })
    return button(t("Try it with “{sentence}”", { sentence: example.s }), read)
  }

  const parts = [list, meaning, details, question, answer]
  return {
    node: element("section#part-what-if.panel", ...parts),
    update(anew) {
      if (anew) offer()
    },
  }
}

function translation(label, run, other) {
  const common = commonPlaces(run.ids, other.ids)
  const tokens = groupedByWord(run.written, i => {
    const probability = element("small", percent(probabilityOf(run, i, run.ids[i])))
    const kind = common.has(i) ? "div" : "div.differs"
    return element(kind, element("span", shown(run.written[i])), probability)
  })
  const more = tokens.length - LONGEST
  return element(
    "div",
    element("p.label", label),
    element("ol.tokens", { lang: "zh-TW" }, ...tokens.slice(0, LONGEST)),
    more > 0 ? element("p.label", t("and {more} more tokens", { more })) : null,
  )
}

const probabilityOf = (run, step, id) => Math.exp(run.log_probs[step][id])

/** Places in `a` of the longest sequence that `b` has too. */
function commonPlaces(a, b) {
  const best = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1])
  const places = new Set()
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j] && best[i][j] > best[i][j + 1]) places.add(i++) && j++
    else if (best[i + 1][j] > best[i][j + 1]) i++
    else j++
  return places
}

function verdict(expected, before, after) {
  const all = Math.max(before.ids.length, after.ids.length)
  const differ = all - commonPlaces(before.ids, after.ids).size
  const happened = differ === 0 ? "same" : 2 * differ <= all ? "partly" : "mostly"
  const counts = { differ, all }
  const sentence = differ
    ? t("The translation changes: {differ} of {all} tokens (counted in the longer one).", counts)
    : t("The translation stays the same.")
  if (expected === "unknown") return sentence
  const next = expected === happened ? t("As you expected.") : t("You expected something else.")
  return t("{sentence} {next}", { sentence, next })
}

/** Where the translations part, or where they nearly did. */
function firstDifference(before, after) {
  const p = (run, step, ids) => percent(probabilityOf(run, step, ids[step]))
  const step = before.ids.findIndex((id, i) => id !== after.ids[i])
  if (step >= 0)
    return t(
      "The two first differ at step {step}: “{piece}” goes from {before} to {after}, and " +
        "“{other}” is written with {probability}.",
      {
        step: step + 1,
        piece: shown(before.written[step]),
        other: shown(after.written[step] ?? ""),
        before: p(before, step, before.ids),
        after: p(after, step, before.ids),
        probability: p(after, step, after.ids),
      },
    )
  const losses = before.ids.map((id, i) => probabilityOf(before, i, id) - probabilityOf(after, i, id))
  const loss = Math.max(...losses)
  const at = losses.indexOf(loss)
  if (loss < 0.01) return t("No token of it loses as much as one percentage point.")
  return t("The token that lost most is “{piece}”: from {before} to {after}.", {
    piece: shown(before.written[at]),
    before: p(before, at, before.ids),
    after: p(after, at, before.ids),
  })
}
