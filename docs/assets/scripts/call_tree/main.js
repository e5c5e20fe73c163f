// Makes the recorded call trees of a page fold to a level, filter, and move by the keyboard.

import { element, t } from "../page.js"
import { Drawing } from "./drawing.js"
import { filter } from "./filter.js"
import { listen } from "./keys.js"
import { levels } from "./levels.js"
import { Tree } from "./tree.js"

const drawn = document.querySelector("figure [data-part]")?.closest("svg")

for (const place of document.querySelectorAll(".calltree")) {
  const tree = new Tree(place.querySelector("ul"))
  const { field, status, clear } = filter(tree)
  const keys = element("p.keys", t("Arrow keys move and fold; Enter follows a name."))
  tree.list.before(element("div.tools", field, levels(tree), status, keys))
  if (drawn && place.querySelector("[data-name]")) tree.list.before(new Drawing(tree, drawn, clear).element)
  listen(tree)
}
