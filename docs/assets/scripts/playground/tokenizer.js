// Byte-pair encoding, from the JSON that the model's file holds: transformer/data/tokenizer.py; and
// the whole words of the hand-made model: transformer/data/word_tokenizer.py.

import { normalizeSource, words } from "./spelling.js"

export const SPECIAL = ["<pad>", "<bos>", "<eos>", "<unk>"]
const EOS_ID = SPECIAL.indexOf("<eos>")

// No merge crosses the border of a piece: a Chinese character, a word, marks, white space.
const SPACE = "(?:[^\\S\\ufeff]|\\x85)"
const LETTER = "(?:(?!\\p{Script=Han})[\\p{L}\\p{M}\\p{N}'])"
const MARK = `(?:(?!${SPACE})[^\\p{L}\\p{M}\\p{N}'])`
const PIECES = new RegExp(`\\p{Script=Han}|${LETTER}+ ?|${MARK}+ ?|${SPACE}+`, "gu")

// Every word gets a space. Where the text has none, the joiner says so to the decoder.
const JOINER = "\uffed"
const ENDS_BEFORE_OTHERS = new RegExp(`(${LETTER})(?! |${LETTER}|$)`, "gu")
const ENDS_THE_TEXT = new RegExp(`(${LETTER})(?= *$)`, "u")
const ADDED_AT_THE_END = new RegExp(`(${LETTER}) (?= *$)`, "u")

// A byte is written as a character: a printable one as itself, another from U+0100 on.
const PRINTABLE = [...range(0x21, 0x7f), ...range(0xa1, 0xad), ...range(0xae, 0x100)]
const OTHERS = range(0, 256).filter(byte => !PRINTABLE.includes(byte))
const CHARACTERS = new Map(PRINTABLE.map(byte => [byte, String.fromCodePoint(byte)]))
for (const [i, byte] of OTHERS.entries()) CHARACTERS.set(byte, String.fromCodePoint(256 + i))
const BYTES = new Map([...CHARACTERS].map(([byte, character]) => [character, byte]))

export class Tokenizer {
  constructor({ bpe }) {
    this.ids = new Map(Object.entries(bpe.model.vocab))
    this.tokens = [...this.ids].sort((a, b) => a[1] - b[1]).map(([token]) => token)
    this.ranks = new Map(bpe.model.merges.map((pair, rank) => [pair.join(" "), rank]))
  }

  spelled(text) {
    return normalizeSource(text)
  }

  /** The ids of a text, without special ones. */
  encode(text) {
    const spaced = text
      .normalize("NFC")
      .replaceAll(JOINER, "■")
      .replace(ENDS_BEFORE_OTHERS, `$1 ${JOINER}`)
      .replace(ENDS_THE_TEXT, "$1 ")
    const pieces = spaced.match(PIECES) ?? []
    return pieces.flatMap(piece => this.merge(piece)).map(token => this.ids.get(token))
  }

  encode_source(text) {
    return [...this.encode(this.spelled(text)), EOS_ID]
  }

  /** The bytes of a piece, joined by the merges, earliest learned first. */
  merge(piece) {
    const tokens = Array.from(new TextEncoder().encode(piece), byte => CHARACTERS.get(byte))
    for (;;) {
      const ranks = tokens.slice(1).map((token, i) => this.ranks.get(`${tokens[i]} ${token}`))
      const best = Math.min(...ranks.filter(rank => rank !== undefined))
      const at = ranks.indexOf(best)
      if (at < 0) return tokens
      tokens.splice(at, 2, tokens[at] + tokens[at + 1])
    }
  }

  /** The text of ids; special ones are skipped. */
  decode(ids) {
    const text = this.text(ids.filter(id => id >= SPECIAL.length))
    return text.replace(/ ?\uffed/g, "").replace(ADDED_AT_THE_END, "$1")
  }

  /** The text of each id on its own: a part of a character in hexadecimal. */
  pieces(ids) {
    return ids.map(id => {
      if (id < SPECIAL.length) return SPECIAL[id]
      const text = this.text([id])
      if (!text.includes("\ufffd")) return text
      const hexadecimal = this.bytes([id]).map(byte => byte.toString(16).padStart(2, "0"))
      return `<${hexadecimal.join(" ").toUpperCase()}>`
    })
  }

  text(ids) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(this.bytes(ids)))
  }

  bytes(ids) {
    return ids.flatMap(id => [...this.tokens[id]].map(character => BYTES.get(character)))
  }
}

/** Raised for a word that is in no vocabulary. */
export class UnknownWord extends Error {}

export class WordTokenizer {
  constructor(target, source) {
    Object.assign(this, { target: target.slice(3), source, names: [...target, ...source] })
  }

  spelled(text) {
    return words(text.normalize("NFC"))
      .join(" ")
      .toLowerCase()
      .replace(/[ .!?]+$/, "")
  }

  /** The ids of a source sentence. */
  encode(text) {
    return words(text).map(word => {
      if (!this.source.includes(word)) throw new UnknownWord(word)
      return this.names.indexOf(word)
    })
  }

  encode_source(text) {
    return [...this.encode(this.spelled(text)), EOS_ID]
  }

  decode(ids) {
    return this.pieces(ids)
      .filter(piece => !SPECIAL.includes(piece))
      .join("")
  }

  pieces(ids) {
    return ids.map(id => this.names[id])
  }
}

function range(start, end) {
  return Array.from({ length: end - start }, (_, i) => start + i)
}
