// What several views are made of: marks of a state, names, parties, tables.

import { h, s, link } from './dom.js'
import { count, duration, party, place, visible } from './format.js'

const KINDS = { lock: 'lock', read_write: 'read/write lock', semaphore: 'semaphore', latch: 'latch' }

// Each state has a shape of its own, and always its word beside it: colour alone tells nothing.
const SHAPES = {
  held: () => s('circle', { cx: 6, cy: 6, r: 4.5, class: 'solid' }),
  waiting: () => [
    s('circle', { cx: 6, cy: 6, r: 4, class: 'line' }),
    s('path', { d: 'M6 2a4 4 0 0 1 0 8z', class: 'solid' })],
  risk: () => s('path', { d: 'M6 .8 11.4 10.6H.6z', class: 'solid' }),
  free: () => s('circle', { cx: 6, cy: 6, r: 4, class: 'line' }),
  up: () => s('circle', { cx: 6, cy: 6, r: 4.5, class: 'solid' }),
  connecting: () => s('circle', { cx: 6, cy: 6, r: 4, class: 'line dashed' }),
  down: () => s('path', { d: 'M2 2 10 10M10 2 2 10', class: 'line thick' }),
  refused: () => [s('circle', { cx: 6, cy: 6, r: 4.2, class: 'line' }), s('path', { d: 'M3 9 9 3', class: 'line' })],
  circle: () => s('path', { d: 'M9.8 4A4.3 4.3 0 1 0 10.3 6.6M10.6 1.2V4.6H7.2', class: 'line' }),
}

/** The shape of a state, for a text beside it. */
export function mark(state) {
  return s('svg', { class: `mark ${state}`, viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
    SHAPES[state]())
}

export function kindOf({ kind, election }) {
  return election ? 'election' : KINDS[kind] ?? kind
}

/** A name as text, whatever it is made of. */
export function nameText(name, cut = true) {
  return h('bdi', { class: cut ? 'name cut' : 'name', title: cut ? visible(name) : null }, visible(name))
}

/** The links to the groups that a name or a prefix is in, from the largest; the last few of very many are left out. */
export function groupLinks(store, name) {
  const ends = [...name.matchAll(/[:/.]/g)].map(match => match.index + 1).filter(end => end < name.length).slice(0, 6)
  return ends.map((end, index) => h('a', { href: link('names', { store, prefix: name.slice(0, end) }) },
    h('bdi', { class: 'name' }, visible(name.slice(ends[index - 1] ?? 0, end)))))
}

export function nameLink({ store, name }) {
  return h('a', { href: link('name', { store, name }), class: 'name-link' }, nameText(name))
}

/** A name in a list of several stores: with its store below it, if there are several. */
export function nameCell(page, row) {
  const store = page.storeText(row.store)
  return [nameLink(row), store === null ? [] : h('bdi', { class: 'place muted' }, store)]
}

/** The state of a name, from its row. */
export function stateOf(row) {
  if (row.kind === 'latch') {
    return row.waiting > 0 ? 'waiting' : 'held'
  }
  if (row.atRisk) {
    return 'risk'
  }
  return row.held > 0 ? 'held' : row.waiting > 0 ? 'waiting' : 'free'
}

export function stateText(row) {
  const state = stateOf(row)
  if (row.kind === 'latch') {
    return `at ${count(row.count)}`
  }
  return { risk: 'at risk', held: 'held', waiting: 'waited for', free: 'free' }[state]
}

export function stateCell(row) {
  return h('span', { class: `state ${stateOf(row)}` }, mark(stateOf(row)), stateText(row))
}

export function holderText(row) {
  if (row.kind === 'latch') {
    return `${count(row.count)} to go`
  }
  if (row.held === 0) {
    return 'nobody'
  }
  return row.held > 1 ? `${party(row.holder)} and ${count(row.held - 1)} more` : party(row.holder)
}

/** Who, in two lines. */
export function partyCell(who) {
  return [h('bdi', { class: 'who' }, party(who)), h('bdi', { class: 'place muted' }, place(who))]
}

export function since(point, now) {
  return point === undefined ? '–' : duration(now - Date.parse(point))
}

/** The column of a number, at the right. */
export function number(text) {
  return { text, class: 'number' }
}

/** A column whose cells say themselves what they are. */
export function bare(text) {
  return { text, bare: true }
}

/**
 * A table that scrolls sideways by itself where it is too wide.
 *
 * @param columns each a heading, or {text, class, bare}: the class is that of all its cells, and bare ones need no
 *     heading where a row is a paragraph
 * @param rows each {key, cells, class, colspan}
 * @param style cards: on a narrow screen each row is a paragraph; plain: never
 */
export function table(caption, columns, rows, empty, style = 'cards') {
  const heads = columns.map(column => (typeof column === 'string' ? { text: column } : column))
  if (rows.length === 0) {
    return h('p', { class: 'empty' }, empty)
  }
  // The roles are said again, since a narrow screen shows each row as a paragraph, which would take them away.
  return h('div', { class: `scroller ${style}`, role: 'region', tabindex: 0, 'aria-label': caption },
    h('table', { role: 'table' },
      h('caption', { class: 'hidden' }, caption),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' },
        heads.map(head => h('th', { scope: 'col', role: 'columnheader', class: head.class }, head.text)))),
      h('tbody', { role: 'rowgroup' }, rows.map(row => h('tr', { role: 'row', 'data-key': row.key, class: row.class },
        row.cells.map((cell, index) => h('td', { role: 'cell', class: row.colspan ? null : heads[index].class,
          'data-label': row.colspan || heads[index].bare ? null : heads[index].text, colspan: row.colspan }, cell)))))))
}

export function section(title, ...content) {
  return h('section', {}, h('h2', {}, title), content)
}

/** What is said about a failure: what, and that it is tried again. */
export function failure(error) {
  return h('p', { class: 'note bad', role: 'alert' }, error.message)
}

