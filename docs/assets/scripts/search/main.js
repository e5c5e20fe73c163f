// The button that opens the search, its key, and searches that come with an address (?q=mask).
// All else is loaded when it opens.

const isChinese = document.documentElement.lang === "zh-TW"
// What the key of the slash says: itself, Zhuyin, other methods, full width, or that one is at work.
const SLASHES = ["/", "ㄥ", "、", "／", "Process"]
const FIELD = "input, select, textarea, [contenteditable]"

const button = document.createElement("button")
button.className = "search-button"
button.type = "button"
button.title = isChinese ? "搜尋（按 / 鍵）" : "Search (press /)"
button.setAttribute("aria-keyshortcuts", "/")
button.textContent = isChinese ? "搜尋" : "Search"
button.onclick = () => open()
document.querySelector(".md-header__inner").append(button)

async function open(query) {
  const { open } = await import("./dialog.js")
  open(query)
}

addEventListener("keydown", event => {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey
  if (event.code !== "Slash" || !SLASHES.includes(event.key) || isCommand) return
  if (document.activeElement.matches(FIELD) || document.querySelector("dialog[open]")) return
  event.preventDefault() // the key shall not be the first letter of the query
  open()
})

const query = new URLSearchParams(location.search).get("q")
if (query) open(query)
