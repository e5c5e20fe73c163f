// The search: a field, and below it the sections that answer what stands in it.

import { element } from "../page.js"
import { find } from "./find.js"
import { excerpt } from "./excerpt.js"

const RESULTS = 25
const TEXTS = {
  "Search": "搜尋",
  "Close": "關閉",
  "Loading the search …": "正在載入搜尋……",
  "The search could not be loaded.": "搜尋載入失敗。",
  "Try again": "再試一次",
  "Nothing found.": "沒有找到。",
  "1 section": "1 個小節",
  "{n} sections": "{n} 個小節",
  "The best {k} of {n} sections": "{n} 個小節裡最合適的 {k} 個",
}
const isChinese = document.documentElement.lang === "zh-TW"
const text = english => isChinese ? TEXTS[english] : english
// Where the pages of this language begin; the theme writes it into every page.
const { base } = JSON.parse(document.querySelector("#__config").textContent)
const home = new URL(`${base}/`, location)

const field = element("input", { role: "searchbox", "aria-label": text("Search"), autocomplete: "off", enterKeyHint: "go", oninput: show })
field.addEventListener("compositionstart", () => { composing = true })
field.addEventListener("compositionend", () => { composing = false; show() })
const close = element("button", { type: "button", onclick: () => dialog.close() }, text("Close"))
const status = element("p", { role: "status" })
const list = element("ol")
const form = element("form", { role: "search", onsubmit: openFirst }, field, close)
const dialog = element("dialog", { class: "search", "aria-label": text("Search") }, form, status, list)
dialog.addEventListener("keydown", pressed)
dialog.addEventListener("click", event => (event.target === dialog || event.target.closest("a")) && dialog.close())
addEventListener("online", () => dialog.open && show())
document.body.append(dialog)

let loading
let composing = false // with an input method: half a word is not looked up

export function open(query) {
  if (query) field.value = query
  if (!dialog.open) dialog.showModal()
  field.select()
  show()
}

/** The index, fetched once; after a failure, again. */
function load() {
  loading ??= fetched()
  loading.catch(() => { loading = undefined })
  return loading
}

async function fetched() {
  const response = await fetch(new URL("search/index.json", home))
  if (!response.ok) throw new Error(response.status)
  return response.json()
}

/** Show what answers the query that stands in the field when the index is there. */
async function show() {
  try {
    if (!status.textContent) status.textContent = text("Loading the search …")
    const index = await load()
    status.textContent = ""
    if (composing) return
    const query = field.value.trim()
    const { sections, words } = query ? find(index, query) : { sections: [], words: [] }
    list.replaceChildren(...sections.slice(0, RESULTS).map(section => result(section, words)))
    list.scrollTop = 0
    if (query) status.textContent = counted(sections.length)
  } catch {
    const again = element("button", { type: "button", onclick: show }, text("Try again"))
    list.replaceChildren()
    status.replaceChildren(text("The search could not be loaded."), " ", again)
  }
}

function counted(number) {
  if (number === 0) return text("Nothing found.")
  if (number === 1) return text("1 section")
  const counted = number > RESULTS ? "The best {k} of {n} sections" : "{n} sections"
  return text(counted).replace("{k}", RESULTS).replace("{n}", number)
}

function result([url, title, heading, content], words) {
  const name = element("strong", {}, heading)
  const page = title === heading ? null : element("span", {}, title)
  return element("li", {}, element("a", { href: new URL(url, home) }, name, page, element("span", { class: "excerpt" }, ...excerpt(content, words))))
}

async function openFirst(event) {
  event.preventDefault()
  await show()
  if (dialog.open) list.querySelector("a")?.click()
}

function pressed(event) {
  // An Enter that ends a composition is none; Safari sends it afterwards, with this code.
  if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || event.isComposing) return
  event.preventDefault()
  const stops = [field, ...list.querySelectorAll("a")]
  const next = stops.indexOf(document.activeElement) + step
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus()
}
