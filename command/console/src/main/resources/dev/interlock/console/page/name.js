// One name: who holds it, who waits, and the last hour.

import { h, link, update } from './dom.js'
import { clock, count, counted, duration, party, visible } from './format.js'
import { forceButton, openAsk, openForce } from './force.js'
import { bare, groupLinks, kindOf, mark, nameText, number, partyCell, section, since, table } from './parts.js'
import { timeline, WINDOWS } from './timeline.js'
import { spanRows, RECORD_COLUMNS } from './records.js'

/** The latest spans that the table below the timeline has; the view of the history has the rest. */
const LATEST = 20

export function nameView(page, parameters) {
  const store = parameters.get('store')
  const name = parameters.get('name')
  let seen = null
  let window_ = WINDOWS[0]

  return {
    title: visible(name ?? ''),
    async load() {
      seen = await page.get('lock', { store, name })
    },
    concerns(event, data) {
      switch (event) {
        case 'changes':
          return data.store === store
              && (!data.complete || [...data.rows, ...data.gone].some(row => row.name === name))
        case 'action':
          return data.action.store === store && data.action.name === name
        default:
          return false
      }
    },
    act(action, { owner, kind, minutes }) {
      const lock = seen.locks.find(each => each.kind === kind)
      if (action === 'window') {
        window_ = WINDOWS.find(each => String(each.minutes) === minutes)
        page.refresh()
      } else if (action === 'ask') {
        openAsk(page, lock)
      } else if (action === 'force') {
        openForce(page, lock, lock.holders.find(holder => holder.owner === owner))
      }
    },
    render(root) {
      update(root,
        crumbs(page, store, name),
        h('h1', { tabindex: -1, class: 'name-title' }, nameText(name, false)),
        seen === null ? [] : content(page, seen, root.clientWidth, window_))
    },
  }
}

function crumbs(page, store, name) {
  return h('nav', { 'aria-label': 'Groups of the name', class: 'crumbs' }, h('ol', {},
    h('li', {}, h('a', { href: link('names', { store }) }, page.storeText(store) ?? 'All names')),
    groupLinks(store, name).map(group => h('li', {}, group))))
}

function content(page, seen, width, window_) {
  const now = page.now()
  return [
    seen.locks.length === 0
      ? h('p', { class: 'summary' }, mark('free'), 'Nobody holds it, and nobody waits for it.')
      : seen.locks.map(lock => lockPart(page, lock, now)),
    pastPart(seen, now, width, window_),
    percentilesPart(seen.percentiles),
  ]
}

function lockPart(page, lock, now) {
  return h('section', { 'data-key': `lock ${lock.kind}`, 'aria-label': `As a ${kindOf(lock)}` },
    h('p', { class: 'summary' }, summary(lock, now)),
    rights(page, lock),
    lock.kind === 'latch' ? [] : [
      h('h2', {}, 'Holders ', h('span', { class: 'muted' }, count(lock.holders.length))),
      table('Holders',
        ['Who', 'Mode', number('Held for'), number('Lease left'), bare('State'), number('Token'),
          ...(page.session.allowForce ? [bare('Action')] : [])],
        lock.holders.map(holder => holderRow(page, lock, holder, now)), 'Nobody holds it.'),
      more(lock.held - lock.holders.length)],
    h('h2', {}, 'Waiting ', h('span', { class: 'muted' }, count(lock.waiters.length))),
    table('Waiting',
      [{ text: 'Place', class: 'rank' }, bare('Who'), 'Mode', number('Waits for'), number('Since')],
      lock.waiters.map((waiter, index) => ({
        key: waiter.owner,
        cells: [count(index + 1), partyCell(waiter), waiter.mode, since(waiter.since, now),
          clock(Date.parse(waiter.since), now)],
      })), 'Nobody waits.'),
    more(lock.waiting - lock.waiters.length))
}

function more(hidden) {
  return hidden === 0 ? [] : h('p', { class: 'muted' }, `${count(hidden)} more came later. They are not shown.`)
}

