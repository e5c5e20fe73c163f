// What was typed, marked where it stands on the lines of a tree.

const marked = window.Highlight ? new Highlight() : new Set() // an older browser marks nothing
if (window.Highlight) CSS.highlights.set("found", marked)

/** A function that marks what was typed on lines, in place of what it marked before. */
export function highlight() {
  let own = []
  return (calls, typed) => {
    for (const range of own) marked.delete(range)
    own = calls.flatMap(call => [...ranges(call, typed)])
    for (const range of own) marked.add(range)
  }
}

function* ranges({ nodes, text }, typed) {
  const line = text.toLowerCase()
  for (let at = line.indexOf(typed); at >= 0; at = line.indexOf(typed, at + typed.length)) {
    const range = new Range()
    range.setStart(...place(nodes, at))
    range.setEnd(...place(nodes, at + typed.length))
    yield range
  }
}

/** The text and the place in it where so many letters of a line have been read. */
function place(nodes, letters) {
  for (const node of nodes) {
    if (letters <= node.length) return [node, letters]
    letters -= node.length
  }
}
