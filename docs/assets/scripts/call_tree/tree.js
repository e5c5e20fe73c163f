// A recorded call tree on a page, nested <details>: its calls, and the one that a reader is at.

/** The calls in their order, which of them are seen, and a current one. */
export class Tree {
  constructor(list) {
    this.list = list
    this.calls = []
    this.byItem = new Map()
    for (const item of list.querySelectorAll("li")) {
      const call = read(item, this.callAt(item.parentElement))
      this.byItem.set(item, call)
      this.calls.push(call)
      for (const stop of stops(item)) stop.tabIndex = -1
    }
    this.current = this.calls[0]
    this.current.handle.tabIndex = 0
    this.onmove = () => {}
  }

  /** The call on whose line an element stands; none outside of the tree. */
  callAt(element) {
    return this.byItem.get(element.closest("li"))
  }

  isSeen(call) {
    const isOpen = !call.parent || (call.parent.details.open && this.isSeen(call.parent))
    return isOpen && !call.item.hidden
  }

  get seen() {
    return this.calls.filter(call => this.isSeen(call))
  }

  /** Make a call the current one: the only one that Tab comes to. */
  moveTo(call) {
    this.current.handle.tabIndex = -1
    this.current.item.classList.remove("current")
    this.current = call
    call.handle.tabIndex = 0
    call.item.classList.add("current")
    this.onmove(call)
  }

  /** After lines have gone: if the current call went with them, move to the one around it. */
  settle() {
    let call = this.current
    while (call && !this.isSeen(call)) call = call.parent
    if (call && call !== this.current) this.moveTo(call)
  }

  /** Show the calls down to a level; the outermost is on level 1. */
  unfoldTo(level) {
    for (const call of this.calls) if (call.details) call.details.open = call.level < level
    this.settle()
  }

  /** Open all that is around a call. */
  reveal(call) {
    for (let outer = call.parent; outer; outer = outer.parent) outer.details.open = true
  }
}

function read(item, parent) {
  const parts = [...item.childNodes].filter(node => node.nodeName !== "DETAILS")
  const text = parts.map(node => node.textContent).join("")
  const count = Number(/ ×(\d+)/.exec(text)?.[1] ?? 1)
  return {
    item,
    parent,
    text,
    nodes: parts.map(node => node.firstChild ?? node),
    details: item.querySelector(":scope > details"),
    handle: stops(item)[0],
    level: parent ? parent.level + 1 : 1,
    times: count * (parent?.times ?? 1), // as often as all around it ran
  }
}

/** What the keyboard can come to on a line: a name that leads somewhere, and what folds. */
function stops(item) {
  return item.querySelectorAll(":scope > a, :scope > details > summary")
}
