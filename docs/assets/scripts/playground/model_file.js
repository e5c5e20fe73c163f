// The shipped model's file: safetensors, as transformer/sealed_file.py writes it.

import { Matrix } from "./matrix.js"
import { Transformer } from "./model.js"
import { Tokenizer } from "./tokenizer.js"

// What each pattern of 16 bits stands for: a file has many more numbers than there are patterns.
const NUMBERS = Float32Array.from({ length: 2 ** 16 }, (_, bits) => half_precision(bits))

/** The model and its tokenizer, from the bytes of the file. */
export function load_model(bytes) {
  const length = Number(new DataView(bytes).getBigUint64(0, true))
  const { __metadata__: entry, ...parameters } =
    JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)))
  const { config, tokenizer } = JSON.parse(entry.transformer)
  const weights = {}
  for (const [name, { shape, data_offsets }] of Object.entries(parameters)) {
    const [start, end] = data_offsets.map(offset => 8 + length + offset)
    put(weights, name, tensor(shape, new Uint16Array(bytes.slice(start, end))))
  }
  return [new Transformer(config, weights), new Tokenizer(tokenizer)]
}

/** Put a parameter into the tree of weights, at the place that its name tells. */
export function put(weights, name, parameter) {
  const names = name.split(".")
  const last = names.pop()
  let place = weights
  names.forEach((part, i) => {
    place = place[part] ??= /^\d+$/.test(names[i + 1]) ? [] : {}
  })
  place[last] = parameter
}

function tensor(shape, halves) {
  const numbers = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i++) numbers[i] = NUMBERS[halves[i]]
  return shape.length === 2 ? new Matrix(...shape, numbers) : numbers
}

/** The number that 16 bits stand for (IEEE 754): a sign, 5 bits of exponent, 10 of fraction. */
function half_precision(bits) {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = (bits & 1023) / 1024
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction)
}
