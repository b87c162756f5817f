// What the console has seen, of one name or of all.

import { h, update } from './dom.js'
import { clock, count, duration, visible } from './format.js'
import { bare, mark, table } from './parts.js'
import { RECORD_COLUMNS, spanRows } from './records.js'
import { choice, storeChoice } from './search.js'

const MOST = 300
const HOUR = 3_600_000
const TIMES = [['1', 'the last hour'], ['6', 'the last 6 hours'], ['24', 'the last day'], ['168', 'the last 7 days']]

export function historyView(page, parameters) {
  const name = parameters.get('name') ?? ''
  const store = parameters.get('store') ?? ''
  const hours = TIMES.some(([value]) => value === parameters.get('hours')) ? parameters.get('hours') : '1'
  let seen = null

  return {
    title: 'History',
    async load() {
      const since = new Date(page.now() - Number(hours) * HOUR).toISOString()
      seen = await page.get('history', { store, name, since, limit: MOST })
    },
    concerns: event => event === 'changes' || event === 'action',
    render(root) {
      update(root,
        h('h1', { tabindex: -1 }, 'History'),
        h('p', { class: 'muted' },
          'What this console saw, about once a second. What began and ended between two looks is not here.'),
        page.session.historyProblem
          ? h('p', { class: 'note bad' },
            `Nothing is written down at the moment: ${visible(page.session.historyProblem)}`)
          : [],
        h('form', { class: 'filters', 'data-view': 'history' },
          h('label', {}, 'Name ', h('input', { type: 'search', name: 'name', value: name, autocomplete: 'off',
            spellcheck: 'false', placeholder: 'all names' })),
          choice('Time', 'hours', TIMES, hours),
          storeChoice(page, store)),
        seen === null ? [] : content(page, seen, name === ''))
    },
  }
}

function content(page, { records, unseen, complete, total }, withNames) {
  const columns = withNames ? [...RECORD_COLUMNS.slice(0, 2), bare('Name'), ...RECORD_COLUMNS.slice(2)] : RECORD_COLUMNS
  return [
    table('What was seen', columns, merged(page, records, unseen, withNames, columns.length), 'Nothing was seen.'),
    complete ? [] : h('p', { class: 'muted' }, `These are the latest ${count(records.length)} of ${count(total)}.`),
  ]
}

/** Where nobody looked stands between what was seen before and after. */
function merged(page, records, unseen, withNames, width) {
  const now = page.now()
  const gaps = unseen.map(gap => ({ at: Date.parse(gap.from), row: gapRow(gap, now, width) }))
  const rows = spanRows(records, now, withNames ? page : null)
    .map((row, index) => ({ at: Date.parse(records[index].from ?? records[index].at), row }))
  return [...gaps, ...rows].sort((a, b) => b.at - a.at).map(each => each.row)
}

function gapRow({ store, from, to }, now, width) {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  return {
    key: JSON.stringify(['unseen', store, from]),
    class: 'unseen',
    colspan: width,
    cells: [[mark('connecting'),
      ` Nobody looked from ${clock(begin, now)} to ${clock(end, now)}, ${duration(end - begin)}.`]],
  }
}
