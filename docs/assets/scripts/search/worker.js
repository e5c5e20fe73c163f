// The search of every page: Material's own worker, asked in words of the index.
//
// By itself it loses the last character of a Chinese query, takes "by" for the beginning of
// "byte", and knows neither 机 nor 掩碼. A classic script, since Material starts it as one; its
// address ends in ? and the address of Material's worker.

const SETUP = 0
const QUERY = 2
const HAN = /(\p{sc=Han}+)/u
const COMMAND = /[+~^*\\]+/g // means something to Material
const EXACT = "^4" // a word counts for more than what only begins with it

let words = [] // of the index, in order
let known = new Set() // the same
let separator = /\s+/
let simplified = {} // characters of the pages by their simplified forms
let instead = new Map() // words of the pages by those of elsewhere

addEventListener("message", event => {
  if (!event.isTrusted) return // sent below
  const { type, data } = event.data
  if (type === SETUP) learn(data)
  if (type !== QUERY) return
  event.stopImmediatePropagation()
  dispatchEvent(new MessageEvent("message", { data: { type, data: asked(data) } }))
})

importScripts(location.search.slice(1))

function learn({ config, docs }) {
  separator = new RegExp(config.separator)
  simplified = config.simplified ?? {}
  instead = new Map(Object.entries(config.instead ?? {}))
  const texts = docs.flatMap(({ title, text, tags = [] }) => [title, text, ...tags])
  known = new Set(texts.flatMap(text => wordsOf(text.replace(/<[^>]*>/g, " "))))
  words = [...known].sort()
}

function wordsOf(text) {
  return text.toLowerCase().split(separator).filter(Boolean)
}

/** The query in words that the index has, as far as possible. */
function asked(query) {
  const plain = query.normalize("NFKC").replace(COMMAND, " ")
  const typed = plain.replace(/./gu, character => simplified[character] ?? character)
  const runs = wordsOf(typed).flatMap(word => word.split(HAN).filter(Boolean))
  const found = runs.flatMap(run => HAN.test(run) ? cut(run) : singular(run))
  const telling = found.filter((word, at) => at === found.length - 1 || lunr.stopWordFilter(word))
  return telling.map(word => clause(word, telling.length)).join(" ")
}

/** Chinese without spaces, cut into the longest words that are known. */
function cut(run) {
  if (begins(run)) return [run] // one may still be typing
  let length = run.length
  while (length > 1 && !isKnown(run.slice(0, length))) length--
  const word = run.slice(0, length)
  const first = known.has(word) || !instead.has(word) ? [word] : cut(instead.get(word))
  return length < run.length ? [...first, ...cut(run.slice(length))] : first
}

function isKnown(word) {
  return known.has(word) || instead.has(word)
}

function singular(word) {
  return begins(word) ? word : word.replace(/(?<=[a-z]{2}[^su])s$/, "")
}

/** Whether a word of the index begins so. */
function begins(start) {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle] < start) low = middle + 1
    else high = middle
  }
  return words[low]?.startsWith(start) ?? false
}

/** A word as Material should look for it; it appends a star where nothing else stands. */
function clause(word, count) {
  const whole = [...word].join(HAN.test(word) ? "\\" : "") // or Material would cut it once more
  if (word.length === 1 && count > 1) return `${whole}${EXACT}`
  if (word.length > 5 && !begins(word)) return `${whole}~1` // with one letter wrong
  return `${whole}${EXACT} ${whole}`
}
