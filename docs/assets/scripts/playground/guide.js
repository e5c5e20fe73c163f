// A dozen cards that lead a first-time reader through one sentence. A card waits until the reader has
// done what it asks for, and can be passed or left at any time. It finds the page as it needs it,
// whatever was passed.

import { element, t } from "../page.js"
import { EXAMPLES } from "./sentence.js"
import { read_state } from "./state.js"

const still = matchMedia("(prefers-reduced-motion: reduce)")

const FIRST = { ...read_state(""), s: EXAMPLES.shipped[0] }
const HIDDEN = [6] // yesterday
/** Of this one the most probable tokens make a repetition. */
const FOR_BEAMS = { ...FIRST, s: "That driver is very angry. The student drinks hot tea every day but those boys do not drink bubble tea." }

/**
 * What each card says, the part of the page it is about, the one to see once it is done, and when it
 * is; `from`: the state that it begins with.
 */
const cards = () => [
  { about: "part-sentence", see: "part-steps", from: FIRST, text: t("This model learned from sentences of one small grammar, and from nothing else. Press “Translate” and watch it write."), done: (now, then) => now.runs > then.runs },
  { about: "part-written", text: t("It writes one token after the other; at each step it reads what it has written so far. Go back with ◀."), done: (now, then, before) => now.step < before.step },
  { about: "part-written", text: t("Step 4 wrote 昨, the first half of “yesterday”. Choose it: the table shows its five best candidates, each with its probability."), done: now => now.step === 4 },
  { about: "part-map", from: { ...FIRST, step: 4 }, text: t("“yesterday” stands last in English and fourth in Chinese. How could step 4 know? Its lines show where it looked, and the thickest one leads to “yesterday”. Choose another token on the right. (天 looks at “(end)”: after 昨 nothing else can come, and it needs no word.)"), done: (now, then) => now.row !== then.row },
  { about: "part-attention", see: "part-map", text: t("Each layer has several heads, and each looks in its own way. Choose another head among the small pictures."), done: (now, then) => now.head !== then.head },
  { about: "numbers", text: t("Open “The numbers of this row”. The step has a query, and each word a key. The better the two fit, the larger their dot product. Divided by √dₖ and put through the softmax, the products become weights: how much of each word’s value the head takes."), done: now => now.numbers },
  { about: "part-attention", see: "part-map", from: { ...FIRST, step: 4, head: 3, word: 3 }, text: t("The encoder reads the source alone, and its words look at each other. Choose it: in this head “ate” looks at “yesterday” most."), done: now => now.map === "encoder" },
  { about: "part-what-if", text: t("Now take something out. Choose “Hide words of the source”."), done: now => now.without === "hide" },
  { about: "part-what-if", see: "part-answer", from: state => ({ ...FIRST, step: 4, hide: state.s === FIRST.s && state.hide.length ? state.hide : HIDDEN }), text: t("The words struck out are hidden. First say what you expect. Then press “Show what happens”."), done: now => now.changed },
  { about: "part-steps", see: "part-written", from: FOR_BEAMS, text: t("Another sentence: the most probable token at every step leads into a repetition. Choose “beam of four”, which follows four beginnings at once and draws them as a tree. Does it get past it?"), done: now => now.how === "beam" },
  { about: "part-sentence", see: "part-written", from: { ...FIRST, step: 4 }, text: t("The beam of four got past it. Now type a sentence of your own. The page says what the model cannot know."), done: (now, then) => now.s !== then.s },
  { about: "part-sentence", see: "part-formulas", text: t("Last, choose the hand-made model: each of its numbers has a reason, and you may change any of them."), done: now => now.model === "hand-made" && now.formulas },
]

/** Lead the reader of `app` from card to card; `begin` is the button that asked for it. */
export function lead(app, begin, card) {
  const all = cards()
  const text = element("p", { role: "status" })
  const back = element("button", { type: "button", onclick: () => turn(at - 1) }, t("Back"))
  const next = element("button", { type: "button", onclick: () => turn(at + 1) })
  const leave = element("button", { type: "button", onclick: () => turn(-1) }, t("Close the guide"))
  let at = -1
  let done = false
  let then = null // when the card came
  let before = null // the last change
  let runs = 0
  let last_run = null

  function now() {
    const { s, model, how, map, hide, step, layer, head, word } = app.state
    return {
      runs, s, model, how, map, step, without: hide.length ? "hide" : "",
      head: `${map} ${layer} ${head}`, row: map === "encoder" ? word : step,
      numbers: document.getElementById("numbers").open, changed: app.changed_run !== null,
      formulas: document.getElementById("part-formulas").hasChildNodes(),
    }
  }

  function turn(to) {
    document.querySelector(".guided")?.classList.remove("guided")
    card.hidden = !all[to]
    begin.hidden = !card.hidden
    if (card.hidden) return close(to === all.length)
    at = -1 // what changes now is no act of the reader
    const { from } = all[to]
    if (from) {
      Object.assign(app.state, from instanceof Function ? from(app.state) : from)
      app.run_anew(false)
      document.getElementById("sentence").value = app.state.s // whatever had been begun to type
    }
    at = to
    then = now()
    const about = document.getElementById(all[at].about)
    about.classList.add("guided")
    focus(about)
    show(about)
    text.textContent = t("{number} of {all}: {text}", { number: at + 1, all: all.length, text: all[at].text })
    back.disabled = at === 0
    done = all[at].done(then, then, then)
    before = then
    notice()
  }

  /** Leave the reader where the last card was, or after all of them at what else there is to try. */
  function close(finished) {
    const { about, see } = all[at]
    at = -1
    const more = finished && document.getElementById("try")
    if (more) more.scrollIntoView()
    focus(more || document.getElementById((done && see) || about))
  }

  function focus(part) {
    part.tabIndex = -1
    part.focus({ preventScroll: true })
  }

  /** Bring a part under the page's header, and the card behind it: there the Tab key comes to it. */
  function show(part) {
    part.closest(".panel").after(card)
    part.scrollIntoView({ block: "start", behavior: still.matches ? "auto" : "smooth" })
  }

  /** Something changed on the page: perhaps what the card waits for. */
  function notice() {
    if (app.run !== last_run) runs += 1
    last_run = app.run
    if (at < 0) return
    const { done: is_done, see } = all[at]
    const is = now()
    if (!done && is_done(is, then, before)) {
      done = true
      if (see) show(document.getElementById(see))
    }
    before = is
    card.classList.toggle("done", done)
    next.textContent = done ? t("Done: next") : t("Skip")
    if (at === all.length - 1) next.textContent = t("Finish")
  }

  card.replaceChildren(text, element("div", { class: "controls" }, back, next, leave))
  card.parentElement.onkeydown = ({ key }) => {
    if (key === "Escape" && at >= 0) turn(-1)
  }
  app.notice = notice
  turn(0)
}
