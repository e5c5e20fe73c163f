// The playground: loads the models, keeps what the reader chose, and tells every view of it.

import { element, t } from "../page.js"
import { attention_view } from "./attention.js"
import { beams_view } from "./beams.js"
import { load_hand_made } from "./hand_made.js"
import { load_model } from "./model_file.js"
import { Transformer } from "./model.js"
import { others_first, run, run_in_turns } from "./run.js"
import { EXAMPLES, refusal, sentence_view, troubles } from "./sentence.js"
import { address_of, fitting, read_state } from "./state.js"
import { steps_view } from "./steps.js"
import { take_out, taken_out, what_if_view } from "./what_if.js"

const RUN_ANEW = ["how", "temperature", "seed"]
const FIRST = "#step=4" // 昨, which looks at the last word
const CHANGE_ANEW = ["hide", "mute", "without"]
const ADDRESS_AFTER = 300 // milliseconds: browsers refuse an address that changes too often
const root = document.getElementById("machine")
const still = matchMedia("(prefers-reduced-motion: reduce)")

/** What the views share: the state, the model, its run and the run of the changed model. */
const app = {
  state: read_state(""),
  nothing_taken_out: { hide: [], mute: "", without: "" },
  changed_run: null,
  notice() {}, // the guide's, once it leads
  shows_changed: false,
  changed_formulas: 0,

  /** Change the state, and all that follows from it. */
  change(changes) {
    const before = { ...app.state }
    Object.assign(app.state, changes)
    const differs = names => names.some(name => String(app.state[name]) !== String(before[name]))
    if (differs(RUN_ANEW)) return app.run_anew(changes.step === 0)
    note_address()
    if (differs(CHANGE_ANEW)) app.forget_change()
    show(differs(CHANGE_ANEW))
  },

  /** Read a sentence with nothing taken out; one that cannot be read changes nothing. */
  read(changes) {
    const state = { ...app.state, ...app.nothing_taken_out, ...changes, step: 0 }
    const refused = refusal(state.s, ...models[state.model])
    if (refused) return sentence.tell([refused, t("What stands below is still “{sentence}”", { sentence: app.state.s })])
    app.state = fitted(state)
    app.run_anew(true)
    const part = taken_out(state) ? what_if : steps
    if (app.guided()) return
    part.node.scrollIntoView({ block: "nearest" })
    if (sentence.notice.hasChildNodes()) sentence.notice.scrollIntoView({ block: "nearest" })
  },

  /**
   * Show the sentence of the state read and written; `slowly`: the translation appears step by step;
   * `ran`: what came out, if it is known.
   */
  run_anew(slowly, ran = run(...to_run())) {
    const { state } = app
    const [model, tokenizer] = models[state.model]
    Object.assign(app, { model, tokenizer, run: ran })
    app.forget_change()
    const { length } = app.run.ids
    state.step = Math.min(state.step || length, length)
    note_address()
    sentence.tell(state.model === "shipped" ? troubles(state.s, app.tokenizer, neighbours)
      : app.changed_formulas ? [t("Formulas that are changed: {count}. “Restore every number” further down takes them back.", { count: app.changed_formulas })]
      : [])
    show(true)
    if (slowly && !still.matches) steps.start()
  },

  /** The run of the model with what the state takes out. */
  run_changed() {
    const { state } = app
    app.changed_model = new Transformer(app.model.config, app.model.weights)
    take_out(app.changed_model, state)
    app.changed_run = run(app.changed_model, app.tokenizer, state.s, state, state.without === "padding_mask")
    attention.update(false) // it offers the change
    return app.changed_run
  },

  show_changed() {
    app.shows_changed = true
    attention.update(true)
    attention.node.scrollIntoView()
  },

  /** Whether the guide leads the reader: it shows what it speaks of. */
  guided() {
    return !card.hidden
  },

  forget_change() {
    app.changed_run = null
    app.shows_changed = false
  },

  /** Put another hand-made model in the place of the one that there was; so many formulas differ. */
  replace_hand_made(made, changed) {
    models["hand-made"] = made
    app.changed_formulas = changed
    if (app.state.model === "hand-made") app.run_anew(false)
  },
}

let timer = 0

function note_address() {
  clearTimeout(timer)
  timer = setTimeout(() => history.replaceState({ place: scrollY }, "", address_of(app.state)), ADDRESS_AFTER)
}

