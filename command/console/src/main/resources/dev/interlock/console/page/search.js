// A flat list of names: searched, filtered, sorted, in pages.

import { h, link, update } from './dom.js'
import { count, counted, visible } from './format.js'
import { bare, holderText, kindOf, nameLink, number, since, stateCell, table } from './parts.js'

const PAGE = 100
const STATES = [['', 'any state'], ['held', 'held'], ['waiting', 'waited for'], ['at_risk', 'at risk']]
const KINDS = [['', 'any kind'], ['lock', 'locks'], ['read_write', 'read/write locks'], ['semaphore', 'semaphores'],
  ['latch', 'latches'], ['election', 'elections']]
const SORTS = [['name', 'by name'], ['held', 'longest held first'], ['waiting', 'most waited for first'],
  ['holds', 'busiest first']]

export function searchView(page, parameters) {
  const asked = Object.fromEntries(['q', 'store', 'state', 'kind', 'sort'].map(key => [key, parameters.get(key) ?? '']))
  const offset = Math.max(0, Number.parseInt(parameters.get('offset') ?? '0', 10) || 0)
  let seen = null

  return {
    title: asked.q ? `Names with “${visible(asked.q)}”` : 'List of names',
    async load() {
      const first = seen === null
      seen = await page.get('names', { ...asked, offset, limit: PAGE })
      if (first) {
        // Said once for each search, not with each change.
        page.announce(`${counted(seen.total, 'name')} found.`)
      }
    },
    concerns: event => event === 'changes',
    render(root) {
      update(root,
        h('h1', { tabindex: -1 },
          asked.q ? ['Names with ', h('bdi', {}, `“${visible(asked.q)}”`)] : 'List of names'),
        filters(page, asked),
        seen === null ? [] : results(page, seen, asked, offset))
    },
  }
}

function filters(page, asked) {
  return h('form', { class: 'filters', 'data-view': 'search' },
    h('input', { type: 'hidden', name: 'q', value: asked.q }),
    choice('State', 'state', STATES, asked.state),
    choice('Kind', 'kind', KINDS, asked.kind),
    choice('Order', 'sort', SORTS, asked.sort || 'name'),
    storeChoice(page, asked.store))
}

export function choice(label, name, options, value) {
  return h('label', {}, `${label} `, h('select', { name, 'data-value': value },
    options.map(([each, text]) => h('option', { value: each }, text))))
}

/** Nothing if there is only one. */
export function storeChoice(page, value) {
  const stores = [...page.stores.values()].map(store => [store.id, store.uri])
  return stores.length > 1 ? choice('Store', 'store', [['', 'all stores'], ...stores], value) : []
}

function results(page, { rows, total }, asked, offset) {
  const now = page.now()
  const columns = ['Name', bare('State'), bare('Kind'), 'Holder', number('Held for'), number('Waiting')]
  const range = total === 0 ? '' : `: ${count(offset + 1)} to ${count(offset + rows.length)}`
  const several = page.stores.size > 1
  return [
    h('p', { class: 'muted' }, `${counted(total, 'name')}${total > PAGE ? range : ''}`),
    table('Names found', several ? [...columns, 'Store'] : columns, rows.map(row => ({
      key: `${row.store} ${row.kind} ${row.name}`,
      cells: [nameLink(row), stateCell(row), kindOf(row), h('bdi', {}, holderText(row)), since(row.since, now),
        count(row.waiting), ...(several ? [h('bdi', { class: 'name' }, page.storeText(row.store))] : [])],
    })), 'No name that is listed now has this. The history may have names that nobody holds any more.'),
    h('nav', { 'aria-label': 'Pages', class: 'pages' },
      offset > 0 ? h('a', { href: link('search', { ...asked, offset: Math.max(0, offset - PAGE) }) }, 'Previous') : [],
      offset + rows.length < total ? h('a', { href: link('search', { ...asked, offset: offset + PAGE }) }, 'Next')
        : []),
  ]
}
