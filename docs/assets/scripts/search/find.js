// Looks a query up in the index that docs/builder/search.py wrote.

const HAN = /[一-鿿]/
const [BEGINNING, MISSPELT] = [0.4, 0.5] // what a word counts for that is not quite the one typed

/** The sections that answer a query, best first, with the words that they were found by. */
export function find(index, query) {
  const scores = new Map()
  const found = new Set()
  let whole = 0
  const words = wordsOf(index, query)
  for (const [position, word] of words.entries()) {
    const sections = new Map()
    for (const [match, worth] of matches(index, word, position === words.length - 1)) {
      const weights = index.words[match]
      let section = 0 // each number says how many sections further on
      for (let at = 0; at < weights.length; at += 2) {
        section += weights[at]
        sections.set(section, Math.max(sections.get(section) ?? 0, weights[at + 1] * worth))
      }
      found.add(match)
    }
    if (sections.size === 0) continue
    const rarity = Math.log(1 + index.sections.length / sections.size)
    whole += rarity
    for (const [section, weight] of sections) {
      const [score, share] = scores.get(section) ?? [0, 0]
      scores.set(section, [score + rarity * weight, share + rarity])
    }
  }
  // A section without a word of the query loses as much as that word is rare.
  const worth = section => scores.get(section)[0] * (scores.get(section)[1] / whole) ** 2
  const ranked = [...scores.keys()].sort((a, b) => worth(b) - worth(a) || a - b)
  return { sections: ranked.map(section => index.sections[section]), words: [...found] }
}

/** The words of a query as the index has them, without those that only ask. */
function wordsOf(index, query) {
  const typed = query.normalize("NFKC").toLowerCase()
  const written = swapped(index, swapped(index, typed)) // characters first: they make up the words
  const runs = written.match(new RegExp(index.run, "g")) ?? []
  const plural = new RegExp(index.plural)
  const words = runs.flatMap(run => (HAN.test(run) ? cut(index, run) : run.replace(plural, "")))
  const telling = words.filter(word => !index.questions.includes(word))
  return telling.length > 0 ? telling : words
}

/** What readers elsewhere type, in characters and words of the pages. */
function swapped(index, text) {
  const others = Object.keys(index.instead).sort((a, b) => b.length - a.length)
  return text.replace(new RegExp(others.join("|") || "$^", "gu"), other => index.instead[other])
}

/** Chinese without spaces, cut into the longest words that are known. */
function cut(index, run) {
  const isKnown = word => Object.hasOwn(index.words, word) || index.questions.includes(word)
  let length = run.length
  while (length > 1 && !isKnown(run.slice(0, length))) length--
  const word = run.slice(0, length)
  return length < run.length ? [word, ...cut(index, run.slice(length))] : [word]
}

/** Words of the index for one of the query, with what each is worth. */
function matches(index, word, isLast) {
  const exact = Object.hasOwn(index.words, word) ? [[word, 1]] : []
  if (exact.length > 0 && !isLast) return exact
  const all = Object.keys(index.words)
  const longer = all.filter(other => other !== word && other.startsWith(word))
  const begun = longer.map(other => [other, (BEGINNING * word.length) / other.length])
  if (exact.length + begun.length > 0 || word.length < 5 || HAN.test(word)) return [...exact, ...begun]
  const oneOff = Array.from(word, (_, at) => `${word.slice(0, at)}.{0,2}${word.slice(at + 1)}`)
  const misspelt = new RegExp(`^(?:${oneOff.join("|")})$`, "u")
  return all.filter(other => misspelt.test(other)).map(other => [other, MISSPELT])
}
