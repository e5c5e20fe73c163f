// Where every head looks: all of them small, the chosen one large, as lines or as a matrix; and one
// row of it in numbers.

import { button, element, svg, t } from "../page.js"
import { glossesAt } from "./glosses.js"
import { attentionOf } from "./interventions.js"
import { choose, decimal, looksAt, MAPS, percent, press, radios, shown, styled, table } from "./parts.js"

const FAINT = 0.02 // Weights below are not drawn.
const TITLES = {
  encoder: t("Encoder (self-attention): each word looks at the words"),
  decoder: t("Decoder (self-attention): each step looks at what is written so far"),
  bridge: t("Cross-attention: each step looks at the source"),
}

/** What a map shows: the attention of each layer, and keys and queries under their headings. */
function mapOf(run, name) {
  const [side, kind] = attentionOf(name)
  const isOf = attention => attention.startsWith(side) && attention.endsWith(kind)
  return {
    layers: Object.keys(run.records)
      .filter(isOf)
      .map(attention => run.records[attention]),
    keys: name === "decoder" ? run.before : run.read,
    keyHeading: name === "decoder" ? t("so far") : t("source"),
    queries: name === "encoder" ? run.read : run.written.slice(0, run.before.length),
    queryHeading: name === "encoder" ? t("looks") : t("writes"),
  }
}

export function attentionView(app) {
  const mapChoice = radios(t("Attention"), "map", MAPS, map => app.change({ map }))
  const versions = { original: t("as it is"), changed: t("with the change") }
  const versionChoice = radios(t("Model"), "version", versions, version => {
    app.showsChanged = version === "changed"
    update(true)
  })
  const views = { arcs: t("lines"), matrix: t("matrix") }
  const viewChoice = radios(t("Picture"), "view", views, view => app.change({ view }))
  const title = element("p.label")
  const words = element("a", { href: "#words" }, t("What these words mean"))
  const heads = element("div.heads", { role: "group", "aria-label": t("Heads") })
  const picture = element("div#part-map.picture")
  const readout = element("p.readout", { role: "status" })
  const summary = element("summary", t("The numbers of this row"))
  const numbers = element("details#numbers", summary, element("div"))
  numbers.ontoggle = showNumbers

  let pointed = null // The row under pointer or finger, until something is chosen.
  let drawn = "" // What the picture shows.

  const map = () => mapOf((app.showsChanged && app.changedRun) || app.run, app.state.map)
  const head = () => map().layers[app.state.layer - 1][app.state.head - 1]
  const looksAtWords = () => app.state.map === "encoder"

  /** The row that is lit: the one pointed at, or a word of the source, or the step. */
  function litRow() {
    const chosen = (looksAtWords() ? app.state.word : app.state.step) - 1
    return Math.min(pointed ?? chosen, map().queries.length - 1)
  }

  function chooseRow(i) {
    if (looksAtWords()) app.change({ word: i + 1 })
    else if (i < app.run.ids.length) app.change({ step: i + 1 }) // A change may write more steps.
  }

  function pointAt(i) {
    pointed = i
    lightRow()
  }

  // Once nothing is pointed at, the chosen row is lit again.
  picture.onpointerleave = () => pointAt(null)
  picture.addEventListener("focusout", () => pointAt(null))

  function rowButton(i, name, gloss) {
    const point = () => pointAt(i)
    const made = button(name, () => chooseRow(i), { onfocus: point, onpointerenter: point })
    made.append(gloss ?? "")
    return made
  }

  function showHeads() {
    const { layers } = map()
    const headButton = (weights, layer, head) => {
      const name = { "aria-label": t("layer {layer}, head {head}", { layer, head }) }
      const made = button(thumbnail(weights), () => app.change({ layer, head }), name)
      made.append(element("span", t("head {head}", { head })))
      return made
    }
    const buttons = layers.flatMap((layer, l) => [
      element("p.label", t("layer {layer}", { layer: l + 1 })),
      ...layer.map(({ weights }, h) => headButton(weights, l + 1, h + 1)),
    ])
    styled(heads, "--heads", layers[0].length).replaceChildren(...buttons)
  }

  function lightRow() {
    const lit = litRow()
    const { keys, queries } = map()
    const weights = head().weights.row(lit)
    for (const part of picture.querySelectorAll("[data-row]"))
      part.classList.toggle("lit", Number(part.dataset.row) === lit)
    press(picture.querySelectorAll("button"), lit)
    for (const key of picture.querySelectorAll("[data-key]")) {
      const weight = weights[key.dataset.key]
      const small = styled(key, "--share", weight).querySelector("small")
      small.textContent = weight < FAINT ? "" : percent(weight)
    }
    readout.textContent = looksAt(queries[lit], keys, weights, looksAtWords())
    showNumbers()
  }

  function showNumbers() {
    if (!numbers.open) return
    const { scale, scores, mask, weights } = head()
    const { keys, queries } = map()
    const lit = litRow()
    const query = { query: shown(queries[lit]) }
    const allowed = mask[mask.length === 1 ? 0 : lit]
    const caption = looksAtWords()
      ? t("From the query of “{query}” to every key", query)
      : t("From the query of the step that writes “{query}” to every key", query)
    const titles = [t("key"), "q · k", `÷ ${decimal(scale)}`, t("seen"), t("weight")]
    const rows = keys.map((key, j) => [
      shown(key),
      decimal(scores.row(lit)[j] * scale),
      decimal(scores.row(lit)[j]),
      allowed[j] ? "✓" : t("hidden"),
      decimal(weights.row(lit)[j], 3),
    ])
    const explanation = t(
      "Each key is compared with the query (q · k), divided by √dₖ = {scale}, and hidden where " +
        "the mask says so. The softmax turns these scores into weights that add up to 1; the " +
        "head hands on the values, each in the share of its weight.",
      { scale: decimal(scale) },
    )
    numbers.lastChild.replaceChildren(element("p", explanation), table(caption, titles, rows))
  }

  function update(anew) {
    const { map: name, layer, head: number, view } = app.state
    const { layers, keys, queries, ...headings } = map()
    choose(mapChoice, name)
    choose(viewChoice, view)
    choose(versionChoice, app.showsChanged ? "changed" : "original")
    versionChoice.hidden = !app.changedRun
    title.textContent = TITLES[name]
    if (anew) showHeads()
    press(heads.querySelectorAll("button"), (layer - 1) * layers[0].length + number - 1)
    const wanted = [name, layer, number, view].join()
    if (anew || drawn !== wanted)
      picture.replaceChildren(DRAW[view](keys, queries, head().weights, rowButton, headings))
    drawn = wanted
    lightRow()
  }

  const meaning = element("p.label", words)
  const choices = [mapChoice, versionChoice, title, meaning, heads, viewChoice]
  return {
    node: element("section#part-attention.panel", ...choices, picture, readout, numbers),
    update(anew) {
      pointed = null
      update(anew || !drawn.startsWith(app.state.map))
    },
  }
}

