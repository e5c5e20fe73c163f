// Beam search as a tree that grows downwards: a row for each step, the open beams side by side.

import { element, svg, t } from "../page.js"
import { may_mean } from "./glosses.js"
import { per_cent, shown } from "./parts.js"

export function beams_view(app) {
  const tree = element("ol", { class: "beams" })
  const node = element("section", { class: "panel", id: "part-beams" },
    element("p", { class: "label" }, t("The beams: each row is a step, best first; per cent is the probability of the whole beginning. A beam that ended is framed, and stands beside the four that go on; the translation's path is in colour.")),
    tree)

  function draw() {
    const { search } = app.run
    const best = path_of(search.at(-1).finished[0])
    let above = [null]
    tree.replaceChildren(...search.slice(0, app.state.step).map(({ candidates, open, ended }) => {
      const beams = candidates.filter(beam => open.includes(beam) || ended.includes(beam))
      const row = element("li", {}, lines(beams, above, best),
        element("ol", {}, ...beams.map(beam => leaf(app.tokenizer, beam, ended, best))))
      row.style.setProperty("--beams", beams.length)
      above = beams
      return row
    }))
  }

  return {
    node,
    update() {
      node.hidden = !app.run.search
      if (app.run.search) draw()
    },
  }
}

function path_of(beam) {
  const path = new Set()
  for (let at = beam; at; at = at.parent) path.add(at)
  return path
}

function leaf(tokenizer, beam, ended, best) {
  const [piece, ...before] = tokenizer.pieces(beam.ids.slice(1)).reverse()
  const kinds = [ended.includes(beam) && "ended", best.has(beam) && "best"].filter(Boolean)
  return element("li", { class: kinds.join(" ") },
    element("span", { lang: "zh-TW" }, shown(piece)),
    element("small", {}, per_cent(Math.exp(beam.log_probability))),
    may_mean(before.reverse(), piece))
}

/** A line from the middle of each beam to that of its parent, in the row above. */
function lines(beams, above, best) {
  const picture = svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" })
  beams.forEach((beam, i) => {
    const from = Math.max(above.findIndex(parent => parent === beam.parent), 0)
    const [x1, x2] = [(from + 0.5) / above.length, (i + 0.5) / beams.length]
    picture.append(svg("line", { x1, y1: 0, x2, y2: 1, class: best.has(beam) ? "best" : "" }))
  })
  return picture
}
