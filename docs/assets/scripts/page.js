// What every script of the site needs of its page: texts in the reader's language, and elements.

const translations = document.querySelectorAll("script.texts")
const texts = Object.assign({}, ...Array.from(translations, each => JSON.parse(each.textContent)))

/** The text in the reader's language, with {name} replaced by values.name. */
export function t(english, values = {}) {
  const text = texts[english] ?? english
  return text.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field)
}

/**
 * A new element of a kind such as "p", "p.label" or "section#part-map.panel". Properties come next
 * (data-…, aria-… and role become attributes) and may be left out, then what the element holds.
 */
export function element(kind, ...content) {
  const { tag, id, classes } = /^(?<tag>\w+)(?:#(?<id>[\w-]+))?(?<classes>.*)$/.exec(kind).groups
  const made = document.createElement(tag)
  if (id) made.id = id
  if (classes) made.className = classes.replaceAll(".", " ").trim()
  if (content[0]?.constructor === Object)
    for (const [name, value] of Object.entries(content.shift()))
      if (/-|^role$/.test(name)) made.setAttribute(name, value)
      else made[name] = value
  made.append(...content.filter(child => child !== null && child !== undefined))
  return made
}

/** A button that does something. */
export function button(label, onclick, properties = {}) {
  return element("button", { type: "button", onclick, ...properties }, label)
}

/** A new element of a picture: everything but a listener is an attribute. */
export function svg(tag, properties = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(properties))
    if (name.startsWith("on")) made[name] = value
    else made.setAttribute(name, value)
  made.append(...children)
  return made
}
