// The translation as it is written: token by token, with the five best candidates of each step.

import { button, element, t } from "../page.js"
import { groupedByWord, hasGlosses, possibleMeaning } from "./glosses.js"
import { choose, percent, press, quoted, radios, SPACE, shown, styled, table } from "./parts.js"
import { TEMPERATURE } from "./state.js"

const PACE = 350 // milliseconds a token

export function stepsView(app) {
  const ways = {
    greedy: t("the most probable"),
    beam: t("beam of four"),
    sample: t("drawn by chance"),
  }
  const changeWay = how => app.change({ how, step: 0 })
  const way = radios(t("How the next token is chosen"), "how", ways, changeWay)
  const degrees = element("input#temperature", { type: "range", ...TEMPERATURE })
  const degreesShown = element("output", { htmlFor: "temperature" })
  degrees.oninput = () => (degreesShown.textContent = degrees.value)
  degrees.onchange = () => app.change({ temperature: Number(degrees.value) })
  const again = button(t("Draw again"), () => app.change({ seed: app.state.seed + 1 }))
  const label = element("label", { htmlFor: "temperature" }, t("Temperature"))
  const sampling = element("div.sampling", label, degrees, degreesShown, again)

  const read = element("ol.tokens", { lang: "en" })
  const readNotes = element("p.label")
  const written = element("ol#part-written.tokens", { lang: "zh-TW" })
  const back = stepButton("◀", t("One token back"), () => go(app.state.step - 1))
  const play = button("", () => (timer ? stop() : start()))
  const forward = stepButton("▶", t("One token forward"), () => go(app.state.step + 1))
  const readout = element("p.readout", { role: "status" })
  const meanings = t(
    "Below the characters stands what the word means; in brackets, what it does in the sentence; " +
      "with “…”, the beginning of a longer word.",
  )
  const candidates = element("div.candidates")
  const signs = element("p.label")
  let timer = 0

  function go(step) {
    stop()
    app.change({ step })
  }

  function stop() {
    clearInterval(timer)
    timer = 0
    written.classList.remove("playing")
    play.textContent = t("Play")
  }

  /** Let the translation appear, from its first token on. */
  function start() {
    stop()
    play.textContent = t("Pause")
    written.classList.add("playing")
    app.change({ step: 1 })
    timer = setInterval(() => {
      if (app.state.step === app.run.ids.length) stop()
      else app.change({ step: app.state.step + 1 })
    }, PACE)
  }

  function showStep() {
    const { run, state } = app
    const at = state.step - 1
    readout.textContent = t("Step {step} of {steps}: after {beginning} comes {piece}.", {
      step: state.step,
      steps: run.ids.length,
      beginning: quoted(run.before.slice(0, state.step).map(shown).join("")),
      piece: quoted(shown(run.written[at])),
    })
    showCandidates(at)
    const tokens = written.querySelectorAll("button")
    for (const [i, token] of tokens.entries()) token.classList.toggle("later", i > at)
    press(tokens, at)
    const focused = document.activeElement
    back.disabled = at === 0
    forward.disabled = at === run.ids.length - 1
    if (focused === back && back.disabled) forward.focus() // At an end the other way stays.
    if (focused === forward && forward.disabled) back.focus()
  }

  function showCandidates(at) {
    const { run } = app
    const best = run.best[at]
    const rows = best.map(({ id, piece, p }) => {
      const kind = id === run.ids[at] ? "span.chosen" : "span"
      const token = element(kind, { lang: "zh-TW" }, shown(piece))
      const meaning = possibleMeaning(run.written.slice(0, at), piece)
      return [element("span", token, meaning), share(p)]
    })
    const rest = 1 - best.reduce((sum, { p }) => sum + p, 0)
    rows.push([t("all others together"), share(Math.max(rest, 0))])
    const titles = [t("token"), t("probability")]
    candidates.replaceChildren(table(t("The five best candidates"), titles, rows))
    const tokens = run.ids.length
    const isCut = at === tokens - 1 && run.written[at] !== "<eos>"
    const cut = t("Here the translation is cut off: it may have {tokens} tokens at most.", { tokens })
    const pieces = [...best.map(({ piece }) => piece), ...run.written].map(shown)
    signs.textContent = [isCut && cut, explained(pieces)].filter(Boolean).join(" ")
  }

  function showSentences() {
    const { run, state } = app
    const pieces = run.read.map(shown)
    read.replaceChildren(...pieces.map(piece => element("li", element("span", piece))))
    const isAdded = pieces.at(-2) === "." && !/\.\s*$/.test(state.s)
    readNotes.textContent = `${isAdded ? t("The full stop was added.") : ""} ${explained(pieces)}`
    const token = i => button(shown(run.written[i]), () => go(i + 1))
    written.replaceChildren(...groupedByWord(run.written, token))
  }

  const node = element(
    "section#part-steps.panel",
    way,
    sampling,
    element("p.label", t("It reads")),
    read,
    readNotes,
    element("p.label", t("It writes")),
    written,
    hasGlosses ? element("p.label", meanings) : null,
    element("div.controls", back, play, forward),
    readout,
    candidates,
    signs,
  )
  return {
    node,
    start,
    update(anew) {
      if (anew) stop()
      choose(way, app.state.how)
      sampling.hidden = app.state.how !== "sample"
      degrees.value = degreesShown.textContent = app.state.temperature
      if (anew) showSentences()
      showStep()
    },
  }
}

function share(p) {
  return element("span.share", styled(element("span.bar"), "--share", p), percent(p))
}

function stepButton(sign, label, onclick) {
  return button(element("span", { "aria-hidden": "true" }, sign), onclick, { "aria-label": label })
}

/** What signs stand for that are no text. */
function explained(pieces) {
  const bytes = pieces.find(piece => /^<[0-9A-F ]+>$/.test(piece))
  const parts = [
    bytes &&
      t("{bytes}: bytes, in hexadecimal, of what cannot be shown, such as a part of a character.", {
        bytes,
      }),
    pieces.includes(SPACE) && t("{sign}: a space.", { sign: SPACE }),
  ]
  return parts.filter(Boolean).join(" ")
}
