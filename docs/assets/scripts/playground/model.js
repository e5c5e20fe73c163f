// The package's Transformer in JavaScript, one sentence at a time, under the names of the package.
// There is no dropout, since nothing is trained here; both models of the playground are post-norm.

import { add, below, beside, columns, compare, linear, log_softmax, Matrix, mix } from "./matrix.js"

/** Which keys are no padding: one row, for every query. True = may be attended to. */
export function padding_mask(ids, pad_id) {
  return [ids.map(id => id !== pad_id)]
}

/** Which keys are no future: a row for each query. */
export function causal_mask(seq_len) {
  return Array.from({ length: seq_len }, (_, query) =>
    Array.from({ length: seq_len }, (_, key) => key <= query),
  )
}

/** Compare every query with every key: dot products divided by √dₖ (§3.2.1). */
export function attention_scores(query, key, scale) {
  return compare(query, key).map(score => score / scale)
}

/** Turn each row of scores into weights that sum to 1; a row with nothing to attend to is zero. */
export function attention_weights(scores, mask) {
  const weights = new Matrix(scores.rows, scores.columns)
  for (let i = 0; i < scores.rows; i++) {
    const allowed = mask[mask.length === 1 ? 0 : i]
    const shown = scores.row(i).map((score, j) => (allowed[j] ? score : -Infinity))
    if (allowed.some(Boolean)) weights.row(i).set(log_softmax(shown).map(Math.exp))
  }
  return weights
}

/** Average the values, weighted by how well each key answers the query (eq. 1). */
export function scaled_dot_product_attention(query, key, value, mask, scale = Math.sqrt(query.columns)) {
  const scores = attention_scores(query, key, scale)
  const weights = attention_weights(scores, mask)
  return { mask, scale, scores, weights, output: mix(weights, value) }
}

export class TokenEmbedding {
  constructor(weight, pad_id) {
    Object.assign(this, { weight, pad_id })
  }

  forward(ids) {
    const vectors = new Matrix(ids.length, this.weight.columns)
    for (const [i, id] of ids.entries()) if (id !== this.pad_id) vectors.row(i).set(this.weight.row(id))
    return this.scale(vectors)
  }

  scale(vectors) {
    const factor = Math.sqrt(vectors.columns)
    return vectors.map(number => number * factor)
  }
}

export class PositionalEncoding {
  /** The row of one position: sin, cos, sin, … (§3.5). */
  row(position, d_model) {
    return Float32Array.from({ length: d_model }, (_, i) => {
      const angle = position / 10000 ** ((i - (i % 2)) / d_model)
      return i % 2 ? Math.cos(angle) : Math.sin(angle)
    })
  }

  forward(x, start = 0) {
    const rows = new Matrix(x.rows, x.columns)
    for (let i = 0; i < x.rows; i++) rows.row(i).set(this.row(start + i, x.columns))
    return add(x, rows)
  }
}

export class LayerNorm {
  constructor({ weight, bias }, eps = 1e-5) {
    Object.assign(this, { weight, bias, eps })
  }

  forward(x) {
    const out = new Matrix(x.rows, x.columns)
    for (let i = 0; i < x.rows; i++) {
      const row = x.row(i)
      const mean = row.reduce((sum, number) => sum + number) / row.length
      const variance = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / row.length
      const root = Math.sqrt(variance + this.eps)
      out.row(i).set(row.map((number, j) => (this.weight[j] * (number - mean)) / root + this.bias[j]))
    }
    return out
  }
}

/** The keys and values of one attention; those of the memory are computed once. */
export class KeyValueCache {
  constructor(grows) {
    Object.assign(this, { grows, entries: null })
  }

  get fixed() {
    return this.grows ? null : this.entries
  }

  add(keys, values) {
    const longer = (old, heads) => (old ? heads.map((head, h) => below(old[h], head)) : heads)
    const [oldKeys, oldValues] = this.entries ?? []
    this.entries = [longer(oldKeys, keys), longer(oldValues, values)]
    return this.entries
  }

  copy() {
    return Object.assign(new KeyValueCache(this.grows), { entries: this.entries })
  }
}

export class MultiHeadAttention {
  constructor({ q_proj, k_proj, v_proj, out_proj }, num_heads) {
    Object.assign(this, { q_proj, k_proj, v_proj, out_proj, num_heads })
  }

  forward(query, key, value, mask, cache) {
    const q = this.split_heads(linear(query, this.q_proj))
    const [k, v] = cache?.fixed ?? this.keys_and_values(key, value, cache)
    this.heads = q.map((_, head) => this.attend(q[head], k[head], v[head], mask, head))
    return linear(this.concatenate_heads(this.heads.map(({ output }) => output)), this.out_proj)
  }

  keys_and_values(key, value, cache) {
    const k = this.split_heads(linear(key, this.k_proj))
    const v = this.split_heads(linear(value, this.v_proj))
    return cache ? cache.add(k, v) : [k, v]
  }

  split_heads(x) {
    const width = x.columns / this.num_heads
    return Array.from({ length: this.num_heads }, (_, head) => columns(x, head * width, width))
  }

