// The links to the other language keep the reader's place: sections have the same anchors there.

const SECTIONS = "article :is(h2, h3, .panel)[id]"
const UPPER_EDGE = 110 // pixels: a heading that a link led to stands above

function place() {
  const sections = [...document.querySelectorAll(SECTIONS)]
  const section = (sections.find(isNamed) ?? sections.filter(isAbove).at(-1))?.id
  if (!location.hash.includes("=")) return section ? `#${section}` : ""
  const shown = location.hash.replace(/&at=.*/, "") // by the playground
  return section ? `${shown}&at=${section}` : shown
}

function isAbove(heading) {
  return heading.getBoundingClientRect().top < UPPER_EDGE
}

// It stood at the edge, and slides down while fonts and pictures above it arrive.
function isNamed(heading) {
  const { top } = heading.getBoundingClientRect()
  return location.hash === `#${heading.id}` && top >= 0 && top < innerHeight
}

function keepPlace(event) {
  const link = event.target.closest("a[hreflang]")
  if (!link) return
  link.hash = place()
  event.stopPropagation() // on a host with a port the script of the theme does not find the page
}

addEventListener("click", keepPlace, { capture: true })
addEventListener("auxclick", keepPlace, { capture: true }) // into another tab
