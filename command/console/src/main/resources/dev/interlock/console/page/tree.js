// A tree of which only the rows that are seen have elements: there may be ten thousand below one prefix. Here is which
// row stands where, what has the focus, what keys do, and the elements.

import { h, link, update } from './dom.js'
import { count, visible } from './format.js'
import { holderText, mark, nameText, since, stateOf, stateText } from './parts.js'

const ROW = 30
/** Rows above and below those that are seen, so that scrolling shows no gap. */
const MARGIN = 8

export class TreeView {
  #page
  #root
  #scroller = h('div', { class: 'tree', role: 'tree', 'aria-label': 'Names by prefix' })
  #space = h('div', { role: 'none', class: 'tree-space' })
  #heads = h('div', { class: 'tree-row tree-heads', 'aria-hidden': 'true' },
    h('span', {}, 'Name'), h('span', { class: 'holder' }, 'Holder'), h('span', { class: 'number wide' }, 'Held'),
    h('span', { class: 'number' }, 'Waiting'), h('span', { class: 'number wide' }, 'At risk'))
  #empty = h('p', { class: 'empty' }, 'No name is held now. A name appears here as soon as somebody holds it.')
  #elements = new Map()
  #top = 0

  /** Whether it was loaded once. Only then are groups opened that nobody has opened. */
  #begun = false

  /** The key of the row that has the focus, or gets it with Tab; and its number when it was last seen. */
  #active = null
  #activeRow = 0

  constructor(page, root) {
    this.#page = page
    this.#root = root
    this.#scroller.append(this.#space)
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    this.#scroller.addEventListener('keydown', event => this.#pressed(event))
    this.#scroller.addEventListener('click', event => this.#clicked(event))
    this.#scroller.addEventListener('focusin', event => this.#focused(event))
  }

  /** Remembers the place, which an element without a parent forgets. */
  leave() {
    this.#top = this.#scroller.scrollTop
  }

  /** Brings what is seen up to date. A group that is alone is opened: there is nothing else to do with it. */
  async load() {
    await this.#loadBranch(this.#root, 0)
    if (!this.#begun) {
      this.#begun = true
      await this.#openLonely(this.#root)
    }
  }

  async #openLonely(branch) {
    const node = branch.node(0)
    if (branch.total === 1 && node !== undefined && !isName(node)) {
      branch.open(node, 0)
      await this.#loadBranch(branch.opened(node), 0)
      await this.#openLonely(branch.opened(node))
    }
  }

  async #loadBranch(branch, start) {
    const [from, to] = this.#seen()
    await Promise.all([...branch.seenPages(from - start, to - start)].map(number => branch.fetch(number)))
    let before = 0
    for (const open of branch.inOrder()) {
      const first = start + open.index + 1 + before
      const rows = open.branch.rows()
      if (open.branch.total === null || (first <= to && first + rows > from)) {
        await this.#loadBranch(open.branch, first)
      }
      before += rows
    }
  }

  #seen() {
    const height = this.#scroller.clientHeight || 900
    return [Math.max(0, Math.floor(this.#scroller.scrollTop / ROW) - MARGIN),
      Math.ceil((this.#scroller.scrollTop + height) / ROW) + MARGIN]
  }

  /** The row with this number: {branch, node, index, level}; node is undefined while it is not fetched. */
  #at(row, branch = this.#root, level = 1) {
    let index = row
    for (const open of branch.inOrder()) {
      if (index <= open.index) {
        break
      }
      const rows = open.branch.rows()
      if (index <= open.index + rows) {
        return this.#at(index - open.index - 1, open.branch, level + 1)
      }
      index -= rows
    }
    return { branch, node: branch.node(index), index, level, row: null }
  }

  render(place) {
    if (this.#root.total === 0) {
      place.replaceChildren(this.#empty)
      return
    }
    if (this.#scroller.parentNode !== place) {
      place.replaceChildren(this.#heads, this.#scroller)
      this.#space.style.height = `${this.#root.rows() * ROW}px`
      this.#scroller.scrollTop = this.#top
    }
    this.#draw()
  }

  #scrolled() {
    this.#draw()
    // Asked for at most once a second: what is scrolled past is never fetched.
    if ([...this.#elements.values()].some(element => element.dataset.missing !== undefined)) {
      this.#page.refresh()
    }
  }

  #draw() {
    const rows = this.#root.rows()
    this.#space.style.height = `${rows * ROW}px`
    const [from, to] = this.#seen()
    const now = this.#page.now()
    const wanted = new Map()
    for (let row = from; row <= Math.min(to, rows - 1); row++) {
      this.#want(wanted, row)
    }
    this.#follow(wanted, rows)
    for (const [key, element] of this.#elements) {
      if (!wanted.has(key)) {
        element.remove()
        this.#elements.delete(key)
      }
    }
    for (const [key, at] of wanted) {
      this.#place(key, at, now)
    }
  }

  #want(wanted, row) {
    const at = this.#at(row)
    at.row = row
    const key = at.node === undefined ? `missing ${row}` : at.branch.key(at.node)
    wanted.set(key, at)
  }

  /** The row with the focus stays, even if it is scrolled away: otherwise the keyboard would lose its place. */
  #follow(wanted, rows) {
    const seen = this.#active === null ? undefined : wanted.get(this.#active)
    if (seen !== undefined) {
      this.#activeRow = seen.row
      return
    }
    if (this.#active !== null && rows > 0) {
      const row = Math.min(this.#activeRow, rows - 1)
      this.#want(wanted, row)
      const found = [...wanted].find(([, at]) => at.row === row)
      const hadFocus = this.#elements.get(this.#active)?.contains(document.activeElement) ?? false
      if (found[0] !== this.#active) {
        this.#active = found[0]
        if (hadFocus) {
          this.#refocus = true
        }
      }
    }
    if (this.#active === null) {
      this.#active = wanted.keys().next().value ?? null
      this.#activeRow = 0
    }
  }

  /** Whether the row that had the focus is gone, so that the one in its place takes it. */
  #refocus = false

  #place(key, at, now) {
    const made = rowElement(at, key === this.#active, now)
    let element = this.#elements.get(key)
    if (element === undefined) {
      element = made
      this.#elements.set(key, element)
      this.#insert(element, at.row)
    } else {
      for (const { name, value } of made.attributes) {
        if (element.getAttribute(name) !== value) {
          element.setAttribute(name, value)
        }
      }
      update(element, ...made.childNodes)
    }
    element.dataset.row = at.row
    element.style.transform = `translateY(${at.row * ROW}px)`
    element.style.setProperty('--level', at.level)
    if (this.#refocus && key === this.#active) {
      this.#refocus = false
      element.focus({ preventScroll: true })
    }
  }

  /** In the order of the rows, since that is the order in which they are read out. */
  #insert(element, row) {
    const after = [...this.#space.children].find(other => Number(other.dataset.row) > row)
    this.#space.insertBefore(element, after ?? null)
  }

  #focused(event) {
    const element = event.target.closest('[role=treeitem]')
    if (element === null || element.dataset.key === this.#active) {
      return
    }
    this.#elements.get(this.#active)?.setAttribute('tabindex', '-1')
    this.#active = element.dataset.key
    this.#activeRow = Number(element.dataset.row)
    element.setAttribute('tabindex', '0')
  }

  #clicked(event) {
    const element = event.target.closest('[role=treeitem]')
    if (element === null || event.target.closest('a') !== null) {
      return
    }
    this.#go(Number(element.dataset.row))
    this.#press(this.#at(Number(element.dataset.row)))
  }

  #pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return
    }
    const row = this.#activeRow
    const at = this.#at(row)
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / ROW) - 1)
    const opened = at.branch.opened(at.node) !== undefined
    const keys = {
      ArrowDown: () => this.#go(row + 1),
      ArrowUp: () => this.#go(row - 1),
      PageDown: () => this.#go(row + page),
      PageUp: () => this.#go(row - page),
      Home: () => this.#go(0),
      End: () => this.#go(this.#root.rows() - 1),
      ArrowRight: () => (isName(at.node) ? null : opened ? this.#go(row + 1) : this.#toggle(at)),
      ArrowLeft: () => (opened ? this.#toggle(at) : this.#go(this.#parentOf(row))),
      Enter: () => this.#press(at),
      ' ': () => this.#press(at),
    }
    if (keys[event.key] !== undefined) {
      event.preventDefault()
      keys[event.key]()
    }
  }

  #parentOf(row) {
    const { level } = this.#at(row)
    let above = row
    while (level > 1 && above > 0 && this.#at(above).level >= level) {
      above--
    }
    return above
  }

  #press(at) {
    if (isName(at.node)) {
      location.hash = link('name', { store: at.node.row.store, name: at.node.row.name })
    } else {
      this.#toggle(at)
    }
  }

  #toggle({ branch, node, index }) {
    if (node === undefined || isName(node)) {
      return
    }
    if (branch.opened(node) === undefined) {
      branch.open(node, index)
      this.#page.refresh()
    } else {
      branch.shut(node)
    }
    this.#draw()
  }

  #go(wanted) {
    const row = Math.max(0, Math.min(wanted, this.#root.rows() - 1))
    const top = row * ROW
    const height = this.#scroller.clientHeight
    if (top < this.#scroller.scrollTop) {
      this.#scroller.scrollTop = top
    } else if (top + ROW > this.#scroller.scrollTop + height) {
      this.#scroller.scrollTop = top + ROW - height
    }
    const at = this.#at(row)
    this.#active = at.node === undefined ? `missing ${row}` : at.branch.key(at.node)
    this.#activeRow = row
    this.#draw()
    this.#elements.get(this.#active)?.focus({ preventScroll: true })
    if (at.node === undefined) {
      this.#page.refresh()
    }
  }
}

