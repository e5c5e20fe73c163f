// What a model of some sizes needs, by the names of the package. Every formula here is tested
// against a model that is built and run.

/** A sum over the parts. */
export const total = parts => Object.values(parts).reduce((sum, count) => sum + count, 0)

/** Numbers that training finds, by part; a matrix that is shared counts once. */
export function parameters(sizes) {
  const { d_model, dFf, vocabSize, numEncoderLayers, numDecoderLayers } = sizes
  const matrix = vocabSize * d_model
  const attention = 4 * linear(d_model, d_model) // queries, keys, values, output
  const feedForward = linear(d_model, dFf) + linear(dFf, d_model)
  const norm = 2 * d_model // a scale and a shift for each feature
  return {
    src_embedding: matrix,
    tgt_embedding: sizes.shareEmbeddings ? 0 : matrix,
    "encoder.self_attention": numEncoderLayers * attention,
    "encoder.feed_forward": numEncoderLayers * feedForward,
    "encoder.norm": numEncoderLayers * 2 * norm,
    "decoder.self_attention": numDecoderLayers * attention,
    "decoder.cross_attention": numDecoderLayers * attention,
    "decoder.feed_forward": numDecoderLayers * feedForward,
    "decoder.norm": numDecoderLayers * 3 * norm,
    output_layer: sizes.tieOutput ? 0 : linear(d_model, vocabSize),
  }
}

/** A weight for each pair of numbers, and a bias for each result. */
const linear = (inputs, outputs) => (inputs + 1) * outputs

/** Multiply-adds of the matrix products of one forward pass, by part. */
export function multiplyAdds(sizes) {
  const { srcLen, tgt_len, numEncoderLayers, numDecoderLayers } = sizes
  const compared = scores(sizes)
  return {
    src_embedding: 0, // looked up, not multiplied
    tgt_embedding: 0,
    "encoder.self_attention":
      numEncoderLayers * projections(sizes, srcLen, srcLen) + compared.encoder,
    "encoder.feed_forward": numEncoderLayers * feedForward(sizes, srcLen),
    "encoder.norm": 0,
    "decoder.self_attention":
      numDecoderLayers * projections(sizes, tgt_len, tgt_len) + compared.decoder,
    "decoder.cross_attention":
      numDecoderLayers * projections(sizes, tgt_len, srcLen) + compared.bridge,
    "decoder.feed_forward": numDecoderLayers * feedForward(sizes, tgt_len),
    "decoder.norm": 0,
    output_layer: sizes.batch * tgt_len * sizes.d_model * sizes.vocabSize,
  }
}

/** Those of them that compare queries with keys and average values, in each kind of attention. */
export function scores({ batch, d_model, srcLen, tgt_len, ...layers }) {
  const pair = 2 * batch * d_model // both take every head, so all of d_model
  return {
    encoder: layers.numEncoderLayers * pair * srcLen * srcLen,
    decoder: layers.numDecoderLayers * pair * tgt_len * tgt_len,
    bridge: layers.numDecoderLayers * pair * tgt_len * srcLen,
  }
}

/** Queries and output for each query, keys and values for each key. */
const projections = ({ batch, d_model }, queries, keys) =>
  2 * batch * (queries + keys) * d_model * d_model

const feedForward = ({ batch, d_model, dFf }, length) => 2 * batch * length * d_model * dFf

/** Bytes: what training holds between two passes, what it keeps for the second, and the cache. */
export function memory(sizes) {
  const { batch, d_model, srcLen, tgt_len, numDecoderLayers } = sizes
  const weights = 4 * total(parameters(sizes))
  const optimizer = 3 * weights // gradients, and Adam's two averages
  const activations = 4 * kept(sizes)
  const keysOrValues = numDecoderLayers * batch * (tgt_len + srcLen) * d_model
  return {
    weights,
    optimizer,
    activations,
    step: weights + optimizer + activations,
    cache: 4 * 2 * keysOrValues,
  }
}

/** Numbers that autograd keeps of a forward pass with dropout and of its loss. */
function kept({ batch, d_model, num_heads, dFf, vocabSize, srcLen, tgt_len, ...layers }) {
  const start = 2 * d_model // the mask of dropout, and the states that enter the first layer
  const norm = 3 * d_model + 2 // the mask, the sum, its mean and deviation, the result
  const attention = (queries, keys, mask) =>
    2 * queries * d_model +
    2 * keys * d_model + // queries and heads' outputs, keys and values
    num_heads * queries + // of each row of scores, the logarithm of its sum
    mask
  const encoderLayer = attention(srcLen, srcLen, srcLen) + srcLen * (dFf + 2 * norm)
  const decoderLayer =
    attention(tgt_len, tgt_len, tgt_len * tgt_len) +
    attention(tgt_len, srcLen, srcLen) +
    tgt_len * (dFf + 3 * norm)
  const each =
    srcLen * start +
    layers.numEncoderLayers * encoderLayer +
    tgt_len * start +
    layers.numDecoderLayers * decoderLayer +
    tgt_len * vocabSize // the logarithm of every probability
  return batch * each
}
