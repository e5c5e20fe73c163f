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

/** The state that an address tells; what makes no sense in it is left out. */
export function read_state(hash) {
  const state = { ...FIRST, hide: [] }
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "hide") state.hide = text.split(",").map(Number).filter(place => place >= 1)
    else if (name in CHOICES) state[name] = CHOICES[name].includes(text) ? text : FIRST[name]
    else if (typeof FIRST[name] === "number") state[name] = Number(text) > 0 ? Number(text) : FIRST[name]
    else if (name in FIRST) state[name] = text
  }
  return state
}

/** The address of a state: whatever is not as at first. */
export function address_of(state) {
  const told = new URLSearchParams()
  for (const [name, first] of Object.entries(FIRST))
    if (String(state[name]) !== String(first)) told.set(name, String(state[name]))
  return `#${told}`
}
