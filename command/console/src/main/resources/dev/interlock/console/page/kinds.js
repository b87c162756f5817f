// What is not a plain lock: leaders, semaphores with their permits, latches, read/write locks.

import { h, link, s, update } from './dom.js'
import { count } from './format.js'
import { mark, nameCell, number, partyCell, section, since, stateCell, table } from './parts.js'

const MOST = 100

const PARTS = [
  { kind: 'election', title: 'Leaders', columns: ['Election', 'Leader', number('Leads for'), number('Stand')],
    cells: (row, now) => [leader(row), since(row.since, now), count(row.waiting)],
    empty: 'No election has a leader or a candidate.' },
  { kind: 'semaphore', title: 'Semaphores',
    columns: ['Semaphore', 'Permits held', number('Holders'), number('Waiting'), number('Waits for')],
    cells: (row, now) => [permits(row), count(row.held), count(row.waiting), since(row.waitingSince, now)],
    empty: 'No permit is held.' },
  { kind: 'latch', title: 'Latches', columns: ['Latch', number('Count'), number('Waiting'), number('Waits for')],
    cells: (row, now) => [count(row.count), count(row.waiting), since(row.waitingSince, now)],
    empty: 'Every latch is at zero.' },
  { kind: 'read_write', title: 'Read/write locks',
    columns: ['Lock', 'State', number('Holders'), number('Held for'), number('Waiting')],
    cells: (row, now) => [stateCell(row), count(row.held), since(row.since, now), count(row.waiting)],
    empty: 'No read/write lock is held.' },
]

export function kindsView(page) {
  let seen = null
  return {
    title: 'Kinds',
    async load() {
      seen = await Promise.all(PARTS.map(({ kind }) => page.get('names', { kind, limit: MOST })))
    },
    concerns: event => event === 'changes',
    render(root) {
      const now = page.now()
      update(root, h('h1', { tabindex: -1 }, 'Kinds'),
        seen === null ? [] : PARTS.map((part, index) => partOf(page, part, seen[index], now)))
    },
  }
}

function partOf(page, { kind, title, columns, cells, empty }, { rows, total }, now) {
  return section([title, ' ', h('span', { class: 'muted' }, count(total))],
    table(title, columns, rows.map(row => ({
      key: `${row.store} ${row.name}`,
      cells: [nameCell(page, row), ...cells(row, now)],
    })), empty),
    total > rows.length ? h('p', {}, h('a', { href: link('search', { kind }) }, `All ${count(total)}`)) : [])
}

function leader(row) {
  return row.holder === undefined
    ? h('span', { class: 'state free' }, mark('free'), 'nobody leads')
    : partyCell(row.holder)
}

function permits({ permits: held, count: capacity }) {
  if (capacity === 0) {
    return count(held)
  }
  return h('span', { class: 'permits' },
    s('svg', { width: 80, height: 8, viewBox: '0 0 80 8', 'aria-hidden': 'true' },
      s('rect', { x: .5, y: .5, width: 79, height: 7, class: 'meter' }),
      s('rect', { x: 0, y: 0, width: Math.min(80, 80 * held / capacity), height: 8, class: 'meter-value' })),
    `${count(held)} of ${count(capacity)}`)
}
