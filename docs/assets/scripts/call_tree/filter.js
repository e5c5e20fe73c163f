// The field above a tree: calls that match stay with the calls around them, all else is hidden.

import { element, t } from "../page.js"
import { highlight } from "./highlight.js"

/** The field, the count of what it found, and a way to clear it. */
export function filter(tree) {
  const properties = { type: "search", placeholder: "attend, mask, 2048", oninput: apply }
  const input = element("input", properties)
  const status = element("p", { role: "status" }, counted(tree.calls))
  const mark = highlight()
  let wereOpen = null // while nothing is filtered

  function apply() {
    const wanted = tidy(input.value)
    wereOpen ??= tree.calls.map(call => call.details?.open)
    const found = tree.calls.filter(call => call.text.toLowerCase().includes(wanted))
    const kept = new Set()
    for (let call of found) for (; call; call = call.parent) kept.add(call)
    const outer = new Set(Array.from(kept, call => call.parent))
    tree.calls.forEach((call, i) => {
      call.item.hidden = !kept.has(call)
      if (!call.details) return
      call.details.hidden = !outer.has(call)
      call.details.open = wanted ? outer.has(call) : wereOpen[i]
    })
    if (!wanted) wereOpen = null
    mark(wanted ? found : [], wanted)
    status.textContent = counted(found, input.value.trim())
    tree.settle()
  }

  function clear() {
    input.value = ""
    apply()
  }

  const field = element("label", t("Filter by name, argument or shape"), input)
  return { field, status, clear }
}

/** A shape may be typed with spaces or without. */
function tidy(typed) {
  return typed.toLowerCase().replace(/\s+/g, " ").replace(/ ?, ?/g, ", ").trim()
}

function counted(found, typed) {
  const calls = found.reduce((sum, call) => sum + call.times, 0)
  if (!calls) return t("No call matches “{typed}”.", { typed })
  if (calls === 1) return t("1 call")
  if (calls === found.length) return t("{calls} calls", { calls })
  return t("{calls} calls on {lines} lines", { calls, lines: found.length })
}
