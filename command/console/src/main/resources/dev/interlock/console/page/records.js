// What was seen, as rows of a table: holds, waits, and what people did.

import { h } from './dom.js'
import { clock, duration, visible } from './format.js'
import { bare, mark, nameCell, number, partyCell } from './parts.js'

const ENDS = {
  ended: 'released or deleted',
  lost: 'lost: the lease was over',
  lapsed: 'has lapsed',
  forced: 'ended by force',
  granted: 'got it',
  gone: 'gone',
  unseen: 'ended unseen',
}
const OUTCOMES = {
  begun: 'begun; what came of it is not known yet',
  released: 'ended',
  asked: 'asked',
  gone: 'did not hold any more',
  failed: 'failed; it may be done',
}
const MARKS = { hold: 'held', wait: 'waiting', force: 'risk', ask: 'free' }
const WHAT = { hold: 'hold', wait: 'wait', force: 'forced', ask: 'asked' }

export const RECORD_COLUMNS = [
  { text: 'Began', class: 'time' }, bare('What'), bare('Who'), number('Lasted'), bare('End'), number('Token'),
]

/** The rows of spans and actions; with their names, for a page whose table has those of several. */
export function spanRows(records, now, page = null) {
  return records.map(record => {
    const isSpan = record.type === 'hold' || record.type === 'wait'
    const cells = isSpan ? spanCells(record, now) : actionCells(record, now)
    if (page !== null) {
      cells.splice(2, 0, nameCell(page, record))
    }
    return { key: keyOf(record), cells, class: isSpan ? null : 'action' }
  })
}

function keyOf({ type, store, name, owner, from, at }) {
  return JSON.stringify([type, store, name, owner, from ?? at])
}

function spanCells(span, now) {
  const from = Date.parse(span.from)
  const ended = span.to !== undefined
  return [
    clock(from, now),
    what(span.type),
    partyCell(span),
    ended ? lasted(span) : duration(now - from),
    ended ? ENDS[span.end] ?? span.end : span.type === 'hold' ? 'still holds' : 'still waits',
    token(span),
  ]
}

/** It ended between two looks: so the shorter time is sure, the longer one possible. */
function lasted({ from, lastSeen, to }) {
  return duration((Date.parse(lastSeen ?? to) + Date.parse(to)) / 2 - Date.parse(from))
}

function actionCells(action, now) {
  return [
    clock(Date.parse(action.at), now),
    what(action.type),
    partyCell(action),
    '',
    h('span', {}, OUTCOMES[action.outcome] ?? action.outcome,
      h('bdi', { class: 'place muted' }, `by ${visible(action.by)}: ${visible(action.reason)}`)),
    token(action),
  ]
}

function what(type) {
  return h('span', { class: `state ${type}` }, mark(MARKS[type] ?? 'free'), WHAT[type] ?? type)
}

function token({ token: text }) {
  return text === undefined || text === '0' ? '' : h('span', { class: 'token' }, text)
}
