// What can be taken out of the model: all that the page knows of each. A new one needs an entry in
// INTERVENTIONS, and its twin in PyTorch in tests/interventions.py.

import { t } from "../page.js"
import { Matrix } from "./matrix.js"
import * as measures from "./measures.js"
import { scaled_dot_product_attention } from "./model.js"
import { decimal, MAPS, percent, shown } from "./parts.js"

/** The address of a state in which nothing is taken out. */
export const NO_INTERVENTION = { hide: [], mute: "", without: "" }

/**
 * By name: a title and what it means; `apply` changes a Transformer that was just made, as one would
 * change the package's own in PyTorch; `explain` says in numbers of both runs why something changed;
 * `start`, the state that it begins with; `example`, a sentence of the shipped model that needs what
 * is taken out; `padded`, whether the source is filled up.
 */
export const INTERVENTIONS = {
  hide: {
    title: t("Hide words of the source"),
    meaning: t("The words struck out are hidden from the encoder and from cross-attention."),
    start({ run }) {
      const last = run.read.slice(0, -1).findLastIndex(piece => /\p{L}/u.test(piece)) // No mark.
      return { hide: [Math.max(last, 0) + 1] }
    },
    apply(model, { hide }) {
      const src_mask = model.src_mask.bind(model)
      const isSeen = (seen, i) => seen && !hide.includes(i + 1)
      model.src_mask = src => src_mask(src).map(row => row.map(isSeen))
    },
    explain({ state }, before) {
      const places = state.hide.map(place => place - 1)
      const [share, step] = measures.mostWatchedStep(before, places)
      const piece = shown(before.written[step])
      const words = places.map(place => shown(before.read[place])).join(" ")
      return t(
        "Before, the step that wrote “{piece}” gave “{words}” {share} of its cross-attention, " +
          "the most of all steps (the mean over layers and heads).",
        { words, piece, share: percent(share) },
      )
    },
  },
  mute: {
    title: t("Mute a head"),
    meaning: t("What this head adds to the attention’s output becomes zero."),
    example: { s: "We are not resting.", mute: "bridge.2.3" },
    start: ({ state: { map, layer, head } }) => ({ mute: `${map}.${layer}.${head}` }),
    apply(model, { mute }) {
      const [name, muted] = headOf(mute)
      const attention = Object.fromEntries(model.attentions())[name]
      const attend = attention.attend.bind(attention)
      attention.attend = (q, k, v, mask, head) => {
        const made = attend(q, k, v, mask, head)
        return head === muted ? { ...made, output: new Matrix(q.rows, v.columns) } : made
      }
    },
    explain({ model, state }, before) {
      const share = measures.shareOfHead(model, before, ...headOf(state.mute))
      return t(
        "Before, the heads of this sub-layer added up to one vector for each token; this head's " +
          "own part was {share} as long (the mean over the tokens).",
        { share: percent(share) },
      )
    },
  },
  score_division: {
    title: t("Missing √dₖ"),
    meaning: t("The scores are not divided by √dₖ."),
    example: { s: "The sweater is a little cheaper than that coat." },
    apply(model) {
      for (const [, attention] of model.attentions())
        attention.attend = (q, k, v, mask) => scaled_dot_product_attention(q, k, v, mask, 1)
    },
    explain(_, before, after) {
      const [was, is] = [before, after].map(run => percent(measures.meanLargestWeight(run)))
      return t(
        "The largest weight of a row was {before} on average, and is {after} now: larger scores " +
          "lie further apart, and the softmax leaves less for the other keys.",
        { before: was, after: is },
      )
    },
  },
  embedding_scale: {
    title: t("Missing √d_model"),
    meaning: t("The embeddings are not multiplied by √d_model."),
    apply(model) {
      for (const embedding of [model.src_embedding, model.tgt_embedding]) embedding.scale = vectors => vectors
    },
    explain({ model }, before) {
      const embedded = model.src_embedding.forward(before.src)
      const length = measures.meanLength(embedded)
      const nothing = new Matrix(embedded.rows, embedded.columns)
      const position = measures.meanLength(model.src_position.forward(nothing))
      return t(
        "A word's vector was {length} long, and its position's {position}. Now the word is " +
          "{unscaled} long: its position drowns it out.",
        {
          length: decimal(length, 1),
          position: decimal(position, 1),
          unscaled: decimal(length / Math.sqrt(embedded.columns), 1),
        },
      )
    },
  },
  positions: {
    title: t("No positions"),
    meaning: t("Nothing tells where a word stands."),
    example: { s: "The dog saw the cat." },
    apply(model) {
      for (const position of [model.src_position, model.tgt_position]) position.forward = x => x
    },
    explain({ changedModel }, before) {
      const differ = Math.max(measures.differenceWhenReversed(changedModel, before.src), 1e-6)
      return t(
        "With the source's words in reverse order every word gets the same state as before (no " +
          "number differs by more than {differ}): the order is lost.",
        { differ: differ.toFixed(6) },
      )
    },
  },
  causal_mask: {
    title: t("No causal mask"),
    meaning: t("Each token written sees the later ones."),
    example: { s: "The boss is very busy." },
    apply(model) {
      model.tgt_mask = tgt_len => [Array(tgt_len).fill(true)]
      model.new_cache = () => null // A cache would hide it: each step reads the beginning again.
    },
    explain(_, _before, after) {
      return t(
        "At each step the whole beginning is read anew, and now its earlier tokens see the later " +
          "ones: {share} of the decoder's self-attention goes there. In training it was 0%.",
        { share: percent(measures.shareOfFuture(after)) },
      )
    },
  },
  padding_mask: {
    title: t("No padding mask"),
    meaning: t("The padding behind the sentence is read like words."),
    example: { s: "Cats eat fish." },
    padded: true,
    apply(model) {
      model.src_mask = src => [src.map(() => true)]
    },
    explain(_, before, after) {
      const share = where => percent(measures.shareAfter(before.src.length, after, where))
      return t(
        "Eight tokens of padding follow the sentence, as beside a longer one in a batch. " +
          "The encoder gives them {encoder} of its weight, cross-attention {cross}.",
        { encoder: share("encoder"), cross: share("cross_attention") },
      )
    },
  },
}

/** The name of what the state takes out of the model, or nothing. */
export function activeIntervention({ hide, mute, without }) {
  return without || (mute && "mute") || (hide.length ? "hide" : "")
}

/** The side of the model and the kind of attention that a map shows. */
export function attentionOf(map) {
  if (map === "bridge") return ["decoder", "cross_attention"]
  return [map, "self_attention"]
}

/** The addresses of a model's heads, as bridge.2.1. */
export function headsOf(model) {
  return Object.keys(MAPS).flatMap(map => {
    const [side, kind] = attentionOf(map)
    return model[side].layers.flatMap((layer, l) =>
      Array.from({ length: layer[kind].num_heads }, (_, head) => `${map}.${l + 1}.${head + 1}`),
    )
  })
}

/** The name of an attention in the model and a head counted from 0, from such an address. */
function headOf(address) {
  const [map, layer, head] = address.split(".")
  const [side, kind] = attentionOf(map)
  return [`${side}.layers.${layer - 1}.${kind}`, head - 1]
}