  attend(q, k, v, mask) {
    return scaled_dot_product_attention(q, k, v, mask)
  }

  concatenate_heads(heads) {
    return beside(heads)
  }
}

export class PositionwiseFeedForward {
  constructor({ expand, contract }) {
    Object.assign(this, { expand, contract })
  }

  forward(x) {
    return linear(
      linear(x, this.expand).map(number => Math.max(number, 0)),
      this.contract,
    )
  }
}

class EncoderLayer {
  constructor(weights, num_heads) {
    this.self_attention = new MultiHeadAttention(weights.self_attention, num_heads)
    this.self_attention_norm = new LayerNorm(weights.self_attention_norm)
    this.feed_forward = new PositionwiseFeedForward(weights.feed_forward)
    this.feed_forward_norm = new LayerNorm(weights.feed_forward_norm)
  }

  forward(x, mask) {
    x = this.self_attention_norm.forward(add(x, this.self_attention.forward(x, x, x, mask)))
    return this.feed_forward_norm.forward(add(x, this.feed_forward.forward(x)))
  }
}

class DecoderLayer extends EncoderLayer {
  constructor(weights, num_heads) {
    super(weights, num_heads)
    this.cross_attention = new MultiHeadAttention(weights.cross_attention, num_heads)
    this.cross_attention_norm = new LayerNorm(weights.cross_attention_norm)
  }

  forward(x, memory, tgt_mask, src_mask, cache) {
    const own = this.self_attention.forward(x, x, x, tgt_mask, cache?.self_attention)
    x = this.self_attention_norm.forward(add(x, own))
    const bridge = this.cross_attention.forward(x, memory, memory, src_mask, cache?.cross_attention)
    x = this.cross_attention_norm.forward(add(x, bridge))
    return this.feed_forward_norm.forward(add(x, this.feed_forward.forward(x)))
  }
}

/** The caches of every decoder layer, and how many target tokens they hold. */
export class DecoderCache {
  constructor(num_layers) {
    this.length = 0
    this.layers = Array.from({ length: num_layers }, () => ({
      self_attention: new KeyValueCache(true),
      cross_attention: new KeyValueCache(false),
    }))
  }

  /** Another cache with the same past: beams part from here. */
  copy() {
    const copy = new DecoderCache(0)
    copy.length = this.length
    copy.layers = this.layers.map(layer => ({
      self_attention: layer.self_attention.copy(),
      cross_attention: layer.cross_attention.copy(),
    }))
    return copy
  }
}

/** The encoder-decoder of the paper, from ids to logits. */
export class Transformer {
  /** `weights` is a tree of the parameters by name, as model_file.js and hand_made.js make it. */
  constructor(config, weights) {
    Object.assign(this, { config, weights })
    const { num_heads, pad_id } = config
    const source = weights.src_embedding.weight
    const target = (weights.tgt_embedding ?? weights.src_embedding).weight
    this.src_embedding = new TokenEmbedding(source, pad_id)
    this.tgt_embedding = new TokenEmbedding(target, pad_id)
    this.src_position = new PositionalEncoding()
    this.tgt_position = new PositionalEncoding()
    this.encoder = { layers: weights.encoder.layers.map(w => new EncoderLayer(w, num_heads)) }
    this.decoder = { layers: weights.decoder.layers.map(w => new DecoderLayer(w, num_heads)) }
    this.output_layer = weights.output_layer ?? { weight: target } // tied when it has none
  }

  /** For every target position, logits of the token that comes next. */
  forward(src, tgt) {
    return this.project(this.decode(tgt, this.encode(src), this.src_mask(src)))
  }

  encode(src) {
    let x = this.src_position.forward(this.src_embedding.forward(src))
    for (const layer of this.encoder.layers) x = layer.forward(x, this.src_mask(src))
    return x
  }

  /** With a cache, `tgt` holds only the new ids. */
  decode(tgt, memory, src_mask, cache) {
    const start = cache?.length ?? 0
    let x = this.tgt_position.forward(this.tgt_embedding.forward(tgt), start)
    const tgt_mask = this.tgt_mask(start + tgt.length).slice(start)
    this.decoder.layers.forEach((layer, i) => {
      x = layer.forward(x, memory, tgt_mask, src_mask, cache?.layers[i])
    })
    if (cache) cache.length += tgt.length
    return x
  }

  project(states) {
    return linear(states, this.output_layer)
  }

  new_cache() {
    return new DecoderCache(this.decoder.layers.length)
  }

  src_mask(src) {
    return padding_mask(src, this.config.pad_id)
  }

  tgt_mask(tgt_len) {
    return causal_mask(tgt_len)
  }

  /** Every attention with its name, as in encoder.layers.0.self_attention. */
  *attentions() {
    for (const side of ["encoder", "decoder"])
      for (const [i, layer] of this[side].layers.entries())
        for (const name of ["self_attention", "cross_attention"])
          if (layer[name]) yield [`${side}.layers.${i}.${name}`, layer[name]]
  }

  /** What each head of every attention computed last, by the attention's name. */
  records() {
    return Object.fromEntries(Array.from(this.attentions(), ([name, { heads }]) => [name, heads]))
  }
}
