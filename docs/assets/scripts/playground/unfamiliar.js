// What in a sentence the shipped model cannot know: transformer/inference/unfamiliar.py, and besides
// it the constructions. `neighbours` says which kinds of words stood side by side in training.

const WORD = /[\p{L}\p{N}]+(?:'[\p{L}\p{N}_]+)*/gu
const MOST_SENTENCES = 2

/** Words, marks, pairs of words that training never showed; and whether it is too long. */
export function unfamiliar(text, tokenizer, neighbours) {
  const spelled = tokenizer.spelled(text)
  const plain = spelled.replace(/ 's(?= )/g, "")
  const words = plain.match(WORD) ?? []
  const marks = plain.replace(WORD, " ").match(/[^\s.?!]/gu) ?? []
  const unknown = words.filter(word => tokenizer.pieces(tokenizer.encode(word))[0] !== `${word} `)
  const sentences = (spelled.match(/[.?!](?: [.?!])*(?= |$)/g) ?? []).length
  return {
    words: [...new Set(unknown)],
    marks: [...new Set(marks)],
    pairs: marks.length ? [] : strangePairs(spelled, neighbours, unknown),
    sentences: sentences > MOST_SENTENCES ? sentences : 0,
    length: sentences <= MOST_SENTENCES && words.length > neighbours.longest ? words.length : 0,
  }
}

/** Each pair once, without the words that are told anyway. */
function strangePairs(spelled, { kinds, after }, unknown) {
  const words = spelled.split(" ")
  const kind = word => kinds[word] ?? word
  const pairs = ["", ...words].map((word, i) => [word, words[i] ?? ""])
  const strange = pairs.filter(
    ([a, b]) => !unknown.includes(a) && !unknown.includes(b) && !(after[kind(a)] ?? []).includes(kind(b)),
  )
  return [...new Map(strange.map(pair => [pair.join(" "), pair])).values()]
}
