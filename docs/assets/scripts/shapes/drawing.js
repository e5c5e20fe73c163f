// The machine, drawn upwards as in docs/figures/architecture.py, without its numbers.

import { svg, t } from "../page.js"
import { Column, MIDDLE, shape, size, WIDTH } from "./column.js"

const LEGEND = ["batch", "src_len", "tgt_len", "d_model", "num_heads", "d_ff", "vocab_size"]
const SOURCE = ["batch", "src_len", "d_model"]
const TARGET = ["batch", "tgt_len", "d_model"]

/** The whole model as a picture. */
export function draw() {
  const encoder = new Column("encoder", -1)
  encoder.start(t("source ids"), "src_len", SOURCE)
  encoder.layers(t("Encoder"), "num_encoder_layers", () => {
    encoder.sublayer(t("Self-attention"), SOURCE, weights("src_len", "src_len"))
    encoder.sublayer(t("Feed-forward"), SOURCE, inside("src_len"))
  })

  const decoder = new Column("decoder", 1)
  let bridge
  decoder.start(t("target ids"), "tgt_len", TARGET)
  decoder.layers(t("Decoder"), "num_decoder_layers", () => {
    decoder.sublayer(t("Masked self-attention"), TARGET, weights("tgt_len", "tgt_len"))
    bridge = decoder.sublayer(t("Cross-attention"), TARGET, weights("tgt_len", "src_len"))
    decoder.sublayer(t("Feed-forward"), TARGET, inside("tgt_len"))
  })
  decoder.arrow(TARGET)
  decoder.box(t("Output layer"))
  decoder.arrow(["batch", "tgt_len", "vocab_size"])
  decoder.label(t("logits"))

  carryMemory(encoder, bridge)
  const top = decoder.y - 18
  const picture = svg("svg", {
    viewBox: `0 ${top} ${WIDTH} ${-top}`,
    role: "img",
    "aria-label": t("The model with your sizes; the table below has every shape in it."),
  })
  picture.append(encoder.group, decoder.group, legend(top + 12))
  return picture
}

/** Press together what is longer than its place. */
export function fit(picture) {
  for (const text of picture.querySelectorAll("[data-room]")) {
    text.removeAttribute("textLength")
    if (text.getComputedTextLength() > text.dataset.room) text.setAttribute("textLength", text.dataset.room)
  }
}

/** The way of the memory from the encoder's last layer to the cross-attention. */
function carryMemory(encoder, bridge) {
  const way = `M${encoder.way} ${encoder.y + 20}v-30H${MIDDLE}V${bridge}h6`
  encoder.draw("path", { d: way, class: "bridge" })
  encoder.head(MIDDLE + 11, bridge, 1, "bridge")
  encoder.y -= 12
  encoder.label(t("memory"), " ", ...shape(SOURCE))
}

/** What each number counts. */
function legend(top) {
  const rows = LEGEND.flatMap((name, row) => {
    const y = top + 17 * row
    const number = { x: 58, y, "text-anchor": "end", class: "name" }
    return [svg("text", number, size(name)), svg("text", { x: 64, y }, name)]
  })
  return svg("g", {}, ...rows)
}

const weights = (queries, keys) => [t("weights"), " ", ...shape(["batch", "num_heads", queries, keys])]

const inside = length => [t("inside"), " ", ...shape(["batch", length, "d_ff"])]