function thumbnail(weights) {
  const picture = stretched(`0 0 ${weights.columns} ${weights.rows}`)
  eachWeight(weights, (weight, i, j) => {
    const place = { x: j, y: i, width: 1, height: 1 }
    picture.append(svg("rect", { ...place, "fill-opacity": weight.toFixed(2) }))
  })
  return picture
}

/** A picture that fills whatever room it has. */
export function stretched(viewBox) {
  return svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" })
}

/** Call `draw` with each weight that is worth it, its row and its column. */
function eachWeight(weights, draw) {
  for (let i = 0; i < weights.rows; i++)
    for (const [j, weight] of weights.row(i).entries()) if (weight >= FAINT) draw(weight, i, j)
}

const DRAW = { arcs, matrix }

/** Two columns of words, and a line for each weight that is worth one. */
function arcs(keys, queries, weights, rowButton, { keyHeading, queryHeading }) {
  const rows = Math.max(keys.length, queries.length)
  const [keyGlosses, glosses] = [keys, queries].map(glossesAt)
  const lines = stretched(`0 0 1 ${rows}`)
  eachWeight(weights, (weight, i, j) => {
    const d = `M0 ${j + 0.5}C.4 ${j + 0.5} .6 ${i + 0.5} 1 ${i + 0.5}`
    lines.append(styled(svg("path", { d, "data-row": i }), "--share", weight))
  })
  const keyItem = (key, j) => {
    const parts = [element("small"), keyGlosses[j], element("span", shown(key))]
    return element("li", { "data-key": j }, ...parts)
  }
  const queryItem = (query, i) => element("li", rowButton(i, shown(query), glosses[i]))
  const picture = element(
    "div.arcs",
    ...[keyHeading, "", queryHeading].map(text => element("p", text)),
    element("ol", ...keys.map(keyItem)),
    lines,
    element("ol", ...queries.map(queryItem)),
  )
  return styled(picture, "--rows", rows)
}

/** A row for each query, a column for each key, the deeper the larger the weight. */
function matrix(keys, queries, weights, rowButton) {
  const glosses = glossesAt(queries)
  const keyCell = (key, j) => {
    const parts = [element("span", shown(key)), element("small")]
    return element("th", { scope: "col", "data-key": j }, ...parts)
  }
  const row = (query, i) => {
    const cells = keys.map((key, j) => {
      const weight = weights.row(i)[j]
      const values = { query: shown(query), key: shown(key), share: percent(weight) }
      const title = t("{query} → {key}: {share}", values)
      const cell = element("td", { title }, element("span.unseen", percent(weight)))
      return styled(cell, "--share", weight)
    })
    const name = element("th", { scope: "row" }, rowButton(i, shown(query), glosses[i]))
    return element("tr", { "data-row": i }, name, ...cells)
  }
  const caption = t(
    "A row is what looks, a column what it looks at; " + "the per cents are those of the row in the frame.",
  )
  const picture = element(
    "table.matrix",
    element("caption", caption),
    element("thead", element("tr", element("td"), ...keys.map(keyCell))),
    element("tbody", ...queries.map(row)),
  )
  return styled(picture, "--columns", keys.length)
}
