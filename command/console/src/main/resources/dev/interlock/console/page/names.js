// The names by prefix, as a tree.

import { Branch, Stores } from './branch.js'
import { h, link, update } from './dom.js'
import { groupLinks, nameText } from './parts.js'
import { TreeView } from './tree.js'

/** The tree that was shown last, {key, tree}: who comes back from a name finds open what was open. */
let left = null

export function namesView(page, parameters) {
  const store = parameters.get('store')
  const prefix = parameters.get('prefix') ?? ''
  const key = JSON.stringify([store, prefix])
  let tree = left?.key === key ? left.tree : null

  return {
    title: 'Names',
    async load() {
      tree ??= new TreeView(page, rootOf(page, store, prefix))
      left = { key, tree }
      await tree.load()
    },
    concerns: (event, data) => event === 'changes' && (!data.complete || data.rows.length + data.gone.length > 0),
    render(root) {
      update(root,
        h('h1', { tabindex: -1 }, 'Names'),
        path(page, store, prefix),
        h('div', { 'data-own': true, id: 'tree-place' }))
      tree?.render(root.querySelector('#tree-place'))
    },
    close: () => tree?.leave(),
  }
}

/** Below it are the stores, if there are several and none is chosen. */
function rootOf(page, store, prefix) {
  const stores = [...page.stores.values()]
  return store !== null || stores.length === 1
    ? new Branch(page, store ?? stores[0].id, prefix)
    : new Stores(page)
}

function path(page, store, prefix) {
  if (prefix === '' && (store === null || page.stores.size === 1)) {
    return h('p', { class: 'muted' }, 'Names in groups, by what stands before each colon, slash or dot.')
  }
  return h('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, h('ol', {},
    h('li', {}, h('a', { href: link('names') }, 'All names')),
    page.stores.size > 1 ? h('li', {}, h('a', { href: link('names', { store }) }, page.storeText(store))) : [],
    groupLinks(store, prefix).map(group => h('li', {}, group)),
    prefix === '' ? [] : h('li', {}, nameText(prefix.slice(prefix.search(/[^:/.]*[:/.]$/))))))
}
