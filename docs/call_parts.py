"""The parts of the drawing `calls_map` that the calls of the recorded forward pass belong to."""

from typing import NamedTuple

from docs.builder.translations import Translate


class Part(NamedTuple):
    """A call, and what it is in the drawing with all that it calls and that is no other part."""

    outer: str  # the call that it is made inside of
    label: str  # or a piece of it
    name: str
    box: str = ""  # as docs/figures/_map.py names it; without one, all the boxes of calls inside
    number: str = ""  # on the line, and on the box


def forward_parts(t: Translate) -> list[Part]:
    """Return the parts in the order in which the forward pass comes to them."""
    encode, decode, project = (f"Transformer.{name}" for name in ("encode", "decode", "project"))
    encoder_norm, decoder_norm = t("Encoder: add and normalize"), t("Decoder: add and normalize")
    masked, cross = t("Decoder: masked self-attention"), t("Decoder: cross-attention")
    self_attention = t("Encoder: self-attention")
    return [
        Part("", "Transformer.forward", t("The whole model")),
        Part("", encode, t("From source ids to the memory")),
        Part(encode, "(src_embedding)", t("Source: embedding"), "src_embedding", "①"),
        Part(encode, "(src_position)", t("Source: add positions"), "src_position"),
        Part(encode, "(encoder)", t("The encoder's layers")),
        Part(encode, "(self_attention)", self_attention, "encoder_self_attention", "②"),
        Part(encode, "(self_attention_norm)", encoder_norm, "encoder_self_attention_norm"),
        Part(encode, "(feed_forward)", t("Encoder: feed-forward"), "encoder_feed_forward", "③"),
        Part(encode, "(feed_forward_norm)", encoder_norm, "encoder_feed_forward_norm"),
        Part("", decode, t("From target ids to states")),
        Part(decode, "(src_embedding)", t("Target: embedding"), "tgt_embedding", "①"),
        Part(decode, "(tgt_position)", t("Target: add positions"), "tgt_position"),
        Part(decode, "(decoder)", t("The decoder's layers")),
        Part(decode, "(self_attention)", masked, "masked_self_attention", "④"),
        Part(decode, "(self_attention_norm)", decoder_norm, "masked_self_attention_norm"),
        Part(decode, "(cross_attention)", cross, "cross_attention", "⑤"),
        Part(decode, "(cross_attention_norm)", decoder_norm, "cross_attention_norm"),
        Part(decode, "(feed_forward)", t("Decoder: feed-forward"), "decoder_feed_forward"),
        Part(decode, "(feed_forward_norm)", decoder_norm, "decoder_feed_forward_norm"),
        Part("", project, t("From states to logits")),
        Part(project, "(output_layer)", t("Output layer"), "output_layer", "⑥"),
    ]
