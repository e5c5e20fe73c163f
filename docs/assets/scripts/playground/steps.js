// The translation as it is written: token by token, with the five best candidates of each step.

import { element, t } from "../page.js"
import { has_glosses, in_words, may_mean } from "./glosses.js"
import { bar, choose, per_cent, radios, shown, SPACE, table } from "./parts.js"
import { TEMPERATURE } from "./state.js"

const PACE = 350 // milliseconds a token

export function steps_view(app) {
  const how = radios(t("How the next token is chosen"), "how", [
    ["greedy", t("the most probable")],
    ["beam", t("beam of four")],
    ["sample", t("drawn by chance")],
  ], app.state.how, how => app.change({ how, step: 0 }))
  const degrees = element("input", { type: "range", ...TEMPERATURE, id: "temperature" })
  const degrees_told = element("output", { htmlFor: "temperature" })
  degrees.oninput = () => (degrees_told.textContent = degrees.value)
  degrees.onchange = () => app.change({ temperature: Number(degrees.value) })
  const again = element("button", { type: "button", onclick: () => app.change({ seed: app.state.seed + 1 }) }, t("Draw again"))
  const sampling = element("div", { class: "sampling" },
    element("label", { htmlFor: "temperature" }, t("Temperature")), degrees, degrees_told, again)

  const read = element("ol", { class: "tokens", lang: "en" })
  const read_signs = element("p", { class: "label" })
  const written = element("ol", { class: "tokens", id: "part-written", lang: "zh-TW", onkeydown: walk })
  const first = step_button("|◀", t("First token"), () => go(1))
  const back = step_button("◀", t("One token back"), () => go(app.state.step - 1))
  const play = element("button", { type: "button", onclick: () => (timer ? stop() : start()) })
  const forward = step_button("▶", t("One token forward"), () => go(app.state.step + 1))
  const last = step_button("▶|", t("Last token"), () => go(app.run.ids.length))
  const told = element("p", { class: "told", role: "status" })
  const meanings = has_glosses ? element("p", { class: "label" }, t("Below the characters stands what the word means; in brackets, what it does in the sentence; with “…”, the beginning of a longer word.")) : null
  const candidates = element("div", { class: "candidates" })
  const signs = element("p", { class: "label" })
  let timer = 0
  let revealed = 0 // tokens that stand there already, while the translation appears

  function go(step) {
    stop()
    app.change({ step: Math.min(Math.max(step, 1), app.run.ids.length) })
  }

  /** The arrow keys, Home and End go from token to token. */
  function walk(event) {
    const { step } = app.state
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 1, End: app.run.ids.length }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return // the browser's own
    event.preventDefault()
    go(to)
    written.querySelectorAll("button")[app.state.step - 1].focus()
  }

  function stop() {
    clearInterval(timer)
    timer = 0
    revealed = app.run.ids.length
    play.textContent = t("Play")
  }

  /** Let the translation appear, from its first token on. */
  function start() {
    stop()
    play.textContent = t("Pause")
    revealed = 1
    app.change({ step: 1 })
    timer = setInterval(() => {
      if (revealed === app.run.ids.length) return stop()
      revealed += 1
      app.change({ step: revealed })
    }, PACE)
  }

  function show_step() {
    const { run, state } = app
    const at = state.step - 1
    const piece = shown(run.written[at])
    told.textContent = t("Step {step} of {steps}: after {beginning} comes {piece}.", {
      step: state.step,
      steps: run.ids.length,
      beginning: quoted(run.before.slice(0, state.step).map(shown).join("")),
      piece: quoted(piece),
    })
    const best = run.best[at]
    const rest = 1 - best.reduce((sum, { p }) => sum + p, 0)
    candidates.replaceChildren(table(
      t("The five best candidates"), [t("token"), t("probability")], [
        ...best.map(({ id, piece, p }) => [
          element("span", {},
            element("span", { class: id === run.ids[at] ? "chosen" : "", lang: "zh-TW" }, shown(piece)),
            may_mean(run.written.slice(0, at), piece)),
          share(p),
        ]),
        [t("all others together"), share(Math.max(rest, 0))],
      ]))
    const cut = state.step === run.ids.length && run.written[at] !== "<eos>"
    signs.textContent = [cut && t("Here the translation is cut off: it may have {tokens} tokens at most.", { tokens: run.ids.length }),
      explained([...best.map(({ piece }) => piece), ...run.written].map(shown))].filter(Boolean).join(" ")
    written.querySelectorAll("button").forEach((button, i) => {
      button.style.visibility = i < revealed ? "" : "hidden" // its place is kept
      const gloss = button.parentElement.nextElementSibling
      if (gloss) gloss.style.visibility = button.style.visibility // in the end its last token's
      button.classList.toggle("later", i > at)
      button.setAttribute("aria-pressed", i === at)
    })
    const focused = document.activeElement
    for (const button of [first, back]) button.disabled = at === 0
    for (const button of [forward, last]) button.disabled = at === run.ids.length - 1
    if ([first, back, forward, last].includes(focused) && focused.disabled)
      (at === 0 ? forward : back).focus() // at an end the other way stays
  }

  return {
    node: element("section", { class: "panel", id: "part-steps" },
      how, sampling,
      element("p", { class: "label" }, t("It reads")), read, read_signs,
      element("p", { class: "label" }, t("It writes")), written, meanings,
      element("div", { class: "controls" }, first, back, play, forward, last), told, candidates, signs),
    start,
    stop,
    update(anew) {
      if (anew) stop()
      choose(how, app.state.how)
      sampling.hidden = app.state.how !== "sample"
      degrees.value = app.state.temperature
      degrees_told.textContent = degrees.value
      if (anew) {
        const pieces = app.run.read.map(shown)
        read.replaceChildren(...pieces.map(piece => element("li", {}, element("span", {}, piece))))
        const added = pieces.at(-2) === "." && !/\.\s*$/.test(app.state.s)
        read_signs.textContent = `${added ? t("The full stop was added.") : ""} ${explained(pieces)}`
        written.replaceChildren(...in_words(app.run.written, i =>
          element("button", { type: "button", onclick: () => go(i + 1) }, shown(app.run.written[i]))))
      }
      show_step()
    },
  }
}

function share(p) {
  return element("span", { class: "share" }, bar(p), per_cent(p))
}

function step_button(sign, label, onclick) {
  return element("button", { type: "button", "aria-label": label, onclick }, element("span", { "aria-hidden": "true" }, sign))
}

function quoted(word) {
  return t("“{word}”", { word })
}

/** What signs stand for that are no text. */
function explained(pieces) {
  const bytes = pieces.find(piece => /^<[0-9A-F ]+>$/.test(piece))
  return [
    bytes && t("{bytes}: bytes, in hexadecimal, of what cannot be shown, such as a part of a character.", { bytes }),
    pieces.includes(SPACE) && t("{sign}: a space.", { sign: SPACE }),
  ].filter(Boolean).join(" ")
}
