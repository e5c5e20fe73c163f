// The sentence on the home page: what translates it is loaded when a reader first touches it.

import { t } from "../page.js"

const form = document.querySelector(".live form")
const status = form.nextElementSibling
let translate
let loading

/** Load what translates; after a failure the next touch tries again. */
async function load() {
  if (translate) return
  status.textContent = t(
    "The model is on its way (2.3 MB); meanwhile, one sentence that it translated before.",
  )
  try {
    translate = await (loading ??= import("./live.js").then(live => live.load()))
    status.textContent = ""
  } catch (error) {
    loading = null
    status.textContent = t("The model could not be loaded ({reason}). What stands below was recorded.", {
      reason: error.message,
    })
  }
}

form.addEventListener("focusin", load)
form.onsubmit = async event => {
  event.preventDefault()
  await load()
  translate?.(form.querySelector("input").value)
}
