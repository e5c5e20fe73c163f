// The hand-made model, from the file in which its numbers stand as formulas:
// transformer/inference/hand_made.py once more. Errors say the line and what was found in it.

import { t } from "../page.js"
import { Matrix } from "./matrix.js"
import { Transformer } from "./model.js"
import { WordTokenizer } from "./tokenizer.js"

const AXES = {
  q_proj: ["head", "state"],
  k_proj: ["head", "state"],
  v_proj: ["head", "state"],
  out_proj: ["state", "head"],
  expand: ["hidden", "state"],
  contract: ["state", "hidden"],
  src_embedding: ["source", "state"],
  tgt_embedding: ["target", "state"],
  output_layer: ["target", "state"],
}
const TERM = /([+-]?) *(?:(\d+) *)?([A-Za-z]\w*)? */y

/** Raised for a line that cannot be read. */
export class BadLine extends Error {
  constructor(line, message) {
    super(message)
    this.line = line
  }
}

/** The model and its tokenizer, from the text of the file. */
export function loadHandMade(text) {
  const { names, cells } = read(text)
  const config = { num_heads: 2, max_len: 16, pad_id: 0, bos_id: 1, eos_id: 2 }
  const weights = zeros(names)
  for (const { part, row, column, value } of cells) {
    const { weight, bias } = part.split(".").reduce((place, name) => place[name], weights)
    if (column === null) bias[row] = value
    else weight.row(row)[column] = value
  }
  return [new Transformer(config, weights), new WordTokenizer(names.target, names.source)]
}

/** The lines of the file: what they say, and for a formula the part that it belongs to. */
export function* lines(text) {
  let part = ""
  for (const [i, whole] of text.split("\n").entries()) {
    const line = whole.split("#")[0].trim()
    if (line.startsWith("[")) part = line.replace(/[[\]]/g, "").trim()
    const [row, formula] = line.split("=").map(side => side.trim())
    yield { number: i + 1, whole, part, row, formula }
  }
}

/** The terms of `2 N - S`: numbers with names; a number alone has none. */
export function terms(formula, line) {
  const found = []
  TERM.lastIndex = 0
  while (TERM.lastIndex < formula.length) {
    const at = TERM.lastIndex
    const [, sign, number, name] = TERM.exec(formula)
    const rest = { found: formula.slice(at) }
    if (!(number || name) || (at && !sign))
      throw new BadLine(line, t("a formula must be like “2 N - S”: got “{found}”", rest))
    found.push([Number(`${sign}${number ?? 1}`), name ?? ""])
  }
  if (!found.length) throw new BadLine(line, t("a formula must be like “2 N - S”: got nothing"))
  return found
}

function read(text) {
  const names = {}
  const cells = []
  for (const { number, part, row, formula } of lines(text)) {
    if (formula === undefined) continue
    if (!part) names[row] = formula.split(/\s+/)
    else cells.push(...cellsOf(names, part, row, formula, number))
  }
  return { names, cells }
}

function cellsOf(names, part, row, formula, line) {
  const [rowAxis, columnAxis] = AXES[part.split(".").at(-1)]
  const rows = namesOf(names, rowAxis)
  const seen = new Set()
  return terms(formula, line).map(([value, name]) => {
    if (seen.has(name)) throw new BadLine(line, t("“{name}” must stand once", { name }))
    seen.add(name)
    if (!name && part.endsWith("embedding")) throw new BadLine(line, t("an embedding has no bias"))
    const column = name ? place(name, names[columnAxis], line) : null
    return { part, row: place(row, rows, line), column, value }
  })
}

/** The names along an axis; a source has the special tokens of the target too. */
function namesOf(names, axis) {
  return axis === "source" ? [...names.target, ...names.source] : names[axis]
}

function place(name, known, line) {
  const found = known.indexOf(name)
  if (found < 0)
    throw new BadLine(line, t("names are {known}: got “{name}”", { known: known.join(t(", ")), name }))
  return found
}

/** Every weight 0; the scale of a LayerNorm 1. */
function zeros(names) {
  const map = part => {
    const [rows, columns] = AXES[part].map(axis => namesOf(names, axis).length)
    return [part, { weight: new Matrix(rows, columns), bias: new Float32Array(rows) }]
  }
  const maps = (...parts) => Object.fromEntries(parts.map(map))
  const { length } = names.state
  const norm = () => ({ weight: new Float32Array(length).fill(1), bias: new Float32Array(length) })
  const attention = () => maps("q_proj", "k_proj", "v_proj", "out_proj")
  const layer = () => ({
    self_attention: attention(),
    self_attention_norm: norm(),
    cross_attention: attention(), // of the decoder alone
    cross_attention_norm: norm(),
    feed_forward: maps("expand", "contract"),
    feed_forward_norm: norm(),
  })
  return {
    ...maps("src_embedding", "tgt_embedding", "output_layer"),
    encoder: { layers: [layer()] },
    decoder: { layers: [layer()] },
  }
}
