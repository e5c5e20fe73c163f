// Why a change did what it did: sentences with numbers from both runs.

import { t } from "../page.js"
import { Matrix } from "./matrix.js"
import { decimal, per_cent, shown } from "./parts.js"
import { head_of } from "./state.js"

/** Two or three sentences on what was taken out. */
export function explanations(what, app, before, after) {
  return [WHY[what](app, before, after), first_difference(before, after)]
}

const WHY = {
  hide: ({ state }, before) => {
    const places = state.hide.map(place => place - 1)
    const words = places.map(place => shown(before.read[place])).join(" ")
    const shares = bridge_rows(before).map(row => sum(places.map(place => row[place])))
    const most = argmax(shares)
    return t("Before, the step that wrote “{piece}” gave “{words}” {share} of the bridge's weight, the most of all steps (the mean over layers and heads).",
      { words, piece: shown(before.written[most]), share: per_cent(shares[most]) })
  },
  mute: ({ model, state }, before) => {
    const share = head_share(model, before, state.mute)
    return t("Before, the heads of this sub-layer added up to one vector for each token; this head's own part was {share} as long (the mean over the tokens).", { share: per_cent(share) })
  },
  score_division: (_, before, after) =>
    t("The largest weight of a row was {before} on average, and is {after} now: larger scores lie further apart, and the softmax leaves less for the other keys.",
      { before: per_cent(mean_largest(before)), after: per_cent(mean_largest(after)) }),
  embedding_scale: ({ model }, before) => {
    const embedded = model.src_embedding.forward(before.src)
    const length = decimal(mean_length(embedded), 1)
    const unscaled = decimal(mean_length(embedded) / Math.sqrt(embedded.columns), 1)
    const position = decimal(mean_length(model.src_position.forward(new Matrix(embedded.rows, embedded.columns))), 1)
    return t("A word's vector was {length} long, and its position's {position}. Now the word is {unscaled} long: its position drowns it out.", { length, position, unscaled })
  },
  positions: ({ changed_model }, before) => {
    const reversed = changed_model.encode([...before.src].reverse())
    const straight = changed_model.encode(before.src)
    const differ = Math.max(...before.src.map((_, i) => largest_difference(straight.row(i), reversed.row(before.src.length - 1 - i))))
    return t("With the source's words in reverse order every word gets the same state as before (no number differs by more than {differ}): the order is lost.", { differ: Math.max(differ, 1e-6).toFixed(6) })
  },
  causal_mask: (_, before, after) =>
    t("At each step the whole beginning is read anew, and now its earlier tokens see the later ones: {share} of the decoder's self-attention goes there. In training it was 0%.", { share: per_cent(future_share(after)) }),
  padding_mask: (_, before, after) =>
    t("Eight tokens of padding stand behind the sentence, as beside a longer one in a batch. The encoder gives them {encoder} of its weight, the bridge {bridge}.",
      { encoder: per_cent(padding_share(before, after, "encoder")), bridge: per_cent(padding_share(before, after, "cross_attention")) }),
}

/** Where the translations part, or where they nearly did. */
function first_difference(before, after) {
  const at = before.ids.findIndex((id, i) => id !== after.ids[i])
  const p = (run, step, id) => per_cent(Math.exp(run.log_probs[step][id]))
  if (at >= 0)
    return t("The two first differ at step {step}: “{piece}” goes from {before} to {after}, and “{other}” is written with {probability}.", {
      step: at + 1, piece: shown(before.written[at]), other: shown(after.written[at] ?? ""),
      before: p(before, at, before.ids[at]), after: p(after, at, before.ids[at]), probability: p(after, at, after.ids[at]),
    })
  const falls = before.ids.map((id, i) => Math.exp(before.log_probs[i][id]) - Math.exp(after.log_probs[i][id]))
  const most = argmax(falls)
  if (falls[most] < 0.01) return t("No token of it loses as much as one percentage point.")
  return t("The token that lost most is “{piece}”: from {before} to {after}.", {
    piece: shown(before.written[most]), before: p(before, most, before.ids[most]), after: p(after, most, before.ids[most]),
  })
}

function bridge_rows(run) {
  const heads = records(run, "cross_attention")
  return run.before.map((_, i) => run.read.map((_, j) =>
    sum(heads.map(({ weights }) => weights.row(i)[j])) / heads.length))
}

function head_share(model, run, address) {
  const [name, head] = head_of(address)
  const { weight, bias } = Object.fromEntries(model.attentions())[name].out_proj
  const outputs = run.records[name].map(({ output }, h) => projected(output, weight, h * output.columns))
  const shares = outputs[0].map((_, i) => {
    const whole = outputs[0][i].map((_, k) => bias[k] + sum(outputs.map(output => output[i][k])))
    return Math.hypot(...outputs[head][i]) / Math.hypot(...whole)
  })
  return sum(shares) / shares.length
}

/** A head's own part of the sub-layer's output: its columns of W_O alone. */
function projected(output, weight, start) {
  return Array.from({ length: output.rows }, (_, i) =>
    Array.from({ length: weight.rows }, (_, k) =>
      sum(Array.from(output.row(i), (number, j) => number * weight.row(k)[start + j]))))
}

function mean_largest(run) {
  const rows = records(run, "").flatMap(({ weights }) =>
    Array.from({ length: weights.rows }, (_, i) => Math.max(...weights.row(i))))
  return sum(rows) / rows.length
}

function future_share(run) {
  const shares = records(run, "decoder.layers", "self_attention").flatMap(({ weights }) =>
    Array.from({ length: weights.rows }, (_, i) => sum(weights.row(i).slice(i + 1))))
  return sum(shares) / shares.length
}

function padding_share(before, after, where) {
  const shares = records(after, where).flatMap(({ weights }) =>
    Array.from({ length: weights.rows }, (_, i) => sum(weights.row(i).slice(before.src.length))))
  return sum(shares) / shares.length
}

/** The records of every head whose attention's name has these parts. */
function records(run, ...parts) {
  const names = Object.keys(run.records).filter(name => parts.every(part => name.includes(part)))
  return names.flatMap(name => run.records[name])
}

function mean_length(matrix) {
  return sum(Array.from({ length: matrix.rows }, (_, i) => Math.hypot(...matrix.row(i)))) / matrix.rows
}

function largest_difference(a, b) {
  return Math.max(...a.map((number, i) => Math.abs(number - b[i])))
}

function argmax(numbers) {
  return numbers.indexOf(Math.max(...numbers))
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
