// The part of a section that has most of the words it was found by, with these marked.

import { element } from "../page.js"

const LENGTH = 150 // characters
const BEFORE = 30 // of them lead up to the first word

export function excerpt(text, words) {
  const longestFirst = words.toSorted((a, b) => b.length - a.length).join("|")
  const pattern = new RegExp(`(?<![a-z0-9_])(${longestFirst.replaceAll(".", "\\.")})`, "giu")
  const places = Array.from(text.matchAll(pattern), found => found.index)
  const count = place => places.filter(at => at >= place && at < place + LENGTH).length
  const best = places.reduce((a, b) => (count(b) > count(a) ? b : a), places[0] ?? 0)
  const start = Math.max(best - BEFORE, 0)
  let shown = text.slice(start, start + LENGTH)
  if (start > 0) shown = shown.replace(/^\w*/, "…") // not half a word
  if (start + LENGTH < text.length) shown = shown.replace(/\w*$/, "…")
  return shown.split(pattern).map((part, at) => (at % 2 ? element("mark", part) : part))
}
