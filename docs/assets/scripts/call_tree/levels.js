// Buttons that fold a tree to a level.

import { element, t } from "../page.js"

/** One button for each level of a tree. */
export function levels(tree) {
  const deepest = Math.max(...tree.calls.map(call => call.level))
  const names = { 1: t("Fold all"), [deepest]: t("Unfold all") }
  const buttons = Array.from({ length: deepest }, (_, i) => {
    const level = i + 1
    const button = element("button", { type: "button" }, names[level] ?? String(level))
    if (!names[level]) button.setAttribute("aria-label", t("Level {level}", { level }))
    button.addEventListener("click", () => tree.unfoldTo(level))
    return button
  })
  return element("fieldset", element("legend", t("Unfold to level")), ...buttons)
}
