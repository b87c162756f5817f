// Elements are made here and nowhere else. What comes from a store becomes a text node or the value of an attribute
// that runs nothing, never markup: a name can be any text.

const SVG = 'http://www.w3.org/2000/svg'

/** An element of HTML. A property that is null or false is left out; true is an attribute without a value. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children)
}

/** An element of SVG. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children)
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value)
    }
  }
  element.append(...children.flat(Infinity).filter(isThere))
  return element
}

function isThere(child) {
  return child !== null && child !== undefined && child !== false
}

/** The link to a view of this page, as `#/name?store=main&name=orders%3A42`. */
export function link(view, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== ''))
  const text = query.toString()
  return `#/${view}${text ? `?${text}` : ''}`
}

/**
 * Makes the children of an element those given, and keeps the elements that stay: so an update takes neither the focus
 * nor the selection nor the place in a list away. Elements with the same data-key are the same, others by their place.
 * What is inside of an element with data-own is left alone: a view fills it by itself.
 */
export function update(parent, ...children) {
  const wanted = children.flat(Infinity).filter(isThere)
      .map(child => (child instanceof Node ? child : document.createTextNode(String(child))))
  const keyed = new Map()
  for (const child of parent.children) {
    if (child.dataset.key !== undefined) {
      keyed.set(child.dataset.key, child)
    }
  }
  let place = parent.firstChild
  for (const child of wanted) {
    const kept = keptFor(child, place, keyed)
    if (kept === null) {
      parent.insertBefore(child, place)
      continue
    }
    if (kept === place) {
      place = place.nextSibling
    } else {
      parent.insertBefore(kept, place)
    }
    become(kept, child)
  }
  while (place !== null) {
    const next = place.nextSibling
    place.remove()
    place = next
  }
}

function keptFor(child, place, keyed) {
  const key = child.dataset?.key
  if (key !== undefined) {
    const found = keyed.get(key) ?? null
    keyed.delete(key)
    return found !== null && found.nodeName === child.nodeName ? found : null
  }
  const fits = place !== null && place.nodeName === child.nodeName && place.dataset?.key === undefined
  return fits ? place : null
}

function become(kept, child) {
  if (kept.nodeType === Node.TEXT_NODE) {
    if (kept.data !== child.data) {
      kept.data = child.data
    }
    return
  }
  for (const { name } of [...kept.attributes]) {
    if (!child.hasAttribute(name)) {
      kept.removeAttribute(name)
    }
  }
  for (const { name, value } of child.attributes) {
    if (kept.getAttribute(name) !== value) {
      kept.setAttribute(name, value)
    }
  }
  if (!child.hasAttribute('data-own')) {
    update(kept, ...child.childNodes)
  }
}
