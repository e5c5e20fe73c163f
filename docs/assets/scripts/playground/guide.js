// A dozen cards that lead a first-time reader through one sentence. A card waits until the reader has
// done what it asks for, and can be passed or left at any time.

import { element, t } from "../page.js"
import { top } from "./decoding.js"
import { EXAMPLES } from "./sentence.js"

const still = matchMedia("(prefers-reduced-motion: reduce)")

/** What each card says, the part of the page it is about, and when it is done. */
const cards = () => [
  { about: "part-sentence", text: t("This model learned from sentences of one small grammar, and from nothing else. Press “Translate” and watch it write."), done: (now, then) => now.runs > then.runs },
  { about: "part-steps", text: t("It writes one token after the other. Go to its end, then back with ◀."), done: (now, then) => now.step < now.length && then.step !== now.step },
  { about: "part-steps", text: t("Below stand the five best candidates of a step. Find the step of which the model is least sure."), done: now => now.step === now.least_sure },
  { about: "part-attention", text: t("How did it know? Each head looks at some words. Choose another head among the small pictures."), done: (now, then) => now.head !== then.head },
  { about: "part-attention", text: t("Point at a word in the right column, or reach it with the Tab key: its lines light up. Choose one."), done: (now, then) => now.row !== then.row },
  { about: "part-attention", text: t("The bridge joins the two languages. “yesterday” stands last in English and early in Chinese: find the step that looks at it."), done: now => now.looks_last },
  { about: "numbers", text: t("Open “The numbers of this row”: dot products, divided by √dₖ, hidden or not, made into weights."), done: now => now.numbers },
  { about: "part-attention", text: t("The encoder reads the source alone. Choose it, and see how its words look at each other."), done: now => now.map === "encoder" },
  { about: "part-what-if", text: t("Now take something out. Choose “Hide words of the source”."), done: now => now.without === "hide" },
  { about: "part-what-if", text: t("First say what you expect. Then press “Show what happens”."), done: now => now.changed },
  { about: "part-steps", text: t("Back above, choose “beam of four”: it follows four beginnings at once, and draws them as a tree."), done: now => now.how === "beam" },
  { about: "part-sentence", text: t("Last, type a sentence of your own. The page says what the model cannot know."), done: (now, then) => now.s !== then.s },
]

/** Lead the reader of `app` from card to card; `begin` is the button that asked for it. */
export function lead(app, begin, card) {
  const all = cards()
  const text = element("p", { role: "status" })
  const back = element("button", { type: "button", onclick: () => turn(at - 1) }, t("Back"))
  const next = element("button", { type: "button", onclick: () => turn(at + 1) })
  const leave = element("button", { type: "button", onclick: () => turn(-1) }, t("Leave"))
  let at = -1
  let then = null
  let runs = 0
  let last_run = null

  function now() {
    const { run, state } = app
    const { ids, best } = run
    return {
      runs, s: state.s, how: state.how, map: state.map, without: state.hide.length ? "hide" : state.without || state.mute,
      step: state.step, length: ids.length, least_sure: least_sure(best) + 1,
      head: `${state.map} ${state.layer} ${state.head}`, row: `${state.map === "encoder" ? state.word : state.step}`,
      looks_last: state.map === "bridge" && run.read[looked_at(run, state.step - 1)]?.trim() === "yesterday",
      numbers: document.getElementById("numbers").open, changed: app.changed_run !== null,
    }
  }

  /** The cards speak of the first sentence and of the trained model as it is. */
  function begin_anew() {
    Object.assign(app.state, app.nothing_taken_out, { model: "shipped", s: EXAMPLES.shipped[0], how: "greedy", map: "bridge" })
    app.run_anew(false)
    turn(0)
  }

  function turn(to) {
    document.querySelector(".guided")?.classList.remove("guided")
    at = to < all.length ? to : -1
    card.hidden = at < 0
    begin.hidden = at >= 0
    if (at < 0) return begin.focus()
    then = now()
    const about = document.getElementById(all[at].about)
    about.classList.add("guided")
    about.closest(".panel").after(card) // the next stop of the Tab key behind what it speaks of
    about.tabIndex = -1
    about.focus({ preventScroll: true })
    about.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" })
    text.textContent = t("{number} of {all}: {text}", { number: at + 1, all: all.length, text: all[at].text })
    back.disabled = at === 0
    notice()
  }

  /** The word that the last bridge's heads look at most, taken together. */
  function looked_at(run, step) {
    const heads = Object.entries(run.records).findLast(([name]) => name.endsWith("cross_attention"))[1]
    const [most] = top(run.read.map((_, j) => heads.reduce((sum, { weights }) => sum + weights.row(step)[j], 0)), 1)
    return most
  }

  function least_sure(best) {
    const p = best.map(([{ p }]) => p)
    return p.indexOf(Math.min(...p))
  }

  /** Something changed on the page: perhaps what the card waits for. */
  function notice() {
    if (app.run !== last_run) runs += 1
    last_run = app.run
    if (at < 0) return
    const done = all[at].done(now(), then)
    card.classList.toggle("done", done)
    next.textContent = done ? t("Done: next") : t("Pass")
    if (at === all.length - 1) next.textContent = t("Finish")
  }

  card.replaceChildren(text, element("div", { class: "controls" }, back, next, leave))
  app.notice = notice
  begin_anew()
}
