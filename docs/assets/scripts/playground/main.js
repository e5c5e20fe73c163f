// The playground: it loads the models, keeps what the reader chose, and updates every view of it.

import { element, t } from "../page.js"
import { attentionView } from "./attention.js"
import { beamsView } from "./beams.js"
import { formulasView } from "./formulas.js"
import { guideView } from "./guide.js"
import { loadHandMade } from "./hand_made.js"
import { activeIntervention, INTERVENTIONS, NO_INTERVENTION } from "./interventions.js"
import { Transformer } from "./model.js"
import { fetched, loadModel } from "./model_file.js"
import { run } from "./run.js"
import { EXAMPLES, refusal, sentenceView, troubles } from "./sentence.js"
import { addressOf, fitting, readState } from "./state.js"
import { stepsView } from "./steps.js"
import { whatIfView } from "./what_if.js"

const RERUN = ["how", "temperature", "seed"]
const FIRST = "#step=4" // It writes 昨, and looks at the last word.
const ADDRESS_DELAY = 300 // milliseconds: browsers refuse an address that changes too often
const root = document.getElementById("machine")
const still = matchMedia("(prefers-reduced-motion: reduce)")

/** What the views share: the state, the model, its run and the run of the changed model. */
const app = {
  state: readState(""),
  changedRun: null,
  showsChanged: false,
  changedFormulas: 0,

  /** Change the state, and all that follows from it. */
  change(changes) {
    const before = { ...app.state }
    Object.assign(app.state, changes)
    const differs = name => String(app.state[name]) !== String(before[name])
    if (RERUN.some(differs)) return app.rerun(changes.step === 0)
    updateAddress()
    const isOtherChange = Object.keys(NO_INTERVENTION).some(differs)
    if (isOtherChange) app.forgetChange()
    show(isOtherChange)
  },

  /** Read a sentence with nothing taken out; one that cannot be read changes nothing. */
  read(changes) {
    const state = { ...app.state, ...NO_INTERVENTION, ...changes, step: 0 }
    const refused = refusal(state.s, ...models[state.model])
    if (refused) {
      const still = t("What stands below is still “{sentence}”", { sentence: app.state.s })
      return sentence.notify([refused, still])
    }
    app.state = fitted(state)
    app.rerun(true)
    const part = activeIntervention(state) ? whatIf : steps
    part.node.scrollIntoView({ block: "nearest" })
    if (sentence.notice.hasChildNodes()) sentence.notice.scrollIntoView({ block: "nearest" })
  },

  /** Show the sentence of the state read and written: step by step if `slowly`. */
  rerun(slowly) {
    const { state } = app
    const [model, tokenizer] = models[state.model]
    Object.assign(app, { model, tokenizer, run: run(model, tokenizer, state.s, state) })
    app.forgetChange()
    const { length } = app.run.ids
    state.step = Math.min(state.step || length, length)
    updateAddress()
    sentence.notify(notices())
    show(true)
    if (slowly && !still.matches) steps.start()
  },

  /** The run of the model with what the state takes out. */
  runChanged() {
    const { state, model, tokenizer } = app
    const { apply, padded } = INTERVENTIONS[activeIntervention(state)]
    app.changedModel = new Transformer(model.config, model.weights)
    apply(app.changedModel, state)
    app.changedRun = run(app.changedModel, tokenizer, state.s, state, padded)
    attention.update(false) // It offers the change.
    return app.changedRun
  },

  showChanged() {
    app.showsChanged = true
    attention.update(true)
    attention.node.scrollIntoView()
  },

  forgetChange() {
    app.changedRun = null
    app.showsChanged = false
  },

  /** Put another hand-made model in the place of the one that there was; so many formulas differ. */
  replaceHandMade(made, changed) {
    models["hand-made"] = made
    app.changedFormulas = changed
    app.rerun(false)
  },
}

