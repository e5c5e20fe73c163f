// A sentence that a reader typed on the home page: translated token by token, and drawn like the
// picture in whose place it comes (docs/figures/home_bridge.py).

import { element, svg, t } from "../page.js"
import { chinese } from "../playground/glosses.js"
import { fetched, loadModel } from "../playground/model_file.js"
import { looksAt, shown, styled } from "../playground/parts.js"
import { run } from "../playground/run.js"
import { refusal, troubles } from "../playground/sentence.js"

const FAINT = 0.05 // Weights below are not drawn.
const PACE = 250 // milliseconds a token
const NARROWEST = 302 // The width of the picture, in its own units.
const HEIGHT = 170
const LETTER = 6
const still = matchMedia("(prefers-reduced-motion: reduce)")
const [form, status, picture, output] = document.querySelector(".live").children
let latest = 0 // A sentence that is being written stops when the next one comes.

/** Load the model; what comes back translates a text, and shows how. */
export async function load() {
  const files = ["pretrained.safetensors", "neighbours.json"]
  const [bytes, pairs] = await Promise.all(files.map(fetched))
  const [model, tokenizer] = loadModel(await bytes.arrayBuffer())
  const neighbours = await pairs.json()
  return text => {
    const refused = refusal(text, model, tokenizer)
    const notes = refused ? [refused] : troubles(text, tokenizer, neighbours)
    status.textContent = notes.join("\n")
    if (!refused) write(text, run(model, tokenizer, text, { how: "greedy" }))
  }
}

/** Write a translation, and draw each step; `records` has what every head computed. */
async function write(sentence, { read, written, records, text }) {
  const turn = ++latest
  const tokens = written.filter(piece => piece !== "<eos>")
  const heads = Object.values(records).at(-1) // Of the last cross-attention.
  const mean = (i, j) => heads.reduce((sum, { weights }) => sum + weights.row(i)[j], 0) / heads.length
  const weights = tokens.map((_, i) => read.map((_, j) => mean(i, j)))
  const width = Math.max(NARROWEST, LETTER * lengthOf(read), LETTER * lengthOf(tokens))
  const [above, below] = [middles(read, width), middles(tokens, width)]
  const word = (x, y, piece) => svg("text", { x, y }, shown(piece))
  const keys = read.map((piece, j) => word(above[j], 12, piece))
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}` }, ...keys)
  const caption = element("figcaption")
  picture.replaceChildren(element("div", { "aria-hidden": true }, styled(drawing, "--width", width)), caption)
  output.replaceChildren()

  function stepOf(piece, i) {
    const line = j => svg("line", { x1: above[j], y1: 20, x2: below[i], y2: HEIGHT - 22 })
    const seen = [...read.keys()].filter(j => weights[i][j] >= FAINT)
    const lines = seen.map(j => styled(line(j), "--share", weights[i][j]))
    return svg("g", { onpointerenter: () => light(i) }, ...lines, word(below[i], HEIGHT - 4, piece))
  }

  function light(i) {
    for (const [at, step] of steps.entries()) step.classList.toggle("lit", at === i)
    for (const [j, key] of keys.entries()) key.classList.toggle("lit", weights[i][j] >= 0.5)
    caption.textContent = looksAt(tokens[i], read, weights[i])
  }

  const steps = tokens.map(stepOf)
  for (const [i, step] of steps.entries()) {
    drawing.append(step)
    light(i)
    if (!still.matches) await new Promise(done => setTimeout(done, PACE))
    if (turn !== latest) return
  }
  if (steps.length) light(mostCrossing(weights))
  const href = `${form.action}#${new URLSearchParams({ s: sentence })}`
  const more = element("a", { href }, t("Every attention head and the best candidates, in the playground"))
  output.replaceChildren(element("p", chinese(text)), element("p", more))
}

/** The step whose strongest line crosses most others: where the order of the words differs. */
function mostCrossing(weights) {
  const best = weights.map(row => row.indexOf(Math.max(...row)))
  const crossed = (i, j) => best.filter((other, k) => (k - i) * (other - j) < 0).length
  const counts = weights.map((row, i) => row[best[i]] * crossed(i, best[i]))
  return counts.indexOf(Math.max(...counts))
}

/** How many letters the pieces take, with the space between them. */
const lengthOf = pieces => pieces.reduce((sum, piece) => sum + Math.max(shown(piece).length, 1.6) + 1.2, 0)

/** Where the middle of each is when all of them fill a line. */
function middles(pieces, width) {
  const middle = (piece, i) => lengthOf(pieces.slice(0, i)) + lengthOf([piece]) / 2
  return pieces.map((piece, i) => (middle(piece, i) * width) / lengthOf(pieces))
}
