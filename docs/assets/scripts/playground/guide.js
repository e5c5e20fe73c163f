// A card for each thing to try, from the list on the page: it stays in sight beside the part of the
// page that it speaks of, and sets the page as its first link does.

import { button, element, t } from "../page.js"

/** The card, and the button that brings it; `goTo` leads to an address and returns the part shown. */
export function guideView(goTo) {
  const tasks = [...document.querySelector("#try ~ ol").children]
  const text = element("div", { role: "status" })
  const back = button(t("Back"), () => turn(at - 1))
  const next = button("", () => turn(at + 1))
  const leave = button(t("Close the guide"), () => turn(-1))
  const controls = element("div.controls", back, next, leave)
  const card = element("aside.card", { "aria-label": t("Guide"), hidden: true }, text, controls)
  const title = t("First time here? {count} things to try", { count: tasks.length })
  const begin = button(title, () => turn(0), { className: "begin" })
  let at = 0

  function turn(to) {
    card.hidden = !tasks[to]
    begin.hidden = !card.hidden
    if (card.hidden) return begin.focus()
    at = to
    const { childNodes } = tasks[at].cloneNode(true)
    text.replaceChildren(`${at + 1}/${tasks.length}: `, ...childNodes)
    back.disabled = at === 0
    next.textContent = at === tasks.length - 1 ? t("Finish") : t("Next")
    const part = goTo(tasks[at].querySelector("a").hash)
    part.after(card) // There the Tab key comes to it.
    part.tabIndex = -1
    part.focus({ preventScroll: true })
  }

  card.onkeydown = ({ key }) => {
    if (key === "Escape") turn(-1)
  }
  return { begin, card }
}
