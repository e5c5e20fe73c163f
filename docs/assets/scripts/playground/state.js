// What the reader has chosen, kept in the page's address: #s=the+cat+sleeps&layer=1&head=2&hide=3.
// Layers, heads, words and steps are counted from 1 there, as people count them; step 0 is the last.

import { headsOf, INTERVENTIONS } from "./interventions.js"

const { hide, mute, ...without } = INTERVENTIONS
const CHOICES = {
  model: ["shipped", "hand-made"],
  how: ["greedy", "beam", "sample"],
  map: ["bridge", "encoder", "decoder"],
  view: ["arcs", "matrix"],
  without: ["", ...Object.keys(without)],
}
const FIRST = {
  s: "",
  model: "shipped",
  how: "greedy",
  temperature: 1,
  seed: 1,
  step: 0,
  map: "bridge",
  layer: 2,
  head: 1,
  word: 1,
  view: "arcs",
  hide: [],
  mute: "",
  without: "",
}

export const TEMPERATURE = { min: 0.1, max: 2, step: 0.1 }

const isCount = number => Number.isSafeInteger(number) && number > 0

function isOnSlider(number) {
  const { min, max } = TEMPERATURE
  return number >= min && number <= max && number === Number(number.toFixed(1))
}

/** The state in an address; what makes no sense in it is left out, but for the sentence. */
export function readState(hash) {
  const state = { ...FIRST, hide: [] }
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (!Object.hasOwn(FIRST, name)) continue
    if (name === "hide") state.hide = placesOf(text)
    else if (name in CHOICES) state[name] = CHOICES[name].includes(text) ? text : FIRST[name]
    else if (typeof FIRST[name] === "number") state[name] = numberOf(name, text)
    else state[name] = text
  }
  return state
}

function placesOf(text) {
  return [...new Set(text.split(",").map(Number))].filter(isCount).sort((a, b) => a - b)
}

function numberOf(name, text) {
  const isValid = name === "temperature" ? isOnSlider : isCount
  return isValid(Number(text)) ? Number(text) : FIRST[name]
}

/** The state without what this model, and a sentence of `length` tokens with its end, do not have. */
export function fitting(state, model, length) {
  const { layers } = state.map === "encoder" ? model.encoder : model.decoder
  return {
    ...state,
    layer: Math.min(state.layer, layers.length),
    head: Math.min(state.head, model.config.num_heads),
    word: Math.min(state.word, length),
    hide: state.hide.filter(place => place < length),
    mute: headsOf(model).includes(state.mute) ? state.mute : "",
  }
}

/** The address of a state: whatever is not as at first. */
export function addressOf(state) {
  const fields = Object.keys(FIRST).filter(name => String(state[name]) !== String(FIRST[name]))
  return `#${new URLSearchParams(fields.map(name => [name, String(state[name])]))}`
}
