// A dozen cards that lead a first-time reader through one sentence. A card waits until the reader has
// done what it asks for, and can be passed or left at any time. It sets the page up as it needs it,
// whatever was passed.

import { button, element, t } from "../page.js"
import { EXAMPLES } from "./sentence.js"
import { readState } from "./state.js"

const still = matchMedia("(prefers-reduced-motion: reduce)")

const FIRST = { ...readState(""), s: EXAMPLES.shipped[0] }
const AT_YESTERDAY = { ...FIRST, step: 4 }
const YESTERDAY = [6]
/** Of this one the most probable tokens make a repetition. */
const FOR_BEAMS =
  "That driver is very angry. The student drinks hot tea every day but those boys do not drink " +
  "bubble tea."

function withSomethingHidden({ s, hide }) {
  return { ...AT_YESTERDAY, hide: s === FIRST.s && hide.length ? hide : YESTERDAY }
}

/**
 * What each card says; the part of the page it is about, and the one to see once it is done; the state
 * that it begins with; and when it is done, from what is so now, when the card came and just before.
 */
const CARDS = [
  {
    text: t(
      "This model learned from sentences of one small grammar, and from nothing else. Press " +
        "“Translate” and watch it write.",
    ),
    about: "part-sentence",
    see: "part-steps",
    from: FIRST,
    isDone: (now, then) => now.runs > then.runs,
  },
  {
    text: t(
      "It writes one token after the other; at each step it reads what it has written so far. Go " +
        "back with ◀.",
    ),
    about: "part-written",
    isDone: (now, _, before) => now.step < before.step,
  },
  {
    text: t(
      "Step 4 wrote 昨, the first half of “yesterday”. Choose it: the table shows its five best " +
        "candidates, each with its probability.",
    ),
    about: "part-written",
    isDone: now => now.step === 4,
  },
  {
    text: t(
      "“yesterday” stands last in English and fourth in Chinese. How could step 4 know? Its " +
        "lines show where it looked, and the thickest one leads to “yesterday”. Choose another " +
        "token on the right. (天 looks at “(end)”: after 昨 nothing else can come, and it needs " +
        "no word.)",
    ),
    about: "part-map",
    from: AT_YESTERDAY,
    isDone: (now, then) => now.row !== then.row,
  },
  {
    text: t(
      "Each layer has several heads, and each looks in its own way. Choose another head among " +
        "the small pictures.",
    ),
    about: "part-attention",
    see: "part-map",
    isDone: (now, then) => now.head !== then.head,
  },
  {
    text: t(
      "Open “The numbers of this row”. The step has a query, and each word a key. The better the " +
        "two fit, the larger their dot product. Divided by √dₖ and put through the softmax, the " +
        "products become weights: how much of each word’s value the head takes.",
    ),
    about: "numbers",
    isDone: now => now.numbers,
  },
  {
    text: t(
      "The encoder reads the source alone, and its words look at each other. Choose it: in this " +
        "head “ate” looks at “yesterday” most.",
    ),
    about: "part-attention",
    see: "part-map",
    from: { ...AT_YESTERDAY, head: 3, word: 3 },
    isDone: now => now.map === "encoder",
  },
  {
    text: t("Now take something out. Choose “Hide words of the source”."),
    about: "part-what-if",
    isDone: now => now.hide.length > 0,
  },
  {
    text: t(
      "The words struck out are hidden. First say what you expect. Then press “Show what " +
        "happens”.",
    ),
    about: "part-what-if",
    see: "part-answer",
    from: withSomethingHidden,
    isDone: now => now.isChanged,
  },
  {
    text: t(
      "Another sentence: the most probable token at every step leads into a repetition. Choose " +
        "“beam of four”, which follows four beginnings at once and draws them as a tree. Does it " +
        "get past it?",
    ),
    about: "part-steps",
    see: "part-written",
    from: { ...FIRST, s: FOR_BEAMS },
    isDone: now => now.how === "beam",
  },
  {
    text: t(
      "The beam of four got past it. Now type a sentence of your own. The page says what the " +
        "model cannot know.",
    ),
    about: "part-sentence",
    see: "part-written",
    from: AT_YESTERDAY,
    isDone: (now, then) => now.s !== then.s,
  },
  {
    text: t(
      "Last, choose the hand-made model: each of its numbers has a reason, and you may change " +
        "any of them.",
    ),
    about: "part-sentence",
    see: "part-formulas",
    isDone: now => now.model === "hand-made" && now.formulas,
  },
]

/** Lead the reader of `app` from card to card; `begin` is the button that asked for it. */
export function lead(app, begin, card) {
  const text = element("p", { role: "status" })
  const back = button(t("Back"), () => turn(at - 1))
  const next = button("", () => turn(at + 1))
  const leave = button(t("Close the guide"), () => turn(-1))
  let at = -1
  let isDone = false
  let then = null // How it was when the card came.
  let before = null // How it was at the last change.
  let runs = 0
  let lastRun = null

  function now() {
    const { map, layer, head, word, step } = app.state
    return {
      ...app.state,
      runs,
      head: `${map} ${layer} ${head}`,
      row: map === "encoder" ? word : step,
      numbers: document.getElementById("numbers").open,
      isChanged: app.changedRun !== null,
      formulas: document.getElementById("part-formulas").hasChildNodes(),
    }
  }

  function turn(to) {
    document.querySelector(".guided")?.classList.remove("guided")
    card.hidden = !CARDS[to]
    begin.hidden = !card.hidden
    if (card.hidden) return close(to === CARDS.length)
    at = -1 // What changes now was not done by the reader.
    const { from, about } = CARDS[to]
    if (from) {
      Object.assign(app.state, from instanceof Function ? from(app.state) : from)
      app.rerun(false)
      document.getElementById("sentence").value = app.state.s // Something else may be typed there.
    }
    at = to
    then = before = now()
    const part = document.getElementById(about)
    part.classList.add("guided")
    focus(part)
    show(part)
    const values = { number: at + 1, all: CARDS.length, text: CARDS[at].text }
    text.textContent = t("{number} of {all}: {text}", values)
    back.disabled = at === 0
    isDone = CARDS[at].isDone(then, then, then)
    notice()
  }

  /** Leave the reader at the last card's part; after all of them at what else there is to try. */
  function close(isFinished) {
    const { about, see } = CARDS[at]
    at = -1
    const more = isFinished && document.getElementById("try")
    if (more) more.scrollIntoView()
    focus(more || document.getElementById((isDone && see) || about))
  }

  function focus(part) {
    part.tabIndex = -1
    part.focus({ preventScroll: true })
  }

  /** Scroll to a part, and put the card behind its panel: there the Tab key comes to it. */
  function show(part) {
    part.closest(".panel").after(card)
    part.scrollIntoView({ block: "start", behavior: still.matches ? "auto" : "smooth" })
  }

  /** Something changed on the page: perhaps what the card waits for. */
  function notice() {
    if (app.run !== lastRun) runs += 1
    lastRun = app.run
    if (at < 0) return
    const { isDone: nowDone, see } = CARDS[at]
    const current = now()
    if (!isDone && nowDone(current, then, before)) {
      isDone = true
      if (see) show(document.getElementById(see))
    }
    before = current
    card.classList.toggle("done", isDone)
    next.textContent = isDone ? t("Done: next") : t("Skip")
    if (at === CARDS.length - 1) next.textContent = t("Finish")
  }

  card.replaceChildren(text, element("div.controls", back, next, leave))
  card.parentElement.onkeydown = ({ key }) => {
    if (key === "Escape" && at >= 0) turn(-1)
  }
  app.notice = notice
  turn(0)
}
