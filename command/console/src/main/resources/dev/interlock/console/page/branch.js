// The levels of the tree of names, as the server gives them in pages. No elements.

const PAGE = 200

/** The nodes below one prefix: their number, the pages that were fetched, the groups that are open. */
export class Branch {
  total = null
  #pages = new Map()
  #open = new Map()

  constructor(page, store, prefix) {
    this.page = page
    this.store = store
    this.prefix = prefix
  }

  /** Fetches the page in which a node is, and finds the open groups again, which may have moved. */
  async fetch(number) {
    const answer = await this.page.get('tree', { store: this.store, prefix: this.prefix, offset: number * PAGE,
      limit: PAGE })
    this.total = answer.total
    this.#pages.set(number, answer.nodes)
    answer.nodes.forEach((node, at) => {
      const open = node.type === 'group' ? this.#open.get(node.prefix) : undefined
      if (open !== undefined) {
        open.index = number * PAGE + at
      }
    })
    for (const old of [...this.#pages.keys()].filter(each => each * PAGE >= this.total)) {
      this.#pages.delete(old)
    }
    // One of which nothing is left is not below the last one.
    for (const [prefix, { index }] of this.#open) {
      if (index >= this.total || this.#isGone(number, prefix, index)) {
        this.#open.delete(prefix)
      }
    }
  }

  #isGone(number, prefix, index) {
    return Math.floor(index / PAGE) === number && this.node(index)?.prefix !== prefix
  }

  node(index) {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  }

  key(node) {
    return node.type === 'group'
      ? `group ${this.store} ${node.prefix}`
      : `name ${this.store} ${node.row.kind} ${node.row.name}`
  }

  opened(node) {
    return node?.type === 'group' ? this.#open.get(node.prefix)?.branch : undefined
  }

  open(node, index) {
    this.#open.set(node.prefix, { index, branch: new Branch(this.page, this.store, node.prefix) })
  }

  shut(node) {
    this.#open.delete(node.prefix)
  }

  /** The open groups in order, each {index, branch}. */
  inOrder() {
    return [...this.#open.values()].sort((a, b) => a.index - b.index)
  }

  /** The number of rows of this and all that is open below it. */
  rows() {
    return (this.total ?? 1) + this.inOrder().reduce((sum, { branch }) => sum + branch.rows(), 0)
  }

  /** Which pages are to be up to date if these rows are seen: those, and those with open groups. */
  seenPages(from, to) {
    const pages = new Set()
    let row = 0
    let index = 0
    const add = (first, last) => {
      for (let number = Math.floor(first / PAGE); number <= Math.floor(last / PAGE); number++) {
        pages.add(number)
      }
    }
    const run = length => {
      const first = Math.max(from, row)
      const last = Math.min(to, row + length - 1)
      if (first <= last) {
        add(index + first - row, index + last - row)
      }
      row += length
      index += length
    }
    for (const open of this.inOrder()) {
      run(open.index - index + 1)
      add(open.index, open.index)
      row += open.branch.rows()
    }
    run(Math.max(0, (this.total ?? 1) - index))
    return pages
  }
}

/** The stores as the first level. The page has them. */
export class Stores {
  #open = new Map()

  constructor(page) {
    this.page = page
  }

  #all() {
    return [...this.page.stores.values()]
  }

  get total() {
    return this.#all().length
  }

  /** The answer has the stores, which the page keeps. */
  async fetch() {
    await this.page.get('overview')
  }

  node(index) {
    const store = this.#all()[index]
    return store && { type: 'store', label: store.uri, store, names: store.names, held: store.held,
      waiting: store.waiting, atRisk: store.atRisk }
  }

  key(node) {
    return `store ${node.store.id}`
  }

  opened(node) {
    return node && this.#open.get(node.store.id)?.branch
  }

  open(node, index) {
    this.#open.set(node.store.id, { index, branch: new Branch(this.page, node.store.id, '') })
  }

  shut(node) {
    this.#open.delete(node.store.id)
  }

  inOrder() {
    return [...this.#open.values()].sort((a, b) => a.index - b.index)
  }

  rows() {
    return this.total + this.inOrder().reduce((sum, { branch }) => sum + branch.rows(), 0)
  }

  seenPages() {
    return new Set([0])
  }
}
