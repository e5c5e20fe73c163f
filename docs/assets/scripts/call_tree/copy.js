// A copy of a drawing, cut to its parts; each of them is a button.

const MARGIN = { x: 16, y: 4 } // for what stands on the edge of a part
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** The copy; Tab comes to one of its parts (elements with data-part), arrow keys to the others. */
export function copyOf(drawing, label) {
  const copy = drawing.cloneNode(true)
  for (const name of ["width", "height"]) copy.removeAttribute(name)
  for (const definitions of copy.querySelectorAll("defs")) definitions.remove() // one copy will do
  for (const text of copy.querySelectorAll("text")) text.setAttribute("aria-hidden", "true")
  copy.setAttribute("viewBox", around(drawing.querySelectorAll("[data-part]")))
  copy.setAttribute("preserveAspectRatio", "xMinYMin") // what was cut off stays out of sight
  copy.setAttribute("role", "group")
  copy.setAttribute("aria-label", label)
  const parts = [...copy.querySelectorAll("[data-part]")]
  for (const part of parts) part.setAttribute("role", "button")
  rove(copy, parts)
  return copy
}

function around(parts) {
  const boxes = Array.from(parts, part => part.getBBox())
  const left = Math.min(...boxes.map(box => box.x)) - MARGIN.x
  const top = Math.min(...boxes.map(box => box.y)) - MARGIN.y
  const right = Math.max(...boxes.map(box => box.x + box.width)) + MARGIN.x
  const bottom = Math.max(...boxes.map(box => box.y + box.height)) + MARGIN.y
  return [left, top, right - left, bottom - top].join(" ")
}

function rove(copy, parts) {
  for (const part of parts) part.setAttribute("tabindex", part === parts[0] ? 0 : -1)
  copy.addEventListener("keydown", event => {
    if (!(event.key in STEPS)) return
    event.preventDefault()
    const next = parts[parts.indexOf(event.target) + STEPS[event.key]]
    if (!next) return
    event.target.setAttribute("tabindex", -1)
    next.setAttribute("tabindex", 0)
    next.focus()
  })
}
