// What every script of the site needs of its page: texts in the reader's language, and elements.

const found = document.querySelectorAll("script.texts")
const texts = Object.assign({}, ...Array.from(found, each => JSON.parse(each.textContent)))

/** The text in the reader's language, with {name} replaced by values.name. */
export function t(english, values = {}) {
  const text = texts[english] ?? english
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
}

/** A new element: properties by name (data-…, aria-… and role as attributes), then what it holds. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag)
  set(made, properties)
  made.append(...children.filter(child => child !== null && child !== undefined))
  return made
}

/** The same for a picture: everything but a listener is an attribute. */
export function svg(tag, properties = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(properties))
    if (name.startsWith("on")) made[name] = value
    else made.setAttribute(name, value)
  made.append(...children)
  return made
}

function set(made, properties) {
  for (const [name, value] of Object.entries(properties))
    if (name.includes("-") || name === "role" || name === "class") made.setAttribute(name, value)
    else made[name] = value
}
