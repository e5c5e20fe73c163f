// The drawing above a tree: the part that a call belongs to is lit, and a part leads to its call.

import { button, element, t } from "../page.js"

const MARGIN = { x: 16, y: 4 } // for what stands on the edge of a part

/** The page's drawing, for a tree whose calls have places in it. */
export class Drawing {
  constructor(tree, original, clearFilter) {
    this.tree = tree
    this.clearFilter = clearFilter
    this.places = tree.calls.filter(call => call.item.dataset.name)
    this.chosen = null // the call that is lit while none is pointed at
    const copy = copyOf(original)
    this.parts = [...copy.querySelectorAll("[data-part]")]
    this.name = element("p", { "aria-live": "polite" })
    this.line = element("p.line")
    const walkButton = (name, sign, step) => button(sign, () => this.walk(step), { "aria-label": name })
    const back = walkButton(t("Previous part"), "‹", -1)
    const forward = walkButton(t("Next part"), "›", 1)
    this.element = element("div.drawing", copy, this.name, back, forward, this.line)
    this.light(this.chosen)
    tree.onmove = call => this.light((this.chosen = call))
    const callAt = target => this.callOf(target.closest("[data-part]"))
    this.followPointer(tree.list, target => tree.callAt(target))
    this.followPointer(copy, callAt)
    copy.addEventListener("click", event => this.open(callAt(event.target)))
  }

  /** Light what is pointed at; what scrolls by under a pointer at rest makes no "pointermove". */
  followPointer(place, callAt) {
    place.addEventListener("pointermove", event => this.light(callAt(event.target) ?? this.chosen))
    place.addEventListener("pointerleave", () => this.light(this.chosen))
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

/** A copy of a drawing, cut to its parts. The keyboard has the buttons and the tree instead. */
function copyOf(drawing) {
  const boxes = Array.from(drawing.querySelectorAll("[data-part]"), part => part.getBBox())
  const left = Math.min(...boxes.map(box => box.x)) - MARGIN.x
  const top = Math.min(...boxes.map(box => box.y)) - MARGIN.y
  const right = Math.max(...boxes.map(box => box.x + box.width)) + MARGIN.x
  const bottom = Math.max(...boxes.map(box => box.y + box.height)) + MARGIN.y
  const copy = drawing.cloneNode(true)
  for (const name of ["width", "height"]) copy.removeAttribute(name)
  for (const definitions of copy.querySelectorAll("defs")) definitions.remove() // one copy will do
  copy.setAttribute("viewBox", [left, top, right - left, bottom - top].join(" "))
  copy.setAttribute("preserveAspectRatio", "xMinYMin") // what was cut off stays out of sight
  copy.setAttribute("aria-hidden", "true")
  return copy
}
