// The links to the other language keep the reader's place: sections have the same anchors there.

const SECTIONS = "article :is(h2, h3)[id]"
const UPPER_EDGE = 110 // pixels: a heading that a link led to stands above

function place() {
  if (location.hash.includes("=")) return location.hash // what the playground shows
  const begun = [...document.querySelectorAll(SECTIONS)].filter(isAbove)
  return begun.length ? `#${begun.at(-1).id}` : ""
}

function isAbove(heading) {
  return heading.getBoundingClientRect().top < UPPER_EDGE
}

function keep_place(event) {
  const link = event.target.closest("a[hreflang]")
  if (link) link.hash = place()
}

addEventListener("click", keep_place, { capture: true })
addEventListener("auxclick", keep_place, { capture: true }) // into another tab
