// One sentence through one model: everything that the page shows of it.

import { beam_search, draw, top, write } from "./decoding.js"
import { padded } from "./interventions.js"
import { log_softmax } from "./matrix.js"
import { record_attention } from "./model.js"

const SHOWN = 5

/**
 * Translate `text` as `how` says. The result has `read` and `written`, the pieces of both sentences
 * (the end too); `best`, for each written piece the most probable ones and itself; `text`, the translation;
 * `records`, what every head computed; and `search`, the steps of a beam search.
 */
export function run(...asked) {
  const pieces = running(...asked)
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}

/** The same without keeping the page from anything else meanwhile. */
export async function run_in_turns(...asked) {
  const pieces = running(...asked)
  for (;;) {
    await others_first()
    const { done, value } = pieces.next()
    if (done) return value
  }
}

/** Let the page do what else it has to do. */
export function others_first() {
  return new Promise(resolve => setTimeout(resolve))
}

/** The work in pieces: each token, then the heads of encoder and decoder, then what is shown of it. */
function* running(model, tokenizer, text, { how, temperature, seed }, with_padding) {
  const { eos_id, pad_id, bos_id } = model.config
  const words = tokenizer.encode_source(text)
  const src = with_padding ? padded(words, pad_id) : words
  const choose = how === "sample" ? draw(temperature, random_numbers(seed)) : undefined
  const steps = []
  for (const step of how === "beam" ? beam_search(model, src) : write(model, src, choose)) {
    steps.push(step)
    yield
  }
  const search = how === "beam" ? steps : null
  const ids = search ? search.at(-1).finished[0].ids.slice(1) : steps.map(step => step.token)
  const tgt = [bos_id, ...ids.filter(id => id !== eos_id)]
  const [memory, read] = record_attention(model, () => model.encode(src))
  yield
  const [states, written] = record_attention(model, () => model.decode(tgt, memory, model.src_mask(src)))
  const logits = model.project(states)
  yield
  const log_probs = ids.map((_, i) => steps[i]?.log_probs ?? log_softmax(logits.row(i)))
  return {
    src, ids, search,
    records: { ...read, ...written },
    read: tokenizer.pieces(src),
    written: tokenizer.pieces(ids),
    before: tokenizer.pieces(tgt),
    text: tokenizer.decode(ids),
    log_probs,
    best: log_probs.map((row, i) => candidates(row, ids[i], tokenizer, how === "sample" ? temperature : 1)),
  }
}

function candidates(log_probs, written, tokenizer, temperature) {
  const probs = log_softmax(log_probs.map(p => p / temperature)).map(Math.exp)
  return [...new Set([...top(probs, SHOWN), written])].map(id => ({ id, piece: tokenizer.pieces([id])[0], p: probs[id] }))
}

/** Numbers from 0 to 1, the same ones for the same seed (a generator of 32 bits, mulberry32). */
function random_numbers(seed) {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
