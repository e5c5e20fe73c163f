// One sentence through one model: everything that the page shows of it.

import { beam_search, draw, top, write } from "./decoding.js"
import { log_softmax } from "./matrix.js"

const SHOWN = 5
const PADDING = 8 // As many as if a longer sentence stood in the same batch.

/**
 * Translate `text` as `how` says. The result has `read` and `written`, the pieces of both sentences
 * with their ends; `best`, for each written piece the most probable ones and itself; `text`, the
 * translation; `records`, what every head computed; and `search`, the steps of a beam search.
 */
export function run(model, tokenizer, text, { how, temperature, seed }, withPadding) {
  const { eos_id, pad_id, bos_id } = model.config
  const words = tokenizer.encode_source(text)
  const src = withPadding ? [...words, ...Array(PADDING).fill(pad_id)] : words
  const choose = how === "sample" ? draw(temperature, randomNumbers(seed)) : undefined
  const steps = [...(how === "beam" ? beam_search(model, src) : write(model, src, choose))]
  const search = how === "beam" ? steps : null
  const ids = search ? search.at(-1).finished[0].ids.slice(1) : steps.map(step => step.token)
  const tgt = [bos_id, ...ids.filter(id => id !== eos_id)]
  const memory = model.encode(src)
  const logits = model.project(model.decode(tgt, memory, model.src_mask(src)))
  const log_probs = ids.map((_, i) => steps[i]?.log_probs ?? log_softmax(logits.row(i)))
  const degrees = how === "sample" ? temperature : 1
  return {
    src,
    ids,
    search,
    log_probs,
    records: model.records(),
    read: tokenizer.pieces(src),
    written: tokenizer.pieces(ids),
    before: tokenizer.pieces(tgt),
    text: tokenizer.decode(ids),
    best: log_probs.map((row, i) => candidates(row, ids[i], tokenizer, degrees)),
  }
}

function candidates(log_probs, written, tokenizer, temperature) {
  const probs = log_softmax(log_probs.map(p => p / temperature)).map(Math.exp)
  const ids = [...new Set([...top(probs, SHOWN), written])]
  return ids.map(id => ({ id, piece: tokenizer.pieces([id])[0], p: probs[id] }))
}

/** Numbers from 0 to 1, the same ones for the same seed (a generator of 32 bits, mulberry32). */
function randomNumbers(seed) {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
