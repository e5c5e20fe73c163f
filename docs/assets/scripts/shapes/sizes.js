// What a model of some sizes needs, by the names of the package. Every formula here is tested
// against a model that is built and run.

/** A sum over the parts. */
export const total = parts => Object.values(parts).reduce((sum, count) => sum + count, 0)

/** Numbers that training finds, by part; a matrix that is shared counts once. */
export function parameters(sizes) {
  const { d_model, d_ff, vocab_size, num_encoder_layers, num_decoder_layers } = sizes
  const matrix = vocab_size * d_model
  const attention = 4 * linear(d_model, d_model) // queries, keys, values, output
  const feedForward = linear(d_model, d_ff) + linear(d_ff, d_model)
  const norm = 2 * d_model // a scale and a shift for each feature
  return {
    src_embedding: matrix,
    tgt_embedding: sizes.share_embeddings ? 0 : matrix,
    "encoder.self_attention": num_encoder_layers * attention,
    "encoder.feed_forward": num_encoder_layers * feedForward,
    "encoder.norm": num_encoder_layers * 2 * norm,
    "decoder.self_attention": num_decoder_layers * attention,
    "decoder.cross_attention": num_decoder_layers * attention,
    "decoder.feed_forward": num_decoder_layers * feedForward,
    "decoder.norm": num_decoder_layers * 3 * norm,
    output_layer: sizes.tie_output ? 0 : linear(d_model, vocab_size),
  }
}

/** A weight for each pair of numbers, and a bias for each result. */
const linear = (inputs, outputs) => (inputs + 1) * outputs

/** Multiply-adds of the matrix products of one forward pass, by part. */
export function multiplyAdds(sizes) {
  const { src_len, tgt_len, num_encoder_layers, num_decoder_layers } = sizes
  const compared = scores(sizes)
  return {
    src_embedding: 0, // looked up, not multiplied
    tgt_embedding: 0,
    "encoder.self_attention": num_encoder_layers * projections(sizes, src_len, src_len) + compared.encoder,
    "encoder.feed_forward": num_encoder_layers * feedForward(sizes, src_len),
    "encoder.norm": 0,
    "decoder.self_attention": num_decoder_layers * projections(sizes, tgt_len, tgt_len) + compared.decoder,
    "decoder.cross_attention": num_decoder_layers * projections(sizes, tgt_len, src_len) + compared.bridge,
    "decoder.feed_forward": num_decoder_layers * feedForward(sizes, tgt_len),
    "decoder.norm": 0,
    output_layer: sizes.batch * tgt_len * sizes.d_model * sizes.vocab_size,
  }
}

/** Those of them that compare queries with keys and average values, in each kind of attention. */
export function scores({ batch, d_model, src_len, tgt_len, ...layers }) {
  const pair = 2 * batch * d_model // both take every head, so all of d_model
  return {
    encoder: layers.num_encoder_layers * pair * src_len * src_len,
    decoder: layers.num_decoder_layers * pair * tgt_len * tgt_len,
    bridge: layers.num_decoder_layers * pair * tgt_len * src_len,
  }
}

/** Queries and output for each query, keys and values for each key. */
const projections = ({ batch, d_model }, queries, keys) => 2 * batch * (queries + keys) * d_model * d_model

const feedForward = ({ batch, d_model, d_ff }, length) => 2 * batch * length * d_model * d_ff

/** Bytes: what training holds between two passes, what it keeps for the second, and the cache. */
export function memory(sizes) {
  const { batch, d_model, src_len, tgt_len, num_decoder_layers } = sizes
  const weights = 4 * total(parameters(sizes))
  const optimizer = 3 * weights // gradients, and Adam's two averages
  const activations = 4 * kept(sizes)
  const keysOrValues = num_decoder_layers * batch * (tgt_len + src_len) * d_model
  return {
    weights,
    optimizer,
    activations,
    step: weights + optimizer + activations,
    cache: 4 * 2 * keysOrValues,
  }
}

/** Numbers that autograd keeps of a forward pass with dropout and of its loss. */
function kept({ batch, d_model, num_heads, d_ff, vocab_size, src_len, tgt_len, ...layers }) {
  const start = 2 * d_model // the mask of dropout, and the states that enter the first layer
  const norm = 3 * d_model + 2 // the mask, the sum, its mean and deviation, the result
  const attention = (queries, keys, mask) =>
    2 * queries * d_model +
    2 * keys * d_model + // queries and heads' outputs, keys and values
    num_heads * queries + // of each row of scores, the logarithm of its sum
    mask
  const encoderLayer = attention(src_len, src_len, src_len) + src_len * (d_ff + 2 * norm)
  const decoderLayer =
    attention(tgt_len, tgt_len, tgt_len * tgt_len) +
    attention(tgt_len, src_len, src_len) +
    tgt_len * (d_ff + 3 * norm)
  const each =
    src_len * start +
    layers.num_encoder_layers * encoderLayer +
    tgt_len * start +
    layers.num_decoder_layers * decoderLayer +
    tgt_len * vocab_size // the logarithm of every probability
  return batch * each
}
