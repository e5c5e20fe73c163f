// What the reader has chosen, kept in the page's address: #s=the+cat+sleeps&layer=1&head=2&hide=3.
// Layers, heads, words and steps are counted from 1 there, as people count them; step 0 is the last.

export const CHOICES = {
  model: ["shipped", "hand-made"],
  how: ["greedy", "beam", "sample"],
  map: ["bridge", "encoder", "decoder"],
  view: ["arcs", "matrix"],
  without: ["", "score_division", "embedding_scale", "positions", "causal_mask", "padding_mask"],
}
const FIRST = {
  s: "", model: "shipped", how: "greedy", temperature: 1, seed: 1, step: 0, map: "bridge",
  layer: 2, head: 1, word: 1, view: "arcs", hide: [], mute: "", without: "",
}

export const LONGEST = 200 // characters of a sentence
export const TEMPERATURE = { min: 0.1, max: 2, step: 0.1 }

const whole = number => Number.isSafeInteger(number) && number > 0
const of_the_slider = number =>
  number >= TEMPERATURE.min && number <= TEMPERATURE.max && number === Number(number.toFixed(1))

/** The state that an address tells; what makes no sense in it is left out. */
export function read_state(hash) {
  const state = { ...FIRST, hide: [] }
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (!Object.hasOwn(FIRST, name)) continue
    if (name === "hide") state.hide = places(text)
    else if (name in CHOICES) state[name] = CHOICES[name].includes(text) ? text : FIRST[name]
    else if (typeof FIRST[name] === "number") state[name] = number_of(name, text)
    else state[name] = text.length <= LONGEST ? text : FIRST[name]
  }
  return state
}

function places(text) {
  return [...new Set(text.split(",").map(Number))].filter(whole).sort((a, b) => a - b)
}

function number_of(name, text) {
  const number = Number(text)
  const makes_sense = name === "temperature" ? of_the_slider : whole
  return makes_sense(number) ? number : FIRST[name]
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
    mute: heads_of(model).includes(state.mute) ? state.mute : "",
  }
}

/** The addresses of a model's heads, as bridge.2.1. */
export function heads_of(model) {
  return [...model.attentions()].flatMap(([name, { num_heads }]) => {
    const [side, , layer, kind] = name.split(".")
    const map = kind === "cross_attention" ? "bridge" : side
    return Array.from({ length: num_heads }, (_, head) => `${map}.${Number(layer) + 1}.${head + 1}`)
  })
}

/** The name of an attention in the model and a head counted from 0, from such an address. */
export function head_of(address) {
  const [map, layer, head] = address.split(".")
  const side = map === "encoder" ? "encoder" : "decoder"
  const attention = map === "bridge" ? "cross_attention" : "self_attention"
  return [`${side}.layers.${layer - 1}.${attention}`, head - 1]
}

/** The address of a state: whatever is not as at first. */
export function address_of(state) {
  const told = new URLSearchParams()
  for (const [name, first] of Object.entries(FIRST))
    if (String(state[name]) !== String(first)) told.set(name, String(state[name]))
  return `#${told}`
}