function notices() {
  if (app.state.model === "shipped") return troubles(app.state.s, app.tokenizer, neighbours)
  if (!app.changedFormulas) return []
  const count = app.changedFormulas
  return [
    t("Formulas that are changed: {count}. “Restore every number” further down takes them back.", { count }),
  ]
}

let timer = 0

function updateAddress() {
  clearTimeout(timer)
  const replace = () => history.replaceState({ place: scrollY }, "", addressOf(app.state))
  timer = setTimeout(replace, ADDRESS_DELAY)
}

function show(anew) {
  for (const view of views) view.update(anew)
}

/** Show what the address says, or a first state; nobody compares what is drawn by chance. */
function arrive() {
  const state = readState(location.hash || FIRST)
  const refused = state.s && refusal(state.s, ...models[state.model])
  if (refused || !state.s) state.s = EXAMPLES[state.model][0]
  app.state = fitted(state)
  if (activeIntervention(state) && state.how === "sample") app.state.how = "greedy"
  app.rerun(false)
  if (refused) sentence.notify([refused])
}

/** Show what an address says, and return the part that it is about. */
function goTo(address) {
  history.replaceState(null, "", address)
  arrive()
  return scrollToSubject()
}

/** Bring what the address is about into sight, and return it. */
function scrollToSubject() {
  const address = new URLSearchParams(location.hash.slice(1))
  const has = (...names) => names.some(name => address.has(name))
  const named = document.getElementById(address.get("at") ?? location.hash.slice(1))
  const part = () => {
    if (activeIntervention(app.state)) return whatIf.node
    if (has("map", "layer", "head", "word", "view")) return attention.node
    if (has("how", "temperature", "seed", "step")) return steps.node
    return has("s") || app.state.model === "shipped" ? sentence.node : formulas.node
  }
  const subject = named ?? part()
  subject.scrollIntoView()
  return subject
}

function fitted(state) {
  const [model, tokenizer] = models[state.model]
  return fitting(state, model, tokenizer.encode_source(state.s).length)
}

const waiting = t("The model is on its way (2.3 MB); meanwhile, one sentence that it translated before.")
const status = element("p.notice", { role: "status" }, waiting)
root.prepend(status)
if (history.state) history.scrollRestoration = "manual" // The page has not its height yet.
const files = ["pretrained.safetensors", "hand_made.txt", "neighbours.json"]
let models
let neighbours
let original
try {
  const [shipped, handMade, pairs] = await Promise.all(files.map(fetched))
  original = await handMade.text()
  neighbours = await pairs.json()
  models = { shipped: loadModel(await shipped.arrayBuffer()), "hand-made": loadHandMade(original) }
} catch (error) {
  status.textContent = t("The model could not be loaded ({reason}). What stands below was recorded.", {
    reason: error.message,
  })
  throw error
}

const sentence = sentenceView(app, neighbours)
const steps = stepsView(app)
const attention = attentionView(app)
const whatIf = whatIfView(app)
const formulas = formulasView(app, original)
const views = [sentence, steps, beamsView(app), attention, whatIf, formulas]
const { begin, card } = guideView(goTo)
root.replaceChildren(begin, ...views.map(view => view.node), card)
root.dataset.ready = ""
arrive()
if (history.state)
  scrollTo(0, history.state.place) // The reader has been there.
else if (location.hash) scrollToSubject()
history.scrollRestoration = "auto"
// Only when the page is left would be too late: a quick reload has read the place by then.
for (const event of ["scrollend", "pagehide"])
  addEventListener(event, () => {
    if (history.state) history.replaceState({ place: scrollY }, "")
  })
if (document.getElementById(location.hash.slice(1))) clearTimeout(timer) // It names a heading.
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return // The anchor of a heading.
  const isGoingBack = history.state !== null
  if (isGoingBack && location.hash === addressOf(app.state)) return
  const place = scrollY // The browser has gone back to it; the page may change its height.
  arrive()
  if (isGoingBack) scrollTo(0, place)
  else scrollToSubject()
})
