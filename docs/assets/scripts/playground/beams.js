// Beam search as a tree that grows downwards: a row for each step, the open beams side by side.

import { element, svg, t } from "../page.js"
import { stretched } from "./attention.js"
import { possibleMeaning } from "./glosses.js"
import { percent, shown, styled } from "./parts.js"

export function beamsView(app) {
  const tree = element("ol.beams")
  const explanation = t(
    "The beams: each row is a step, best first; per cent is the probability of the whole " +
      "beginning. A beam that ended is framed, and stands beside the four that go on; the " +
      "translation's path is in colour.",
  )
  const node = element("section#part-beams.panel", element("p.label", explanation), tree)

  function draw(search) {
    const best = pathOf(search.at(-1).finished[0])
    let above = [null]
    const rows = search.slice(0, app.state.step).map(({ candidates, open, ended }) => {
      const beams = candidates.filter(beam => open.includes(beam) || ended.includes(beam))
      const items = beams.map(beam => itemOf(app.tokenizer, beam, ended, best))
      const row = element("li", lines(beams, above, best), element("ol", ...items))
      above = beams
      return styled(row, "--beams", beams.length)
    })
    tree.replaceChildren(...rows)
  }

  return {
    node,
    update() {
      node.hidden = !app.run.search
      if (app.run.search) draw(app.run.search)
    },
  }
}

function pathOf(beam) {
  const path = new Set()
  for (let at = beam; at; at = at.parent) path.add(at)
  return path
}

function itemOf(tokenizer, beam, ended, best) {
  const [piece, ...before] = tokenizer.pieces(beam.ids.slice(1)).reverse()
  const item = element(
    "li",
    element("span", { lang: "zh-TW" }, shown(piece)),
    element("small", percent(Math.exp(beam.log_probability))),
    possibleMeaning(before.reverse(), piece),
  )
  item.classList.toggle("ended", ended.includes(beam))
  item.classList.toggle("best", best.has(beam))
  return item
}

/** A line from the middle of each beam to that of its parent, in the row above. */
function lines(beams, above, best) {
  const picture = stretched("0 0 1 1")
  for (const [i, beam] of beams.entries()) {
    const x1 = (Math.max(above.indexOf(beam.parent), 0) + 0.5) / above.length
    const x2 = (i + 0.5) / beams.length
    picture.append(svg("line", { x1, y1: 0, x2, y2: 1, class: best.has(beam) ? "best" : "" }))
  }
  return picture
}
