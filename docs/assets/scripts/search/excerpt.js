// The part of a section that has most of the words it was found by, with these marked.

const LENGTH = 150
const BEFORE = 30 // characters that lead up to the first word

export function excerpt(text, words) {
  const pattern = words.map(word => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")).sort((a, b) => b.length - a.length).join("|")
  const found = [...text.matchAll(new RegExp(`(?<![a-z0-9_])(?:${pattern || "$^"})`, "giu"))]
  const counts = found.map(({ index }) => new Set(within(found, index).map(([word]) => word.toLowerCase())).size)
  const first = found[counts.indexOf(Math.max(...counts))]?.index ?? 0
  const from = first > BEFORE ? beginning(text, first) : 0
  const parts = [from > 0 ? "…" : ""]
  let at = from
  for (const { index, 0: word } of found.filter(({ index }) => index >= from && index < from + LENGTH)) {
    const mark = document.createElement("mark")
    mark.textContent = word
    parts.push(text.slice(at, index), mark)
    at = index + word.length
  }
  const rest = text.slice(at, from + LENGTH)
  return [...parts, ...(at + rest.length < text.length ? [rest.replace(/[\w.]+$/, ""), "…"] : [rest])]
}

/** Where a word begins, some characters before another. */
function beginning(text, first) {
  const space = text.indexOf(" ", first - BEFORE - 1)
  return space >= 0 && space < first ? space + 1 : first - BEFORE
}

function within(found, start) {
  return found.filter(({ index }) => index >= start && index < start + LENGTH)
}
