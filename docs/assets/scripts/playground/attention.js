// Where every head looks: all of them small, the chosen one large, as arcs or as a matrix; and one
// row of it in numbers.

import { element, svg, t } from "../page.js"
import { glosses_at } from "./glosses.js"
import { choose, decimal, per_cent, radios, shown, table } from "./parts.js"

const FAINT = 0.02 // weights below are not drawn

/** What a map shows: the attention of each layer, the words across and the words down. */
export function maps(model, run) {
  const names = side => model[side].layers.map((_, i) => `${side}.layers.${i}`)
  return {
    encoder: {
      title: t("Encoder (self-attention): each word looks at the words"),
      layers: names("encoder").map(name => run.records[`${name}.self_attention`]),
      keys: run.read,
      queries: run.read,
    },
    decoder: {
      title: t("Decoder (self-attention): each step looks at what is written so far"),
      layers: names("decoder").map(name => run.records[`${name}.self_attention`]),
      keys: run.before,
      queries: run.written.slice(0, run.before.length),
    },
    bridge: {
      title: t("Bridge (cross-attention): each step looks at the source"),
      layers: names("decoder").map(name => run.records[`${name}.cross_attention`]),
      keys: run.read,
      queries: run.written.slice(0, run.before.length),
    },
  }
}

export function attention_view(app) {
  const which = radios(t("Attention"), "map", [
    ["encoder", t("encoder")], ["decoder", t("decoder")], ["bridge", t("bridge")],
  ], app.state.map, map => app.change({ map }))
  const version = radios(t("Model"), "version", [["original", t("as it is")], ["changed", t("with the change")]],
    "original", chosen => { app.shows_changed = chosen === "changed"; update(true) })
  const view = radios(t("Picture"), "view", [["arcs", t("lines")], ["matrix", t("matrix")]],
    app.state.view, view => app.change({ view }))
  const title = element("p", { class: "label" })
  const heads = element("div", { class: "heads", role: "group", "aria-label": t("Heads") })
  const picture = element("div", { class: "picture", id: "part-map" })
  const told = element("p", { class: "told", role: "status" })
  const numbers = element("details", { id: "numbers" },
    element("summary", {}, t("The numbers of this row")), element("div"))
  const meaning = element("p", { class: "label" }, element("a", { href: "#words" }, t("What these words mean")))
  numbers.ontoggle = () => {
    show_numbers()
    app.notice()
  }

  let pointed = null // the row under pointer or finger, until something is chosen

  const run = () => (app.shows_changed && app.changed_run) || app.run
  const map = () => maps(app.model, run())[app.state.map]
  const head = () => map().layers[app.state.layer - 1][app.state.head - 1]
  /** The row that is lit: the one pointed at, or a word of the source, or the step. */
  const row = () => {
    const chosen = (app.state.map === "encoder" ? app.state.word : app.state.step) - 1
    return Math.min(pointed ?? chosen, map().queries.length - 1)
  }
  const choose_row = i => {
    if (app.state.map === "encoder") app.change({ word: i + 1 })
    else if (i < app.run.ids.length) app.change({ step: i + 1 }) // a change may write more steps
  }
  const point_at = i => {
    pointed = i
    light_row()
  }
  for (const leaving of ["pointerleave", "focusout"])
    picture.addEventListener(leaving, () => point_at(null)) // then the chosen one again

  function show_heads() {
    const { layers } = map()
    heads.style.setProperty("--heads", layers[0].length)
    heads.replaceChildren(...layers.flatMap((layer, l) => [
      element("p", { class: "label" }, t("layer {layer}", { layer: l + 1 })),
      ...layer.map(({ weights }, h) => head_button(l + 1, h + 1, weights)),
    ]))
  }

  function head_button(layer, head, weights) {
    return element("button", { type: "button",
      "aria-label": t("layer {layer}, head {head}", { layer, head }),
      onclick: () => app.change({ layer, head }) },
    thumbnail(weights), element("span", {}, t("head {head}", { head })))
  }

  function light_head() {
    const { layer, head } = app.state
    const chosen = (layer - 1) * map().layers[0].length + head - 1
    heads.querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-pressed", i === chosen))
  }

  function show_picture() {
    const { keys, queries } = map()
    const draw = app.state.view === "arcs" ? arcs : matrix
    picture.replaceChildren(draw(keys, queries, head().weights, row_button, app.state.map))
  }

  function light_row() {
    const lit = row()
    picture.querySelectorAll("[data-row]").forEach(part => part.classList.toggle("lit", Number(part.dataset.row) === lit))
    picture.querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-pressed", i === lit))
    const weights = head().weights.row(lit)
    picture.querySelectorAll("[data-key]").forEach(key => {
      const weight = weights[Number(key.dataset.key)]
      key.style.setProperty("--share", weight)
      key.querySelector("small").textContent = weight < FAINT ? "" : per_cent(weight)
    })
    const best = [...weights.keys()].filter(i => weights[i] >= 0.1).sort((a, b) => weights[b] - weights[a])
    const values = { query: shown(map().queries[lit]), keys: best.slice(0, 3).map(i => `${t("“{word}”", { word: shown(map().keys[i]) })}\u00a0${per_cent(weights[i])}`).join(t(", ")) }
    told.textContent = !best.length ? t("“{query}” looks at all a little: no weight reaches 10%.", values)
      : app.state.map === "encoder"
      ? t("“{query}” looks at: {keys}", values)
      : t("To write “{query}” it looks at: {keys}", values)
    show_numbers()
  }

  function show_numbers() {
    if (!numbers.open) return
    const { scale, scores, mask, weights } = head()
    const lit = row()
    const query = { query: shown(map().queries[lit]) }
    const allowed = mask[mask.length === 1 ? 0 : lit]
    numbers.lastElementChild.replaceChildren(element("p", {}, t("Each key is compared with the query (q · k), divided by √dₖ = {scale}, and hidden where the mask says so. The softmax turns these scores into weights that add up to 1; the head hands on the values, each in the share of its weight.", { scale: decimal(scale) })), table(
      (app.state.map === "encoder" ? t("From the query of “{query}” to every key", query)
        : t("From the query of the step that writes “{query}” to every key", query)),
      [t("key"), "q · k", `÷ ${decimal(scale)}`, t("seen"), t("weight")],
      map().keys.map((key, j) => [
        shown(key),
        decimal(scores.row(lit)[j] * scale),
        decimal(scores.row(lit)[j]),
        allowed[j] ? "✓" : t("hidden"),
        decimal(weights.row(lit)[j], 3),
      ])))
  }

  function update(anew) {
    choose(which, app.state.map)
    choose(view, app.state.view)
    choose(version, app.shows_changed ? "changed" : "original")
    version.hidden = !app.changed_run
    title.textContent = map().title
    if (anew) show_heads()
    if (anew || drawn() !== picture.dataset.drawn) show_picture()
    picture.dataset.drawn = drawn()
    light_head()
    light_row()
  }

  function row_button(i, ...names) {
    return element("button", { type: "button", onclick: () => choose_row(i),
      onfocus: () => point_at(i), onpointerenter: () => point_at(i) }, ...names)
  }

  const drawn = () => [app.state.map, app.state.layer, app.state.head, app.state.view].join()

  return {
    node: element("section", { class: "panel", id: "part-attention" },
      which, version, title, meaning, heads, view, picture, told, numbers),
    update(anew) {
      pointed = null
      const other_map = heads.dataset.map !== app.state.map
      heads.dataset.map = app.state.map
      update(anew || other_map)
    },
  }
}

