// How a source sentence is spelled before it becomes ids: transformer/data/spelling.py once more.
// What Python calls a word character or white space is written out: JavaScript means others by it.

const WORD = "[\\p{L}\\p{N}_]"
const SPACES = /(?:[^\S\ufeff]|[\x1c-\x1f\x85])+/u
const START = `(?<!${WORD})`
const END = `(?!${WORD})`
const SHORT_FORMS = [
  [`${START}won't${END}`, "will not"],
  [`${START}can't${END}`, "can not"],
  [`${START}shan't${END}`, "shall not"],
  [`(${WORD})n't${END}`, "$1 not"],
  [`${START}i'm${END}`, "i am"],
  [`(${WORD})'re${END}`, "$1 are"],
  [`(${WORD})'ll${END}`, "$1 will"],
  [`${START}(he|she|it|that|there|what|who|where|when)'s${END}`, "$1 is"],
  [`(${WORD})'s${END}`, "$1 's"], // whose it is
].map(([short, full]) => [new RegExp(short, "gu"), full])

/** The words of a text, with single spaces. */
export function words(text) {
  return text.split(SPACES).filter(Boolean)
}

/** Write a source sentence as the grammar does: lower case, short forms in full, marks apart. */
export function normalizeSource(text) {
  text = text.normalize("NFC").toLowerCase().replaceAll("’", "'").replaceAll(",", " ")
  for (const [short, full] of SHORT_FORMS) text = text.replace(short, full)
  const found = words(text.replace(/([.?!])/g, " $1 "))
  if (found.length && !".?!".includes(found.at(-1))) found.push(".")
  return found.join(" ")
}
