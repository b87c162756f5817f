// Where the boxes of a graph stand. Those that hold are on the right of those that wait for them; a circle has to have
// one edge that leads back. Pure: nodes and edges in, coordinates out.

export const BOX = { width: 178, height: 42 }
const GAP = { x: 132, y: 18 }
/** Room below for the edges that lead back. */
const BACK = 46

/**
 * @param nodes each {id}
 * @param edges each {from, to}
 * @return {places: Map of id to {x, y, bottom}, width, height}; bottom is where the boxes of its part of the graph end
 */
export function layout(nodes, edges) {
  const places = new Map()
  let top = 0
  let width = 0
  for (const part of components(nodes, edges)) {
    const columns = arrange(layers(part.nodes, part.edges), part.edges)
    const tallest = Math.max(...columns.map(column => column.length))
    const bottom = top + tallest * (BOX.height + GAP.y) - GAP.y
    columns.forEach((column, number) => column.forEach((id, at) => places.set(id, {
      x: number * (BOX.width + GAP.x),
      y: top + (at + (tallest - column.length) / 2) * (BOX.height + GAP.y),
      bottom,
    })))
    width = Math.max(width, columns.length * (BOX.width + GAP.x) - GAP.x)
    top = bottom + 2 * GAP.y + (part.edges.some(edge => leadsBack(edge, places)) ? BACK : 0)
  }
  return { places, width, height: Math.max(0, top - 2 * GAP.y) }
}

/** Whether an edge leads to the left. Then it runs below the boxes. */
export function leadsBack({ from, to }, places) {
  return places.get(from).x >= places.get(to).x
}

function components(nodes, edges) {
  const leader = new Map(nodes.map(({ id }) => [id, id]))
  const find = id => {
    while (leader.get(id) !== id) {
      leader.set(id, leader.get(leader.get(id)))
      id = leader.get(id)
    }
    return id
  }
  edges.forEach(({ from, to }) => leader.set(find(from), find(to)))
  const parts = new Map()
  for (const { id } of nodes) {
    const part = parts.get(find(id)) ?? { nodes: [], edges: [] }
    part.nodes.push(id)
    parts.set(find(id), part)
  }
  edges.forEach(edge => parts.get(find(edge.from)).edges.push(edge))
  return [...parts.values()]
}

/** The nodes of each column, from the left: all wait for ones further right, except for edges that lead back. */
function layers(ids, edges) {
  const targets = new Map(ids.map(id => [id, []]))
  edges.forEach(({ from, to }) => targets.get(from).push(to))
  const depth = new Map()
  const under = new Set()
  // Without recursion: a chain of waiters may be long.
  for (const start of ids) {
    const stack = [[start, 0]]
    while (stack.length > 0) {
      const top = stack[stack.length - 1]
      const [id, next] = top
      if (next === 0 && depth.has(id)) {
        stack.pop()
        continue
      }
      under.add(id)
      const target = targets.get(id)[next]
      top[1]++
      if (target === undefined) {
        const below = targets.get(id).filter(each => depth.has(each)).map(each => depth.get(each) + 1)
        depth.set(id, Math.max(0, ...below))
        under.delete(id)
        stack.pop()
      } else if (!depth.has(target) && !under.has(target)) {
        stack.push([target, 0])
      }
    }
  }
  const most = Math.max(...depth.values())
  const columns = Array.from({ length: most + 1 }, () => [])
  ids.forEach(id => columns[most - depth.get(id)].push(id))
  return columns
}

/** In each column those that belong together stand together: by the middle of what they wait for. */
function arrange(columns, edges) {
  for (let number = columns.length - 2; number >= 0; number--) {
    const order = new Map(columns[number + 1].map((id, at) => [id, at]))
    const middle = id => {
      const at = edges.filter(({ from, to }) => from === id && order.has(to)).map(({ to }) => order.get(to))
      return at.length === 0 ? Infinity : at.reduce((sum, each) => sum + each, 0) / at.length
    }
    const middles = new Map(columns[number].map(id => [id, middle(id)]))
    columns[number].sort((a, b) => (middles.get(a) === middles.get(b) ? 0 : middles.get(a) - middles.get(b)))
  }
  return columns
}
