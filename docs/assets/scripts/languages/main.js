// The links to the other language keep the reader's place: sections have the same anchors there.

const SECTIONS = "article :is(h2, h3, .panel)[id]"
const UPPER_EDGE = 110 // pixels: a heading that a link led to stands above

function place() {
  const begun = [...document.querySelectorAll(SECTIONS)].filter(isAbove)
  const section = begun.at(-1)?.id
  if (!location.hash.includes("=")) return section ? `#${section}` : ""
  const shown = location.hash.replace(/&at=.*/, "") // by the playground
  return section ? `${shown}&at=${section}` : shown
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
