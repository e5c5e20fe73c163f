// From source ids to target ids, as in the package's decoding; what happens at each step is shown.

import { log_softmax } from "./matrix.js"

/** The log-probabilities of the token after `tgt`; without a cache all of it is read again. */
export function next_log_probs(model, tgt, memory, src_mask, cache) {
  const states = model.decode(cache ? tgt.slice(-1) : tgt, memory, src_mask, cache)
  const log_probs = log_softmax(model.project(states).row(states.rows - 1))
  log_probs[model.config.pad_id] = log_probs[model.config.bos_id] = -Infinity
  return log_probs
}

/** Write token by token, as `choose` decides; yields { log_probs, token } for each. */
export function* write(model, src, choose = argmax) {
  const memory = model.encode(src)
  const src_mask = model.src_mask(src)
  const cache = model.new_cache()
  const tgt = [model.config.bos_id]
  for (let left = limit(model, src); left > 0; left--) {
    const log_probs = next_log_probs(model, tgt, memory, src_mask, cache)
    const token = choose(log_probs)
    yield { log_probs, token }
    if (token === model.config.eos_id) return
    tgt.push(token)
  }
}

/** The most probable token at every step. */
export function greedy_decode(model, src) {
  const tokens = Array.from(write(model, src), step => step.token)
  return tokens.filter(id => id !== model.config.eos_id)
}

/** Draw by probability; `random` gives numbers from 0 to 1, such as Math.random. */
export function draw(temperature, random) {
  return log_probs => {
    const probs = log_softmax(log_probs.map(p => p / temperature)).map(Math.exp)
    let left = random()
    const drawn = probs.findIndex(p => (left -= p) < 0)
    return drawn < 0 ? argmax(probs) : drawn // the sum of all may fall short of 1
  }
}

/** Follow the most probable beginnings at once; yields the candidates of every step. */
export function* beam_search(model, src, beam_size = 4, length_penalty = 0.6) {
  const { bos_id, eos_id } = model.config
  const memory = model.encode(src)
  const src_mask = model.src_mask(src)
  const most = limit(model, src)
  const penalty = length => ((5 + length) / 6) ** length_penalty
  const finished = []
  let beams = [{ ids: [bos_id], log_probability: 0, cache: model.new_cache(), parent: null }]
  for (let length = 1; beams.length; length++) {
    const candidates = beams.flatMap(beam => extend(model, beam, memory, src_mask, beam_size))
    candidates.sort((a, b) => b.log_probability - a.log_probability)
    for (const beam of candidates) beam.score = beam.log_probability / penalty(length)
    const ended = candidates.slice(0, beam_size).filter(beam => beam.ids.at(-1) === eos_id)
    const open = candidates.filter(beam => beam.ids.at(-1) !== eos_id).slice(0, beam_size)
    finished.push(...ended)
    finished.sort((a, b) => b.score - a.score)
    if (length === most) finished.push(...open) // what the limit cut comes last
    // Tokens to come only lower the log-probability, and the penalty is greatest at the limit.
    const toBeat = finished.length ? finished[0].score : -Infinity
    const hope = open.length && open[0].log_probability / penalty(most) > toBeat
    beams = length < most && finished.length < beam_size && hope ? open : []
    yield { candidates, open: beams, ended, finished: [...finished] }
  }
}

/** The places of the largest numbers, best first. */
export function top(numbers, count) {
  const left = numbers.slice()
  return Array.from({ length: count }, () => {
    const place = argmax(left)
    left[place] = -Infinity
    return place
  })
}

function argmax(numbers) {
  return numbers.indexOf(numbers.reduce((a, b) => Math.max(a, b)))
}

function extend(model, beam, memory, src_mask, beam_size) {
  const cache = beam.cache?.copy()
  const log_probs = next_log_probs(model, beam.ids, memory, src_mask, cache)
  return top(log_probs, beam_size + 1).map(token => ({
    ids: [...beam.ids, token],
    log_probability: beam.log_probability + log_probs[token],
    cache,
    parent: beam,
  }))
}

function limit(model, src) {
  const length = src.filter(id => id !== model.config.pad_id).length
  return Math.min(length + 50, model.config.max_len - 1)
}
