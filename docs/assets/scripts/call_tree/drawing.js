// The drawing above a tree: the part that a call belongs to is lit, and a part leads to its call.

import { button, element, t } from "../page.js"
import { copyOf } from "./copy.js"

/** The page's drawing, for a tree whose calls have places in it. */
export class Drawing {
  constructor(tree, original, clearFilter) {
    this.tree = tree
    this.clearFilter = clearFilter
    this.places = tree.calls.filter(call => call.item.dataset.name)
    this.chosen = null // the call that is lit while none is pointed at
    const copy = copyOf(original, t("Parts of the model"))
    this.parts = [...copy.querySelectorAll("[data-part]")]
    for (const part of this.parts)
      part.setAttribute("aria-label", this.callOf(part).item.dataset.name)
    this.name = element("p", { "aria-live": "polite" })
    this.line = element("p.line")
    const inside = [copy, this.name, ...this.buttons(), this.line]
    this.element = element("div.drawing", ...inside)
    this.light(this.chosen)
    this.followTree()
    this.followCopy(copy)
  }

  buttons() {
    const walkButton = (name, sign, step) =>
      button(sign, () => this.walk(step), { "aria-label": name })
    return [walkButton(t("Previous part"), "‹", -1), walkButton(t("Next part"), "›", 1)]
  }

  followTree() {
    const { list } = this.tree
    this.tree.onmove = call => this.light((this.chosen = call))
    // What scrolls by under a pointer at rest is not pointed at: that makes no "pointermove".
    list.addEventListener("pointermove", event =>
      this.light(this.tree.callAt(event.target) ?? this.chosen),
    )
    list.addEventListener("pointerleave", () => this.light(this.chosen))
  }

  followCopy(copy) {
    const callAt = target => this.callOf(target.closest("[data-part]"))
    for (const sign of ["pointermove", "focusin"])
      copy.addEventListener(sign, event => this.light(callAt(event.target) ?? this.chosen))
    for (const sign of ["pointerleave", "focusout"])
      copy.addEventListener(sign, () => this.light(this.chosen))
    copy.addEventListener("click", event => this.open(callAt(event.target)))
    copy.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      this.open(callAt(event.target))
    })
  }

  callOf(part) {
    return this.places.find(call => part && call.item.dataset.box === part.dataset.part)
  }

  placeOf(call) {
    return this.tree.callAt(call.item.closest("[data-name]"))
  }

  /** Light the box of a call; one that has none lights those of all calls inside it. */
  light(call) {
    const place = call && this.placeOf(call).item
    const items = place ? [place, ...place.querySelectorAll("[data-box]")] : []
    const boxes = items.map(item => item.dataset.box)
    for (const part of this.parts) part.classList.toggle("lit", boxes.includes(part.dataset.part))
    const name = place ? place.dataset.name : t("Choose a call, or a part of the drawing.")
    if (this.name.textContent !== name) this.name.textContent = name // said aloud each time
    this.line.textContent = call ? call.text.replace(/^[①-⑥] /, "") : "" // the name has it
  }

  /** Go to the call of a part. */
  open(call) {
    if (!call) return
    this.show(call)
    call.handle.focus({ preventScroll: true })
  }

  /** Show the call of the part before or after, and leave the keyboard where it is. */
  walk(step) {
    const here = this.chosen ? this.places.indexOf(this.placeOf(this.chosen)) + step : 0
    if (!this.places[here]) return
    this.show(this.places[here])
    this.tree.moveTo(this.places[here])
  }

  show(call) {
    if (call.item.closest("[hidden]")) this.clearFilter()
    this.tree.reveal(call)
    call.handle.scrollIntoView({ block: "nearest" })
    this.tree.list.scrollLeft = 0
  }
}
