// Who waits for whom, as a graph and in words. A circle is a deadlock: nobody in it goes on unless somebody lets go.

import { h, s, update } from './dom.js'
import { count, counted, known, party, place, visible } from './format.js'
import { BOX, layout, leadsBack } from './graph.js'
import { mark, nameCell, nameLink, number, partyCell, section, since, table } from './parts.js'

/** More would not be read. The table has all. */
const MOST_DRAWN = 60
/** That many who wait for the same, and for whom nobody waits, are drawn as one. */
const CROWD = 4
const LONGEST_LABEL = 16
const LONGEST_PARTY = 24
const MARGIN = 12
/** How far below the boxes an edge runs that leads back. */
const LOW = 52

export function waitsView(page) {
  let seen = null
  return {
    title: 'Waits',
    async load() {
      seen = await page.get('waits')
    },
    concerns: event => event === 'changes',
    render(root) {
      update(root, h('h1', { tabindex: -1 }, 'Waits'), seen === null ? [] : content(page, seen))
    },
  }
}

function content(page, { nodes, edges, circles, complete, total }) {
  const now = page.now()
  if (edges.length === 0) {
    return h('p', { class: 'empty' }, 'Nobody waits for anybody.')
  }
  const byId = new Map(nodes.map(node => [node.id, node]))
  const sorted = [...edges].sort((a, b) => b.circle - a.circle || Date.parse(a.since) - Date.parse(b.since))
  return [
    circles.length === 0
      ? h('p', { class: 'muted' }, 'There is no circle: everybody who waits gets a turn when the holders let go.')
      : circlesPart(circles, edges, byId),
    section('Graph', graphPart(nodes, edges)),
    section('In words', table('Who waits for whom',
      ['Who waits', 'For the name', 'Which is held by', number('Waits for'), 'Circle'],
      sorted.map(edge => ({
        key: JSON.stringify([edge.from, edge.to, edge.store, edge.name]),
        cells: [partyCell(byId.get(edge.from)), nameCell(page, edge), partyCell(byId.get(edge.to)),
          since(edge.since, now),
          edge.circle > 0 ? h('span', { class: 'state circle' }, mark('circle'), `circle ${edge.circle}`) : ''],
      })), '')),
    complete ? [] : h('p', { class: 'muted' },
      `These are ${count(edges.length)} of ${count(total)}, those of circles first.`),
  ]
}

function circlesPart(circles, edges, byId) {
  return h('div', { class: 'note bad' },
    h('p', {}, mark('circle'), h('strong', {}, counted(circles.length, 'circle')),
      '. Nobody in it goes on until one lets go, is forced, or gives up.'),
    circles.slice(0, 10).map(circle => h('ul', {}, edges.filter(edge => edge.circle === circle.id).slice(0, 10)
      .map(edge => h('li', {}, h('bdi', {}, party(byId.get(edge.from))), ` (${place(byId.get(edge.from))}) waits for `,
        nameLink(edge), ', held by ', h('bdi', {}, party(byId.get(edge.to))))))))
}

function graphPart(allNodes, allEdges) {
  const { nodes, edges, left } = drawn(allNodes, allEdges)
  const { places, width, height } = layout(nodes, edges)
  const [fullWidth, fullHeight] = [width + 2 * MARGIN, height + 2 * MARGIN]
  return [
    h('div', { class: 'scroller graph', role: 'region', tabindex: 0, 'aria-label': 'Graph of who waits for whom' },
      s('svg', { role: 'img', 'aria-label': `Graph: ${counted(allEdges.length, 'wait')}, in words in the table below.`,
        width: fullWidth, height: fullHeight, viewBox: `${-MARGIN} ${-MARGIN} ${fullWidth} ${fullHeight}` },
      s('defs', {}, arrow('arrow', 'arrow-head'), arrow('arrow-circle', 'arrow-head circle')),
      edges.map(edge => edgePart(edge, places)),
      nodes.map(node => nodePart(node, places.get(node.id))))),
    h('p', { class: 'muted small' }, 'An arrow leads from one who waits to one who holds.',
      left > 0 ? ` ${counted(left, 'more thread')} only in the table.` : ''),
  ]
}