function show(anew) {
  if (app.state.model === "hand-made") show_formulas()
  formulas.hidden = app.state.model !== "hand-made"
  for (const view of [sentence, steps, beams, attention, what_if]) view.update(anew)
  app.notice()
}

// What only some readers come to is loaded when they do.

async function show_formulas() {
  const { fill_formulas } = await import("./formulas.js")
  if (formulas.hasChildNodes()) return
  fill_formulas(formulas, app, original)
  app.notice()
}

async function begin() {
  const { lead } = await import("./guide.js")
  lead(app, guide, card)
}

/** What the state asks of which model. */
function to_run() {
  return [...models[app.state.model], app.state.s, app.state]
}

/** Show what the address tells; `ran`: what came out, if it is known. */
function arrive(refused = settle(), ran) {
  app.run_anew(false, ran)
  if (refused) sentence.tell([refused])
}

/** Bring what the address is about into sight. */
function bring_into_sight() {
  if (!location.hash) return
  const told = new URLSearchParams(location.hash.slice(1))
  const tells = names => names.some(name => told.has(name))
  const named = document.getElementById(told.get("at") ?? location.hash.slice(1))
  const part = named ?? (taken_out(app.state) ? what_if.node
    : tells(["map", "layer", "head", "word", "view"]) ? attention.node
    : tells(["how", "temperature", "seed", "step"]) ? steps.node
    : tells(["s"]) || app.state.model === "shipped" ? sentence.node : formulas)
  part.scrollIntoView()
}

/** Take the state from the address, or a first one; nobody compares what is drawn by chance. */
function settle() {
  const told = read_state(location.hash || FIRST)
  const refused = told.s && refusal(told.s, ...models[told.model])
  if (refused || !told.s) told.s = EXAMPLES[told.model][0]
  app.state = fitted(told)
  if (taken_out(app.state) && app.state.how === "sample") app.state.how = "greedy"
  return refused
}

function fitted(state) {
  const [model, tokenizer] = models[state.model]
  return fitting(state, model, tokenizer.encode_source(state.s).length)
}

async function fetched(name) {
  const answer = await fetch(new URL(`../../models/${name}`, import.meta.url))
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return answer
}

const status = element("p", { class: "notice", role: "status" }, t("The model is on its way (2.3 MB); meanwhile, one sentence that it translated before."))
root.prepend(status)
if (history.state) history.scrollRestoration = "manual" // the page has not its height yet
let models, neighbours, original
try {
  const [shipped, hand_made, pairs] = await Promise.all(["pretrained.safetensors", "hand_made.txt", "neighbours.json"].map(fetched))
  original = await hand_made.text()
  neighbours = await pairs.json()
  const bytes = await shipped.arrayBuffer()
  await others_first()
  models = { shipped: load_model(bytes), "hand-made": load_hand_made(original) }
} catch (error) {
  status.textContent = t("The model could not be loaded ({reason}). What stands below was recorded.", { reason: error.message })
  throw error
}

await others_first()
const sentence = sentence_view(app, neighbours)
const steps = steps_view(app)
const beams = beams_view(app)
const attention = attention_view(app)
const what_if = what_if_view(app)
const formulas = element("section", { class: "panel", id: "part-formulas" })
const guide = element("button", { type: "button", class: "begin", onclick: begin }, t("First time here? A guide of twelve cards"))
const card = element("aside", { class: "card", "aria-label": t("Guide"), hidden: true })
const refused = settle()
const first = await run_in_turns(...to_run())
await others_first()
root.replaceChildren(guide, ...[sentence, steps, beams, attention, what_if].map(view => view.node), formulas, card)
root.dataset.ready = ""
arrive(refused, first)
if (history.state) scrollTo(0, history.state.place) // where the reader has been
else bring_into_sight()
history.scrollRestoration = "auto"
// Only when the page is left would be too late: a quick reload has read the place by then.
for (const event of ["scrollend", "pagehide"])
  addEventListener(event, () => {
    if (history.state) history.replaceState({ place: scrollY }, "")
  })
if (document.getElementById(location.hash.slice(1))) clearTimeout(timer) // a heading's address stays
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return // the anchor of a heading
  const goes_back = history.state !== null
  if (goes_back && location.hash === address_of(app.state)) return
  const place = scrollY // where the browser has put who goes back; the page may change its height
  arrive()
  if (goes_back) scrollTo(0, place)
  else bring_into_sight()
})
