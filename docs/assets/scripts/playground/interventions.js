// What can be taken out of the model. Each function changes a Transformer that was just made, as one
// would change the package's own in PyTorch.

import { Matrix } from "./matrix.js"
import { scaled_dot_product_attention } from "./model.js"

const PADDING = 8 // as if a longer sentence stood in the same batch

/** Nobody may attend to these places of the source. */
export function hide(model, places) {
  const src_mask = model.src_mask.bind(model)
  model.src_mask = src => src_mask(src).map(row => row.map((seen, i) => seen && !places.includes(i)))
}

/** One head of one attention contributes nothing. */
export function mute(model, name, muted) {
  const attention = Object.fromEntries(model.attentions())[name]
  const attend = attention.attend.bind(attention)
  attention.attend = (q, k, v, mask, head) => {
    const made = attend(q, k, v, mask, head)
    return head === muted ? { ...made, output: new Matrix(q.rows, v.columns) } : made
  }
}

/** Scores are not divided by √dₖ. */
export function without_score_division(model) {
  for (const [, attention] of model.attentions())
    attention.attend = (q, k, v, mask) => scaled_dot_product_attention(q, k, v, mask, 1)
}

/** Embeddings are not multiplied by √d_model. */
export function without_embedding_scale(model) {
  for (const embedding of [model.src_embedding, model.tgt_embedding])
    embedding.scale = vectors => vectors
}

/** No token knows its place. */
export function without_positions(model) {
  for (const position of [model.src_position, model.tgt_position]) position.forward = x => x
}

/** Earlier tokens see later ones. A cache would hide it: each step reads the beginning again. */
export function without_causal_mask(model) {
  model.tgt_mask = tgt_len => [Array(tgt_len).fill(true)]
  model.new_cache = () => null
}

/** What fills a source up (see `padded`) is attended to like words. */
export function without_padding_mask(model) {
  model.src_mask = src => [src.map(() => true)]
}

/** A source filled up, as beside a longer one. */
export function padded(src, pad_id) {
  return [...src, ...Array(PADDING).fill(pad_id)]
}
