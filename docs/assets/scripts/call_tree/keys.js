// The keys of a tree view: up, down, Home and End among what is seen, left and right to fold.

const MOVES = {
  ArrowDown: tree => tree.seen[tree.seen.indexOf(tree.current) + 1],
  ArrowUp: tree => tree.seen[tree.seen.indexOf(tree.current) - 1],
  Home: tree => tree.seen[0],
  End: tree => tree.seen.at(-1),
  ArrowRight: tree => turn(tree.current, true) ?? tree.seen.find(call => call.parent === tree.current),
  ArrowLeft: tree => turn(tree.current, false) ?? tree.current.parent,
}

/** Let keys and clicks move through a tree. */
export function listen(tree) {
  tree.list.addEventListener("keydown", event => {
    const move = MOVES[event.key]
    if (!move || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(tree)?.handle.focus()
  })
  tree.list.addEventListener("focusin", event => tree.moveTo(tree.callAt(event.target)))
  tree.list.addEventListener("toggle", () => tree.settle(), true)
  tree.list.addEventListener("click", event => {
    const isText = !event.target.closest("a, summary") && getSelection().isCollapsed
    if (isText) tree.callAt(event.target)?.handle.focus({ preventScroll: true })
  })
}

/** Fold or unfold a call, and return it; nothing if it was so already. */
function turn(call, open) {
  if (!call.details || call.details.hidden || call.details.open === open) return undefined
  call.details.open = open
  return call
}
