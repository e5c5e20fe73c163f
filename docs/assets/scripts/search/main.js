// The search box: a slash opens it while a Chinese input method is on, and it sees what was typed
// without keys.

const box = document.querySelector("[data-md-component=search-query]")
// What the key of the slash says then: Zhuyin, other methods, full width, or that one is at work.
const SLASHES = ["ㄥ", "、", "／", "Process"]
const FIELD = "input, select, textarea, [contenteditable]"

addEventListener("keydown", event => {
  const isSlash = event.code === "Slash" && SLASHES.includes(event.key)
  const isCommand = event.ctrlKey || event.metaKey || event.altKey
  if (!isSlash || isCommand || document.activeElement.matches(FIELD)) return
  box.focus()
  box.select()
  event.preventDefault() // the key shall not be the first letter of the query
})

// Material looks when a key is let go: not after a paste, a dictation or a tap on a candidate.
box.addEventListener("input", () => box.dispatchEvent(new KeyboardEvent("keyup")))