/** What is drawn of it: those of circles and those for whom most wait, and crowds as one box. */
function drawn(allNodes, allEdges) {
  const { nodes, edges } = withCrowds(allNodes, allEdges)
  const degree = new Map()
  edges.forEach(edge => [edge.from, edge.to].forEach(id => degree.set(id, (degree.get(id) ?? 0) + 1)))
  const chosen = [...nodes]
    .sort((a, b) => (b.circle > 0) - (a.circle > 0) || degree.get(b.id) - degree.get(a.id))
    .slice(0, MOST_DRAWN)
  const ids = new Set(chosen.map(({ id }) => id))
  return {
    nodes: nodes.filter(({ id }) => ids.has(id)),
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    left: nodes.length - chosen.length,
  }
}

function withCrowds(nodes, edges) {
  const waitedFor = new Set(edges.map(({ to }) => to))
  const aims = new Map()
  for (const edge of edges) {
    aims.set(edge.from, [...aims.get(edge.from) ?? [], JSON.stringify([edge.to, edge.store, edge.name])])
  }
  const crowds = new Map()
  for (const node of nodes.filter(({ id, circle }) => circle === 0 && !waitedFor.has(id) && aims.has(id))) {
    const aim = aims.get(node.id).sort().join()
    crowds.set(aim, [...crowds.get(aim) ?? [], node])
  }
  const instead = new Map()
  for (const members of crowds.values()) {
    if (members.length >= CROWD) {
      members.forEach(member => instead.set(member.id, { id: members[0].id, circle: 0, crowd: members.length }))
    }
  }
  return {
    nodes: nodes.filter(({ id }) => (instead.get(id)?.id ?? id) === id).map(node => instead.get(node.id) ?? node),
    edges: merged(edges.filter(({ from }) => (instead.get(from)?.id ?? from) === from)),
  }
}

/** One edge for all names for which the one waits for the other. */
function merged(edges) {
  const byEnds = new Map()
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to])
    const same = byEnds.get(key)
    if (same === undefined) {
      byEnds.set(key, { ...edge, more: 0 })
    } else {
      same.more++
      same.circle = Math.max(same.circle, edge.circle)
    }
  }
  return [...byEnds.values()]
}

function edgePart(edge, places) {
  const from = places.get(edge.from)
  const to = places.get(edge.to)
  const inCircle = edge.circle > 0
  const label = cut(edge.name, LONGEST_LABEL) + (edge.more > 0 ? ` +${edge.more}` : '')
  const [path, x, y] = leadsBack(edge, places) ? pathBack(from, to) : pathOn(from, to)
  return s('g', { class: inCircle ? 'edge circle' : 'edge' },
    s('path', { d: path, 'marker-end': `url(#${inCircle ? 'arrow-circle' : 'arrow'})` }),
    s('text', { x, y, 'text-anchor': 'middle' }, label),
    s('title', {}, visible(edge.name)))
}

function pathOn(from, to) {
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2]
  const [x2, y2] = [to.x - 2, to.y + BOX.height / 2]
  const bend = (x2 - x1) / 2
  return [`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, (x1 + x2) / 2, (y1 + y2) / 2 - 5]
}

function pathBack(from, to) {
  const [x1, y1] = [from.x + BOX.width / 2, from.y + BOX.height]
  const [x2, y2] = [to.x + BOX.width / 2, to.y + BOX.height + 2]
  const low = from.bottom + LOW
  // The curve comes three quarters of the way down.
  const lowest = (y1 + y2) / 8 + low * 3 / 4
  return [`M${x1} ${y1}C${x1} ${low} ${x2} ${low} ${x2} ${y2}`, (x1 + x2) / 2, lowest - 5]
}

function nodePart(node, { x, y }) {
  const [first, second] = node.crowd === undefined
    ? [party(node), place(node)]
    : [`${count(node.crowd)} threads`, 'wait for the same']
  return s('g', { class: node.circle > 0 ? 'node circle' : 'node', transform: `translate(${x} ${y})` },
    s('title', {}, `${first}, ${second}`),
    s('rect', { width: BOX.width, height: BOX.height, rx: 3 }),
    s('text', { x: 10, y: 18 }, cut(first, LONGEST_PARTY)),
    s('text', { x: 10, y: 33, class: 'second' }, cut(known(second), LONGEST_PARTY + 2)))
}

function arrow(id, className) {
  return s('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto',
    markerUnits: 'userSpaceOnUse' }, s('path', { d: 'M0 0 8 4 0 8z', class: className }))
}

function cut(text, longest) {
  const characters = [...visible(text)]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}
