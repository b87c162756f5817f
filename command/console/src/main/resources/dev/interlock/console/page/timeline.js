// Holds and waits as bars over time, a lane for each thread of a process. The table below it has the same in words.

import { h, s } from './dom.js'
import { clock, counted, duration, minute, party, place } from './format.js'

export const WINDOWS = [
  { minutes: 60, text: '1 hour' }, { minutes: 10, text: '10 minutes' }, { minutes: 2, text: '2 minutes' },
]

const MOST_LANES = 12
const AXIS = 22
const LANE = 36
const BAR = 12
const TEXT = 13
/** A hold of a millisecond is seen, too. */
const LEAST_WIDTH = 2

export function timeline({ spans, actions, unseen }, now, width, millis) {
  const scale = new Scale(now - millis, now, Math.max(280, width || 640))
  const inWindow = spans.filter(span => endOf(span, now) >= scale.from)
  const { lanes, more } = lanesOf(inWindow, now)
  const height = AXIS + Math.max(1, lanes.length) * LANE + 6
  return h('figure', { class: 'timeline' },
    s('svg', { role: 'img', 'aria-label': describe(inWindow, unseen, now), viewBox: `0 0 ${scale.width} ${height}`,
      width: scale.width, height },
    s('defs', {}, hatch('hatch-wait', 'wait-line'), hatch('hatch-unseen', 'unseen-line')),
    ticks(scale, height),
    unseen.filter(each => Date.parse(each.to) >= scale.from).map(each => unseenPart(each, scale, height)),
    lanes.length === 0
      ? s('text', { x: 0, y: AXIS + 22, class: 'lane-text' }, 'Nobody was seen to hold it or to wait for it.')
      : lanes.map((lane, index) => lanePart(lane, AXIS + index * LANE, scale, now)),
    actions.filter(each => Date.parse(each.at) >= scale.from).map(each => actionPart(each, scale, height))),
    h('figcaption', {},
      legend('hold', 'holds'), legend('wait', 'waits'), legend('lost', 'lost or ended by force'),
      legend('unseen', 'nobody looked'),
      more > 0 ? h('span', {}, `and ${counted(more, 'more thread')} below`) : []))
}

class Scale {
  constructor(from, to, width) {
    this.from = from
    this.to = to
    this.width = width
  }

  x(point) {
    const share = (point - this.from) / (this.to - this.from)
    return Math.round(Math.min(1, Math.max(0, share)) * this.width * 10) / 10
  }
}

/** Those with the latest spans, in the order in which they came, so that lanes stay where they are. */
function lanesOf(spans, now) {
  const lanes = new Map()
  for (const span of spans) {
    const key = JSON.stringify([span.host, span.pid, span.application, span.thread])
    const lane = lanes.get(key) ?? { who: span, spans: [], first: Infinity, last: 0 }
    lane.spans.push(span)
    lane.first = Math.min(lane.first, Date.parse(span.from))
    lane.last = Math.max(lane.last, endOf(span, now))
    lanes.set(key, lane)
  }
  const latest = [...lanes.values()].sort((a, b) => b.last - a.last).slice(0, MOST_LANES)
  return { lanes: latest.sort((a, b) => a.first - b.first), more: lanes.size - latest.length }
}

function endOf(span, now) {
  return span.to === undefined ? now : Date.parse(span.to)
}

function lanePart(lane, y, scale, now) {
  const spans = [...lane.spans].sort((a, b) => (a.type === b.type ? 0 : a.type === 'wait' ? -1 : 1))
  return s('g', {},
    s('line', { x1: 0, x2: scale.width, y1: y + LANE - 4, y2: y + LANE - 4, class: 'lane-line' }),
    s('text', { x: 0, y: y + TEXT, class: 'lane-text' }, party(lane.who),
      s('tspan', { class: 'lane-place', dx: 8 }, place(lane.who))),
    spans.map(span => bar(span, y + TEXT + 5, scale, now)))
}

function bar(span, y, scale, now) {
  const from = Date.parse(span.from)
  const end = endOf(span, now)
  const x = scale.x(from)
  const width = Math.max(LEAST_WIDTH, scale.x(end) - x)
  const bad = span.end === 'lost' || span.end === 'forced'
  return [
    s('rect', { x, y, width, height: BAR, class: `bar ${span.type}` },
      s('title', {},
        `${span.type === 'hold' ? 'Held' : 'Waited'} from ${clock(from, now)} for ${duration(end - from)}`)),
    bad ? s('path', { d: `M${x + width - 5} ${y + BAR}h10l-5-${BAR}z`, class: 'bad-end' }) : [],
  ]
}

function unseenPart({ from, to }, scale, height) {
  const x = scale.x(Date.parse(from))
  return s('rect', { x, y: AXIS, width: Math.max(LEAST_WIDTH, scale.x(Date.parse(to)) - x), height: height - AXIS,
    class: 'bar unseen' }, s('title', {}, 'Nobody looked'))
}

function actionPart(action, scale, height) {
  const x = scale.x(Date.parse(action.at))
  return s('line', { x1: x, x2: x, y1: AXIS - 4, y2: height, class: 'action-line' },
    s('title', {}, action.type === 'force' ? 'Ended by force' : 'Asked to let go'))
}

function ticks(scale, height) {
  const span = scale.to - scale.from
  const step = span / (scale.width < 480 ? 3 : 6)
  const parts = []
  for (let point = Math.ceil(scale.from / step) * step; point <= scale.to; point += step) {
    const x = scale.x(point)
    parts.push(s('line', { x1: x, x2: x, y1: AXIS - 6, y2: height, class: 'tick' }))
    if (x < scale.width - 34) {
      parts.push(s('text', { x: x + 3, y: AXIS - 9, class: 'tick-text' },
        span > 600_000 ? minute(point) : clock(point)))
    }
  }
  return parts
}

function hatch(id, lineClass) {
  return s('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    s('line', { x1: 0, x2: 0, y1: 0, y2: 5, class: lineClass }))
}

function legend(type, text) {
  return h('span', { class: 'legend' },
    s('svg', { width: 18, height: 12, viewBox: '0 0 18 12', 'aria-hidden': 'true' },
      type === 'lost'
        ? s('path', { d: 'M4 12h10l-5-12z', class: 'bad-end' })
        : s('rect', { x: .5, y: .5, width: 17, height: 11, class: `bar ${type}` })),
    text)
}

function describe(spans, unseen, now) {
  const of = type => spans.filter(span => span.type === type)
  const open = of('hold').filter(span => span.to === undefined)
  const holder = open.length > 0 ? ` Now ${party(open[0])} holds it.` : ''
  const gaps = unseen.length > 0 ? ` Nobody looked ${counted(unseen.length, 'time')}.` : ''
  return `Timeline: ${counted(of('hold').length, 'hold')} and ${counted(of('wait').length, 'wait')}.${holder}${gaps}`
}