function isName(node) {
  return node?.type === 'name'
}

function rowElement({ branch, node, index, level, row }, active, now) {
  const opened = branch.opened(node) !== undefined
  return h('div', {
    role: 'treeitem',
    class: 'tree-row',
    'data-key': node === undefined ? `missing ${row}` : branch.key(node),
    'data-missing': node === undefined,
    'aria-level': level,
    'aria-setsize': branch.total ?? -1,
    'aria-posinset': index + 1,
    'aria-expanded': node === undefined || isName(node) ? null : String(opened),
    'aria-busy': node === undefined ? 'true' : null,
    tabindex: active ? 0 : -1,
  }, cells(node, now))
}

function cells(node, now) {
  if (node === undefined) {
    return h('span', { class: 'label muted' }, '…')
  }
  return isName(node) ? nameCells(node, now) : groupCells(node)
}

function groupCells({ label, names, held, waiting, atRisk }) {
  return [
    h('span', { class: 'label group' }, h('bdi', { class: 'name cut' }, visible(label)),
      h('span', { class: 'muted' }, ` ${count(names)}`, h('span', { class: 'hidden' }, ' names'))),
    h('span', { class: 'holder' }),
    number(held, 'held', 'wide'),
    number(waiting, 'waiting'),
    h('span', { class: 'number wide' }, atRisk > 0
      ? h('span', { class: 'state risk' }, mark('risk'), count(atRisk), h('span', { class: 'hidden' }, ' at risk'))
      : ''),
  ]
}

function nameCells({ label, row }, now) {
  return [
    h('span', { class: 'label' },
      h('span', { class: `state ${stateOf(row)}` }, mark(stateOf(row)), h('span', { class: 'hidden' }, stateText(row))),
      h('a', { href: link('name', { store: row.store, name: row.name }), tabindex: -1, class: 'name-link' },
        nameText(label === '' ? row.name : label))),
    h('bdi', { class: 'holder cut muted' }, holderText(row)),
    h('span', { class: 'number wide' }, since(row.since, now)),
    number(row.waiting, 'waiting'),
    h('span', { class: 'number wide' }, row.atRisk
      ? h('span', { class: 'state risk' }, mark('risk'), h('span', { class: 'hidden' }, 'at risk')) : ''),
  ]
}

function number(value, what, extra = '') {
  return h('span', { class: `number ${extra}` }, value === 0 ? '' : count(value),
    value === 0 ? '' : h('span', { class: 'hidden' }, ` ${what}`))
}
