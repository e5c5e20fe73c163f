// The shipped model's file: safetensors, as transformer/checksummed_file.py writes it.

import { Matrix } from "./matrix.js"
import { Transformer } from "./model.js"
import { Tokenizer } from "./tokenizer.js"

/** A file of the models' folder. */
export async function fetched(name) {
  const answer = await fetch(new URL(`../../models/${name}`, import.meta.url))
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return answer
}

/** The model and its tokenizer, from the bytes of the file. */
export function loadModel(bytes) {
  const length = Number(new DataView(bytes).getBigUint64(0, true))
  const { __metadata__: entry, ...parameters } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(bytes, 8, length)),
  )
  const { config, tokenizer } = JSON.parse(entry.transformer)
  const weights = {}
  for (const [name, { shape, data_offsets }] of Object.entries(parameters)) {
    const [start, end] = data_offsets.map(offset => 8 + length + offset)
    put(weights, name, tensor(shape, new Uint16Array(bytes.slice(start, end))))
  }
  return [new Transformer(config, weights), new Tokenizer(tokenizer)]
}

/** Put a parameter into the tree of weights, at the place that its name tells. */
function put(weights, name, parameter) {
  const names = name.split(".")
  const last = names.pop()
  let place = weights
  names.forEach((part, i) => {
    place = place[part] ??= /^\d+$/.test(names[i + 1]) ? [] : {}
  })
  place[last] = parameter
}

/** Numbers of 16 bits (IEEE 754) in 32: with each bit in its place, only the exponent is off. */
function tensor(shape, halves) {
  const bits = new Uint32Array(halves.length)
  for (let i = 0; i < bits.length; i++) bits[i] = ((halves[i] & 0x8000) << 16) | ((halves[i] & 0x7fff) << 13)
  const numbers = new Float32Array(bits.buffer)
  for (let i = 0; i < bits.length; i++) numbers[i] *= 2 ** (127 - 15)
  return shape.length === 2 ? new Matrix(...shape, numbers) : numbers
}
