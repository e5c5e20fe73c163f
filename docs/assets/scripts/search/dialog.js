// The search: a field, and below it the sections that answer what stands in it.

import { button, element } from "../page.js"
import { excerpt } from "./excerpt.js"
import { find } from "./find.js"

const RESULTS = 25
const CHINESE = {
  Search: "搜尋",
  Close: "關閉",
  "Loading the search …": "正在載入搜尋……",
  "The search could not be loaded.": "搜尋載入失敗。",
  "Try again": "再試一次",
  "Sections found: ": "找到的小節：",
}
const label = english => (document.documentElement.lang === "zh-TW" ? CHINESE[english] : english)
// Where the pages of this language begin: every theme writes it into its pages.
const { base } = JSON.parse(document.querySelector("#__config").textContent)
const home = new URL(`${base}/`, location)

const dialog = element("dialog.search", { "aria-label": label("Search") })
dialog.innerHTML = `
  <form role="search">
    <input role="searchbox" aria-label="${label("Search")}" autocomplete="off" enterkeyhint="go">
    <button type="button">${label("Close")}</button>
  </form>
  <p role="status"></p>
  <ol></ol>`
const [form, status, list] = dialog.children
const [field, close] = form
form.addEventListener("submit", openFirst)
close.addEventListener("click", () => dialog.close())
for (const change of ["input", "compositionend"]) field.addEventListener(change, show)
dialog.addEventListener("keydown", move)
dialog.addEventListener("click", event => {
  if (event.target === dialog || event.target.closest("a")) dialog.close()
})
addEventListener("online", () => dialog.open && show())
document.body.append(dialog)

let loading // the index, from the first time that the search opens

export function open(query) {
  if (query) field.value = query
  if (!dialog.open) dialog.showModal()
  field.select()
  show()
}

/** Show what answers the query that stands in the field when the index is there. */
async function show(event) {
  if (event?.isComposing) return // with an input method: half a word is not looked up
  if (!status.textContent) status.textContent = label("Loading the search …")
  try {
    loading ??= fetch(new URL("search/index.json", home)).then(response => response.json())
    const index = await loading
    const query = field.value.trim()
    const { sections, words } = query ? find(index, query) : { sections: [] }
    list.replaceChildren(...sections.slice(0, RESULTS).map(section => result(section, words)))
    list.scrollTop = 0
    status.textContent = query ? label("Sections found: ") + sections.length : ""
  } catch {
    loading = undefined
    list.replaceChildren()
    status.replaceChildren(label("The search could not be loaded."), " ", button(label("Try again"), show))
  }
}

function result([url, title, heading, content], words) {
  const page = title === heading ? null : element("span", title)
  const text = element("span.excerpt", ...excerpt(content, words))
  const link = element("a", { href: new URL(url, home) }, element("strong", heading), page, text)
  return element("li", link)
}

async function openFirst(event) {
  event.preventDefault()
  await show()
  if (dialog.open) list.querySelector("a")?.click()
}

/** Arrow keys move between the field and the results. */
function move(event) {
  // An Enter that ends a composition opens nothing; Safari sends it afterwards, with this code.
  if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || event.isComposing) return
  event.preventDefault()
  const stops = [field, ...list.querySelectorAll("a")]
  stops.at(Math.max(stops.indexOf(document.activeElement) + step, 0))?.focus()
}
