// The translation as it is written: token by token, with the five best candidates of each step.

import { element, t } from "../page.js"
import { bar, choose, per_cent, radios, shown, table } from "./parts.js"
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
  const written = element("ol", { class: "tokens", id: "part-written", lang: "zh-TW" })
  const first = step_button("|◀", t("First token"), () => go(1))
  const back = step_button("◀", t("One token back"), () => go(app.state.step - 1))
  const play = element("button", { type: "button", onclick: () => (timer ? stop() : start()) })
  const forward = step_button("▶", t("One token forward"), () => go(app.state.step + 1))
  const last = step_button("▶|", t("Last token"), () => go(app.run.ids.length))
  const told = element("p", { class: "told", role: "status" })
  const candidates = element("div", { class: "candidates" })
  let timer = 0
  let revealed = 0 // tokens that stand there already, while the translation appears

  function go(step) {
    stop()
    app.change({ step: Math.min(Math.max(step, 1), app.run.ids.length) })
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
    candidates.replaceChildren(table(
      t("The five best candidates"), [t("token"), t("probability")],
      run.best[at].map(({ id, piece, p }) => [
        element("span", { class: id === run.ids[at] ? "chosen" : "", lang: "zh-TW" }, shown(piece)),
        element("span", { class: "share" }, bar(p), per_cent(p)),
      ])))
    written.querySelectorAll("button").forEach((button, i) => {
      button.parentElement.style.visibility = i < revealed ? "" : "hidden" // its place is kept
      button.classList.toggle("later", i > at)
      button.setAttribute("aria-pressed", i === at)
    })
    const focused = document.activeElement
    for (const button of [first, back]) button.disabled = at === 0
    for (const button of [forward, last]) button.disabled = at === run.ids.length - 1
    if (focused.disabled) (at === 0 ? forward : back).focus() // at an end the other way stays
  }

  return {
    node: element("section", { class: "panel", id: "part-steps" },
      how, sampling,
      element("p", { class: "label" }, t("It reads")), read,
      element("p", { class: "label" }, t("It writes")), written,
      element("div", { class: "controls" }, first, back, play, forward, last), told, candidates),
    start,
    stop,
    update(anew) {
      if (anew) stop()
      choose(how, app.state.how)
      sampling.hidden = app.state.how !== "sample"
      degrees.value = app.state.temperature
      degrees_told.textContent = degrees.value
      if (anew) {
        read.replaceChildren(...app.run.read.map(piece => element("li", {}, element("span", {}, shown(piece)))))
        written.replaceChildren(...app.run.written.map((piece, i) =>
          element("li", {}, element("button", { type: "button", onclick: () => go(i + 1) }, shown(piece)))))
      }
      show_step()
    },
  }
}

function step_button(sign, label, onclick) {
  return element("button", { type: "button", "aria-label": label, onclick }, element("span", { "aria-hidden": "true" }, sign))
}

function quoted(word) {
  return t("“{word}”", { word })
}
