// The search of every page: Material's own worker, asked in words of the index.
//
// By itself it loses the last character of a Chinese query, takes "by" for the beginning of
// "byte", and knows neither 机 nor 掩碼. It would fetch the index with every page, and read through
// it; here that waits for the first query. A classic script, since Material starts it as one; its
// address tells where the index and Material's worker are.

const [SETUP, READY, QUERY] = [0, 1, 2]
const HAN = /(\p{sc=Han}+)/u
const COMMAND = /[+~^*\\]+/g // means something to Material
const EXACT = "^4" // a word counts for more than what only begins with it

const address = new URLSearchParams(location.search)
const post = self.postMessage.bind(self)
let options // of Material's
let index // asked for with the first query
let words = [] // of the index, in order
let known = new Set() // the same
let separator = /\s+/
let simplified = {} // characters of the pages by their simplified forms
let instead = new Map() // words of the pages by those of elsewhere

addEventListener("message", event => {
  if (!event.isTrusted) return // told below
  event.stopImmediatePropagation()
  const { type, data } = event.data
  if (type === SETUP) {
    options = data.options
    post({ type: READY })
  } else if (type === QUERY && (data || index)) answer(data)
})

importScripts(address.get("worker"))

async function answer(query) {
  index ??= fetched()
  await index
  tell(QUERY, asked(query))
}

/** Wait for the index, and until Material's worker has read it; the page thinks that it long has. */
async function fetched() {
  const found = await fetch(address.get("index"))
  const data = await found.json()
  learn(data)
  const read = new Promise(resolve => {
    self.postMessage = message => message.type === READY ? resolve() : post(message)
  })
  tell(SETUP, { ...data, options })
  return read
}

function tell(type, data) {
  dispatchEvent(new MessageEvent("message", { data: { type, data } }))
}

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
