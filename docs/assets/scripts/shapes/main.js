// The shape explorer: what a reader chooses goes to every cell and every arrow that depends on it.

import { needs, show } from "./cells.js"
import { draw, fit } from "./drawing.js"
import { choose, chosen, follow, problem, take } from "./fields.js"

const explorer = document.querySelector(".shapes")
const form = explorer.querySelector("form")
const answer = explorer.querySelector("output")
const picture = draw()
let before // what was needed when a preset was last chosen

explorer.querySelector("p").remove() // it tells of the preset alone
form.after(picture)
form.hidden = answer.hidden = false
for (const preset of form.querySelectorAll("button"))
  preset.onclick = () => {
    choose(form, preset)
    before = null
    update()
  }
form.oninput = event => {
  if (event.target.type === "range") take(event.target)
  update()
}
form.addEventListener("focusin", event => mark(event.target))
form.addEventListener("focusout", () => mark(null))
update()

/** Show what the model needs, or why there is no such model. */
function update() {
  const sizes = chosen(form)
  const wrong = problem(form, sizes)
  follow(form, sizes, wrong)
  explorer.classList.toggle("wrong", wrong !== null)
  answer.querySelector("strong").textContent = wrong?.text ?? ""
  if (wrong) return
  const now = needs(sizes)
  before ??= now
  show(explorer, sizes, now, before)
  fit(picture)
}

/** Point out every number that the slider or field sets. */
function mark(control) {
  const name = control?.name || control?.nextElementSibling?.name
  const set = name === "d_model" || name === "num_heads" ? [name, "d_k"] : [name]
  for (const number of explorer.querySelectorAll("[data-size]"))
    number.classList.toggle("set", set.includes(number.dataset.size))
}