function summary(lock, now) {
  const holder = lock.holders[0]
  const kind = `A ${kindOf(lock)}`.replace('A e', 'An e')
  const waiting = lock.waiting === 0 ? 'Nobody waits.' : `${counted(lock.waiting, 'claim')} waiting.`
  if (lock.kind === 'latch') {
    return [mark(lock.waiting > 0 ? 'waiting' : 'held'), `${kind}, at ${count(lock.count)}. ${waiting}`]
  }
  if (holder === undefined) {
    return [mark('waiting'), `${kind} that nobody holds at the moment. ${waiting}`]
  }
  const state = lock.atRisk ? 'risk' : 'held'
  const who = lock.held > 1 ? `held by ${counted(lock.held, 'holder')}`
    : `${verb(lock, holder)} by ${party(holder)} for ${since(holder.since, now)}`
  return [mark(state), `${kind}${permits(lock)}, ${who}. ${waiting}`]
}

function verb(lock, holder) {
  return holder.left ? 'left to lapse' : lock.election ? 'led' : 'held'
}

function permits(lock) {
  if (lock.kind !== 'semaphore') {
    return ''
  }
  return `, ${count(lock.permits)} of ${lock.count === 0 ? 'an unknown number of' : count(lock.count)} permits held`
}

function rights(page, lock) {
  if (lock.holders.length === 0) {
    return []
  }
  if (!page.session.allowForce) {
    return h('p', { class: 'muted' },
      'This console is read-only. Start it with ', h('code', {}, '--allow-force'), ' to force or ask.')
  }
  const reason = whyNotAsk(page, lock)
  return h('p', { class: 'actions' },
    h('button', { type: 'button', 'data-action': 'ask', 'data-kind': lock.kind, disabled: reason !== null,
      'aria-describedby': reason === null ? null : `why-${lock.kind}` }, 'Ask to let go …'),
    reason === null ? [] : h('span', { id: `why-${lock.kind}`, class: 'muted' }, reason))
}

function whyNotAsk(page, lock) {
  if (lock.kind !== 'lock' && lock.kind !== 'read_write') {
    return `The holders of a ${kindOf(lock)} cannot be asked to let go.`
  }
  return page.store(lock.store)?.canAsk ? null : 'This store cannot ask holders to let go.'
}

function holderRow(page, lock, holder, now) {
  const left = holder.remainingLeaseMillis
  const state = holder.left ? 'left to lapse' : holder.atRisk ? 'at risk' : holder.renewed ? 'renewed' : 'held'
  return {
    key: holder.owner,
    cells: [
      partyCell(holder),
      holder.mode,
      since(holder.since, now),
      left === undefined ? 'no end' : duration(left),
      h('span', { class: holder.atRisk ? 'state risk' : 'state held' }, mark(holder.atRisk ? 'risk' : 'held'), state),
      h('span', { class: 'token' }, holder.token === '0' ? 'none' : holder.token),
      ...(page.session.allowForce ? [forceButton(lock, holder)] : [])],
  }
}

function pastPart(seen, now, width, window_) {
  const { spans, actions, complete, total } = seen.timeline
  const records = [...spans, ...actions].sort((a, b) => Date.parse(b.from ?? b.at) - Date.parse(a.from ?? a.at))
  return section('The last hour',
    h('div', { class: 'choice', role: 'group', 'aria-label': 'What the timeline shows' },
      WINDOWS.map(each => h('button', { type: 'button', 'data-action': 'window', 'data-minutes': each.minutes,
        'aria-pressed': String(each === window_) }, each.text))),
    timeline(seen.timeline, now, width, window_.minutes * 60_000),
    complete ? [] : h('p', { class: 'muted' }, `These are the latest ${count(records.length)} of ${count(total)}.`),
    table('Holds and waits of the last hour', RECORD_COLUMNS, spanRows(records.slice(0, LATEST), now),
      'Nothing was seen.'),
    h('p', {}, h('a', { href: link('history', { store: seen.store, name: seen.name }) }, 'The whole history of it')))
}

function percentilesPart({ hold, wait }) {
  return section('Durations in the last hour',
    table('Percentiles of the last hour',
      ['What', number('Count'), number('Median'), number('90 %'), number('99 %'), number('Longest')],
      [percentileRow('Holds', hold), percentileRow('Waits', wait)], ''))
}

function percentileRow(title, percentiles) {
  const { count: number_, p50Millis, p90Millis, p99Millis, maxMillis } = percentiles
  return {
    key: title,
    cells: [title, count(number_), duration(p50Millis), duration(p90Millis), duration(p99Millis), duration(maxMillis)],
  }
}
