// A dozen cards that lead a first-time reader through one sentence. A card waits until the reader has
// done what it asks for, and can be passed or left at any time.

import { element, t } from "../page.js"
import { EXAMPLES } from "./sentence.js"
import { read_state } from "./state.js"

const still = matchMedia("(prefers-reduced-motion: reduce)")

/** What each card says, the part of the page it is about, the one to see once it is done, and when it is. */
const cards = () => [
  { about: "part-sentence", see: "part-steps", text: t("This model learned from sentences of one small grammar, and from nothing else. Press “Translate” and watch it write."), done: (now, then) => now.runs > then.runs },
  { about: "part-written", text: t("It writes one token after the other; at each step it reads what it has written so far. Go back with ◀."), done: (now, then, before) => now.step < before.step },
  { about: "part-written", text: t("Step 4 wrote 昨, the first half of “yesterday”. Choose it: below stand its five best candidates, each with its probability."), done: now => now.step === 4 },
  { about: "part-map", text: t("“yesterday” stands last in English and fourth in Chinese. How could step 4 know? Its lines show where it looked, and the thickest one leads to “yesterday”. Choose another word on the right, and see where that one looks."), done: (now, then) => now.row !== then.row },
  { about: "part-attention", text: t("Each layer has several heads, and each looks in its own way. Choose another head among the small pictures."), done: (now, then) => now.head !== then.head },
  { about: "numbers", text: t("Open “The numbers of this row”. The row has a query, each word a key and a value. The better query and key fit, the larger their dot product; divided by √dₖ, hidden or not, these become weights, and the head adds up the values in these shares."), done: now => now.numbers },
  { about: "part-attention", text: t("The encoder reads the source alone. Choose it, and see how its words look at each other."), done: now => now.map === "encoder" },
  { about: "part-what-if", text: t("Now take something out. Choose “Hide words of the source”."), done: now => now.without === "hide" },
  { about: "part-question", see: "part-answer", text: t("First say what you expect. Then press “Show what happens”."), done: now => now.changed },
  { about: "part-steps", see: "part-beams", text: t("Back above, choose “beam of four”: it follows four beginnings at once, and draws them as a tree."), done: now => now.how === "beam" },
  { about: "part-sentence", text: t("Now type a sentence of your own. The page says what the model cannot know."), done: (now, then) => now.s !== then.s },
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

  /** The cards speak of the first sentence and of the trained model as it is at first. */
  function begin_anew() {
    Object.assign(app.state, read_state(""), { s: EXAMPLES.shipped[0] })
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
    about.tabIndex = -1
    about.focus({ preventScroll: true })
    show(about)
    text.textContent = t("{number} of {all}: {text}", { number: at + 1, all: all.length, text: all[at].text })
    back.disabled = at === 0
    done = all[at].done(then, then, then)
    before = then
    notice()
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
  begin_anew()
}
