// Numbers of a run that say why a change did what it did.

import { beside, columns, linear } from "./matrix.js"

/** The largest share of cross-attention that a step gives to some words, and the step. */
export function mostWatchedStep(run, words) {
  const heads = records(run, "cross_attention")
  const shares = run.before.map((_, step) =>
    mean(heads.map(({ weights }) => sum(words.map(word => weights.row(step)[word])))),
  )
  const largest = Math.max(...shares)
  return [largest, shares.indexOf(largest)]
}

/** How long a head's own part of its sub-layer's output is beside the whole of it. */
export function shareOfHead(model, run, name, head) {
  const { out_proj } = Object.fromEntries(model.attentions())[name]
  const outputs = run.records[name].map(({ output }) => output)
  const width = outputs[head].columns
  const own = linear(outputs[head], { weight: columns(out_proj.weight, head * width, width) })
  const whole = rows(linear(beside(outputs), out_proj))
  return mean(rows(own).map((row, i) => Math.hypot(...row) / Math.hypot(...whole[i])))
}

export function meanLargestWeight(run) {
  return mean(weightRows(run, "").map(row => Math.max(...row)))
}

/** The share of the decoder's self-attention that goes to later tokens. */
export function shareOfFuture(run) {
  const heads = records(run, "decoder.layers", "self_attention")
  return mean(heads.flatMap(({ weights }) => rows(weights).map((row, i) => sum(row.slice(i + 1)))))
}

/** The share of an attention's weight that goes behind the first `length` keys. */
export function shareAfter(length, run, where) {
  return mean(weightRows(run, where).map(row => sum(row.slice(length))))
}

/** The most by which a number of the encoder's output differs when the source is reversed. */
export function differenceWhenReversed(model, src) {
  const straight = rows(model.encode(src))
  const reversed = rows(model.encode([...src].reverse())).reverse()
  const differences = straight.flatMap((row, i) =>
    Array.from(row, (number, j) => Math.abs(number - reversed[i][j])),
  )
  return Math.max(...differences)
}

/** The mean length of a matrix's rows. */
export function meanLength(matrix) {
  return mean(rows(matrix).map(row => Math.hypot(...row)))
}

const weightRows = (run, where) => records(run, where).flatMap(({ weights }) => rows(weights))

/** The records of every head whose attention's name has these parts. */
function records(run, ...parts) {
  const names = Object.keys(run.records).filter(name => parts.every(part => name.includes(part)))
  return names.flatMap(name => run.records[name])
}

const rows = matrix => Array.from({ length: matrix.rows }, (_, i) => matrix.row(i))
const sum = numbers => numbers.reduce((total, number) => total + number, 0)
const mean = numbers => sum(numbers) / numbers.length
