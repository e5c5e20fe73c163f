// Buttons that fold a tree to a level.

import { button, element, t } from "../page.js"

/** One button for each level of a tree. */
export function levels(tree) {
  const deepest = Math.max(...tree.calls.map(call => call.level))
  const names = { 1: t("Fold all"), [deepest]: t("Unfold all") }
  const buttons = Array.from({ length: deepest }, (_, i) => {
    const level = i + 1
    const named = names[level] ? {} : { "aria-label": t("Level {level}", { level }) }
    return button(names[level] ?? level, () => tree.unfoldTo(level), named)
  })
  return element("fieldset", element("legend", t("Unfold to level")), ...buttons)
}
