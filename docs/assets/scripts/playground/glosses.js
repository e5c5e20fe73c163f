// What Chinese words mean, for readers of the English page: their list stands in it. The Chinese page
// has none, and each of its tokens is a word.

import { element } from "../page.js"

const list = document.getElementById("glosses")
const GLOSSES = new Map(Object.entries(list ? JSON.parse(list.textContent) : {}))
const WORDS = [...GLOSSES.keys()].sort((a, b) => a.length - b.length)
const LONGEST = WORDS.at(-1)?.length ?? 1

/** Whether the page has them. */
export const hasGlosses = GLOSSES.size > 0

/** Tokens as the items of a list, `token(i)` for each; those of one word together, above its gloss. */
export function groupedByWord(pieces, token) {
  return wordsOf(pieces).map(({ from, to, gloss }) => {
    const tokens = pieces.slice(from, to).map((_, i) => token(from + i))
    return element("li", element("div", ...tokens), gloss && small(gloss))
  })
}

/** For each token the gloss of the word that begins with it, if one does. */
export function glossesAt(pieces) {
  const found = Array(pieces.length).fill(null)
  for (const { from, gloss } of wordsOf(pieces)) found[from] = gloss && small(gloss)
  return found
}

/** A Chinese sentence, and word for word what is known of it. */
export function chinese(text) {
  const glosses = wordsOf([...text]).map(({ gloss }) => gloss)
  const meaning = glosses.filter(Boolean).join(" ")
  const english = meaning && element("span.gloss", { lang: "en" }, ` (${meaning})`)
  return element("span", element("span", { lang: "zh-TW" }, text), english)
}

/** What a token may mean behind others: the word that it ends, or one that it begins. */
export function possibleMeaning(before, piece) {
  for (let back = Math.min(LONGEST - 1, before.length); back >= 0; back--) {
    const begun = [...before.slice(before.length - back), piece].join("")
    if (GLOSSES.has(begun)) return small(GLOSSES.get(begun))
    const shortest = WORDS.find(word => word.startsWith(begun))
    if (shortest) return small(`${GLOSSES.get(shortest)} …`)
  }
  return null
}

/** The tokens in words, at each place the longest one that there is. */
function wordsOf(pieces) {
  const words = []
  for (let from = 0; from < pieces.length; from = words.at(-1).to) {
    const word = to => pieces.slice(from, to).join("")
    let to = Math.min(from + LONGEST, pieces.length)
    while (to > from + 1 && !GLOSSES.has(word(to))) to--
    words.push({ from, to, gloss: GLOSSES.get(word(to)) ?? null })
  }
  return words
}

function small(gloss) {
  return element("small.gloss", { lang: "en" }, gloss)
}
