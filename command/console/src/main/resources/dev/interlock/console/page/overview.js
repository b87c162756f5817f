// How it is now: totals, stores, and the names that one looks for first.

import { h, link, update } from './dom.js'
import { count, duration } from './format.js'
import { bare, holderText, mark, nameCell, number, section, since, stateOf, table } from './parts.js'

const STATES = { up: 'up', down: 'does not answer', refused: 'refuses', connecting: 'connecting' }

export function overviewView(page) {
  let seen = null

  return {
    title: 'Overview',
    async load() {
      seen = await page.get('overview')
    },
    concerns: () => true,
    render(root) {
      update(root, h('h1', { tabindex: -1 }, 'Overview'), seen === null ? [] : content(page, seen))
    },
  }
}

function content(page, { totals, stores, busiest, longestHeld, mostWaited }) {
  const now = page.now()
  return [
    h('ul', { class: 'figures' },
      figure('held', totals.held, link('search', { state: 'held', sort: 'held' }), 'held'),
      figure('waiting', totals.waiting, link('search', { state: 'waiting', sort: 'waiting' }), 'waiting'),
      figure('at risk', totals.atRisk, link('search', { state: 'at_risk' }), 'risk', totals.atRisk > 0),
      figure('circles', totals.circles, link('waits'), 'circle', totals.circles > 0),
      figure('names', totals.names, link('names')),
      figure('elections', totals.elections, link('kinds')),
      figure('semaphores', totals.semaphores, link('kinds')),
      figure('latches', totals.latches, link('kinds'))),
    section('Stores', table('Stores',
      ['Store', bare('State'), number('Names'), number('Held'), number('Waiting'), number('At risk'),
        number('Last look'), number('Took')],
      stores.map(store => storeRow(store, now)), 'There is no store.')),
    totals.names === 0
      ? h('p', { class: 'empty' }, 'No name is held now. A name appears here as soon as somebody holds it.')
      : h('div', { class: 'lists' },
          list(page, 'Held longest', '', 'Held for', longestHeld, row => since(row.since, now)),
          list(page, 'Most waited for', '', 'Waiting', mostWaited, row => count(row.waiting)),
          list(page, 'Busiest', 'in the last 5 to 10 minutes', 'Holds', busiest, row => count(row.holds))),
  ]
}

function figure(label, value, target, state, alarming = false) {
  return h('li', { class: alarming ? `figure alarming ${state}` : 'figure' },
    h('a', { href: target },
      h('span', { class: 'value' }, count(value)),
      h('span', { class: 'label' }, state ? mark(state) : [], label)))
}

function storeRow(store, now) {
  return {
    key: store.id,
    cells: [
      h('bdi', { class: 'name' }, store.uri),
      h('span', { class: `state ${store.state}` }, mark(store.state), STATES[store.state] ?? store.state),
      count(store.names), count(store.held), count(store.waiting), count(store.atRisk), lastLook(store, now),
      duration(store.lookMillis)],
  }
}

/** Looks are a second apart: what is less would only flicker. */
function lastLook({ lastLook: point }, now) {
  if (point === undefined) {
    return 'never'
  }
  const seconds = Math.floor((now - Date.parse(point)) / 1000)
  return seconds < 2 ? 'now' : `${duration(seconds * 1000)} ago`
}

function list(page, title, note, heading, rows, figureOf) {
  return section([title, note ? h('span', { class: 'muted' }, ` ${note}`) : []],
    table(title, ['Name', number(heading)], rows.map(row => ({
      key: `${row.store} ${row.kind} ${row.name}`,
      cells: [
        [nameCell(page, row), h('span', { class: `below ${stateOf(row)}` }, mark(stateOf(row)),
          h('bdi', { class: 'cut' }, `${row.atRisk ? 'at risk: ' : ''}${holderText(row)}`))],
        figureOf(row)],
    })), 'None.', 'plain'))
}