function thumbnail(weights) {
  const picture = svg("svg", { viewBox: `0 0 ${weights.columns} ${weights.rows}`, preserveAspectRatio: "none", "aria-hidden": "true" })
  for (let i = 0; i < weights.rows; i++)
    weights.row(i).forEach((weight, j) => {
      if (weight >= FAINT) picture.append(svg("rect", { x: j, y: i, width: 1, height: 1, "fill-opacity": weight.toFixed(2) }))
    })
  return picture
}

/** Two columns of words, and a line for each weight that is worth one. */
function arcs(keys, queries, weights, row_button, map) {
  const rows = Math.max(keys.length, queries.length)
  const [key_glosses, glosses] = [keys, queries].map(glosses_at)
  const lines = svg("svg", { viewBox: `0 0 1 ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true" })
  for (let i = 0; i < weights.rows; i++)
    weights.row(i).forEach((weight, j) => {
      if (weight < FAINT) return
      const line = svg("path", { d: `M0 ${j + 0.5}C.4 ${j + 0.5} .6 ${i + 0.5} 1 ${i + 0.5}`, "data-row": i })
      line.style.setProperty("--share", weight)
      lines.append(line)
    })
  const picture = element("div", { class: "arcs" },
    element("p", {}, map === "decoder" ? t("so far") : t("source")), element("p"), element("p", {}, map === "encoder" ? t("looks") : t("writes")),
    element("ol", {}, ...keys.map((key, j) => element("li", { "data-key": j }, element("small"), key_glosses[j], element("span", {}, shown(key))))),
    lines,
    element("ol", {}, ...queries.map((query, i) => element("li", {}, row_button(i, shown(query), glosses[i])))))
  picture.style.setProperty("--rows", rows)
  return picture
}

/** A row for each query, a column for each key, the deeper the larger the weight. */
function matrix(keys, queries, weights, row_button) {
  const glosses = glosses_at(queries)
  const cells = i => keys.map((key, j) => {
    const weight = weights.row(i)[j]
    const cell = element("td", { title: t("{query} → {key}: {share}", { query: shown(queries[i]), key: shown(key), share: per_cent(weight) }) },
      element("span", { class: "unseen" }, per_cent(weight)))
    cell.style.setProperty("--share", weight)
    return cell
  })
  const picture = element("table", { class: "matrix" },
    element("caption", {}, t("A row is what looks, a column what it looks at; the per cents are those of the row in the frame.")),
    element("thead", {}, element("tr", {}, element("td"),
      ...keys.map((key, j) => element("th", { scope: "col", "data-key": j }, element("span", {}, shown(key)), element("small"))))),
    element("tbody", {}, ...queries.map((query, i) => element("tr", { "data-row": i },
      element("th", { scope: "row" }, row_button(i, shown(query), glosses[i])), ...cells(i)))))
  picture.style.setProperty("--columns", keys.length)
  return picture
}
