// One half of the machine. Each number of a shape carries the name of its size, by which cells.js
// finds it.

import { svg, t } from "../page.js"

export const WIDTH = 340 // of the picture
export const MIDDLE = WIDTH / 2
const BOX = 146
const ARROW = 26 // room for an arrow and its shape

/** A column of boxes; what is added stands above what was there. */
export class Column {
  /** `outside` is -1 for the left half and 1 for the right one. */
  constructor(name, outside) {
    const middle = MIDDLE + outside * 84
    this.middle = middle
    this.outside = outside
    this.left = middle - BOX / 2
    this.way = middle + outside * 47 // where the arrows are
    this.y = 0
    this.group = svg("g", { class: name })
  }

  start(ids, length, states) {
    this.label(ids)
    this.y = -18
    this.arrow(["batch", length])
    this.box(t("Embedding"))
    this.arrow(states)
    this.box(t("Add positions"))
  }

  /** A frame around what `content` adds, named with the number of layers. */
  layers(name, count, content) {
    const bottom = this.y - 4
    content()
    this.draw("path", { d: `M${this.way} ${this.y}v-20` })
    const inner = this.middle - (this.outside * BOX) / 2
    const anchor = this.outside < 0 ? "end" : "start"
    this.text(inner, this.y - 6, anchor, "name", `${name} ×`, size(count))
    this.y -= 20
    const left = this.outside < 0 ? 1 : MIDDLE + 5
    const frame = { x: left, y: this.y, width: MIDDLE - 6, height: bottom - this.y, rx: 6 }
    this.group.prepend(svg("rect", { ...frame, class: "frame" }))
  }

  /** A box, the sum with what went in, and its normalization; returns the height of the box. */
  sublayer(name, states, note) {
    const fork = this.y - 8
    this.arrow(states)
    this.box(name, note)
    const box = this.y + 21
    this.arrow(states)
    this.box(t("Add, normalize"), null, "plain")
    const edge = this.middle + (this.outside * BOX) / 2
    const side = edge + this.outside * 8
    const join = this.y + 12
    this.draw("path", { d: `M${this.way} ${fork}H${side}V${join}H${edge}`, class: "shortcut" })
    this.head(edge, join, -this.outside, "shortcut")
    return box
  }

  box(name, note = null, kind = "") {
    const height = note ? 42 : 24
    this.y -= height
    const place = { x: this.left, y: this.y, width: BOX, height, rx: 6 }
    this.draw("rect", { ...place, class: `box ${kind}` })
    this.text(this.middle, this.y + (note ? 17 : 16), "middle", "", name)
    if (note) this.text(this.middle, this.y + 33, "middle", "note", ...note)
  }

  arrow(names) {
    this.draw("path", { d: `M${this.way} ${this.y}v${4 - ARROW}` })
    this.y -= ARROW
    this.draw("path", { d: `M${this.way} ${this.y}l-4 7h8z`, class: "head" })
    const anchor = this.outside < 0 ? "start" : "end"
    this.text(this.way - this.outside * 9, this.y + 18, anchor, "shape", ...shape(names))
  }

  label(...content) {
    this.text(this.middle, this.y - 4, "middle", "name", ...content)
  }

  head(x, y, direction, kind) {
    this.draw("path", { d: `M${x} ${y}l${-7 * direction} -4v8z`, class: `head ${kind}` })
  }

  text(x, y, anchor, kind, ...content) {
    const room = kind === "shape" ? 116 : BOX - 8
    const place = { x, y, "text-anchor": anchor, lengthAdjust: "spacingAndGlyphs" }
    this.draw("text", { ...place, class: kind, "data-room": room }, ...content)
  }

  draw(...what) {
    this.group.append(svg(...what))
  }
}

/** A shape, from the names of its sizes. */
export const shape = names => ["(", ...names.flatMap(name => [", ", size(name)]).slice(1), ")"]

/** A number that has no value yet. */
export const size = name => svg("tspan", { "data-size": name })
