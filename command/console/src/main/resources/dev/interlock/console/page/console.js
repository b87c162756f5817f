// The frame around the views: which one is shown, what changed, what is wrong.
//
// A view is an object with
//   title            the text of its heading
//   load()           fetches what it shows; a promise
//   render(root)     shows it. Called after each load and once a second, for times that grow
//   concerns(name, data)   whether an event changes what it shows
//   act(action, data)      what an element with data-action does when it is pressed; may be absent
//   close()          when another view is shown; may be absent
//
// Nothing is fetched for time that passes: the page counts by itself from the points in time that it knows.

import { ApiError, get, session } from './api.js'
import { h, link, update } from './dom.js'
import { clock } from './format.js'
import { Live } from './live.js'
import { mark } from './parts.js'
import { overviewView } from './overview.js'
import { namesView } from './names.js'
import { nameView } from './name.js'
import { waitsView } from './waits.js'
import { kindsView } from './kinds.js'
import { searchView } from './search.js'
import { historyView } from './history.js'

const VIEWS = {
  '': overviewView, names: namesView, name: nameView, waits: waitsView, kinds: kindsView, search: searchView,
  history: historyView,
}

/** For an address that somebody has typed, or kept from another version. */
function notFoundView() {
  return {
    title: 'Not found',
    async load() {},
    concerns: () => false,
    render(root) {
      update(root,
        h('h1', { tabindex: -1 }, 'Not found'),
        h('p', {}, 'There is no such view. ', h('a', { href: link('') }, 'Overview')))
    },
  }
}

/** The least time between two loads of a view, however much changes. */
const PAUSE = 1000
const PAUSE_AFTER_FAILURE = 3000
/** How long the banner says that a store answers again. */
const GOOD_NEWS = 15_000

const THEMES = { '': 'as the system', light: 'light', dark: 'dark' }

class Page {
  session = { allowForce: false, stores: [] }
  stores = new Map()

  #main = document.getElementById('main')
  #problem = h('div', { id: 'problem' })
  #root = h('div', { id: 'view' })
  #view = null
  #key = null
  #offset = Date.now() - performance.now()
  #connection = { open: true, message: '' }
  #recovered = new Map()

  // The loading of the present view: at most one at a time, and none begins earlier than PAUSE after the last.
  #loading = false
  #wanted = false
  #timer = null
  #earliest = 0

  /** Now, by the console's clock. */
  now() {
    return performance.now() + this.#offset
  }

  async get(request, parameters) {
    return this.#learn(await get(request, parameters))
  }

  /** Says it to those who do not see the page. */
  announce(text) {
    document.getElementById('announcement').textContent = text
  }

  store(id) {
    return this.stores.get(id)
  }

  /** The URI of a store, if there are several: where there is one, nobody needs to be told. */
  storeText(id) {
    return this.stores.size > 1 ? this.stores.get(id)?.uri ?? id : null
  }

  refresh() {
    this.#wanted = true
    this.#schedule()
  }

  async start() {
    this.#main.replaceChildren(this.#problem, this.#root)
    this.#listen()
    await this.#open()
    new Live((name, data) => this.#changed(name, data)).open()
    this.#show()
    setInterval(() => this.#tick(), 1000)
  }

  async #open() {
    for (;;) {
      try {
        this.session = this.#learn(await session())
        this.#frame()
        return
      } catch (error) {
        this.#connection = { open: false, message: error.message }
        this.#frame()
        await new Promise(resolve => setTimeout(resolve, PAUSE_AFTER_FAILURE))
      }
    }
  }

  #learn(answer) {
    this.#offset = Date.parse(answer.now) - performance.now()
    if (answer.stores !== undefined) {
      this.#know(answer.stores)
    }
    return answer
  }

  #changed(name, data) {
    if (name === 'connection') {
      this.#connection = data
      this.#frame()
      return
    }
    this.#learn(data)
    this.#frame()
    if (this.#view?.concerns(name, data)) {
      this.refresh()
    }
  }

  #know(stores) {
    for (const store of stores) {
      const before = this.stores.get(store.id)?.state
      this.stores.set(store.id, store)
      if (store.state === 'up' && (before === 'down' || before === 'refused')) {
        this.#recovered.set(store.id, this.now())
        this.refresh()
      } else if (store.state !== 'up') {
        this.#recovered.delete(store.id)
      }
    }
  }

  // The frame: the banner, the state of the connection, what this console may do.

  #frame() {
    update(document.getElementById('banner'), this.#messages())
    const open = this.#connection.open
    update(document.getElementById('live'), mark(open ? 'up' : 'down'), open ? 'Live' : 'Not live')
    document.getElementById('rights').textContent = this.session.allowForce
      ? 'You can force and ask.'
      : 'Read-only: start the console with --allow-force to force or ask.'
  }

  #messages() {
    const messages = []
    if (!this.#connection.open) {
      messages.push(h('p', { class: 'bad', 'data-key': 'connection' }, mark('down'), this.#connection.message))
    }
    for (const store of this.stores.values()) {
      const text = this.#messageOf(store)
      if (text !== null) {
        const state = store.state === 'up' && store.overdueSince !== undefined ? 'down' : store.state
        messages.push(h('p', { class: state === 'up' ? 'good' : 'bad', 'data-key': store.id }, mark(state), text))
      }
    }
    return messages
  }

  #messageOf(store) {
    const at = clock(Date.parse(store.since), this.now())
    const seen = store.lastLook === undefined
      ? 'Nothing of it was seen yet.'
      : `What you see of it is of ${clock(Date.parse(store.lastLook), this.now())}.`
    if (store.overdueSince !== undefined && store.state !== 'down' && store.state !== 'refused') {
      return `A look at ${store.uri} is overdue: it began at ${clock(Date.parse(store.overdueSince), this.now())}. ${seen}`
    }
    switch (store.state) {
      case 'down':
        return `${store.uri} does not answer since ${at}. ${seen} The console tries again.`
      case 'refused':
        return `${store.uri} refuses since ${at}: ${store.message} ${seen} The console tries again.`
      case 'up':
        if (this.#recovered.has(store.id)) {
          return `${store.uri} answers again since ${at}.`
        }
        return store.complete ? null : `${store.uri} has more names than the console lists. Some are not shown.`
      default:
        return null
    }
  }

  // The views.

  #show() {
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2)
    const parameters = new URLSearchParams(query ?? '')
    const make = Object.hasOwn(VIEWS, path) ? VIEWS[path] : notFoundView
    const key = JSON.stringify([path, parameters.get('store'), parameters.get('name'), parameters.get('prefix')])
    const another = key !== this.#key
    const first = this.#key === null
    this.#view?.close?.()
    this.#view = make(this, parameters)
    this.#key = key
    if (another) {
      this.#root.replaceChildren()
    }
    this.#problem.replaceChildren()
    document.title = `${this.#view.title} · Interlock console`
    for (const tab of document.querySelectorAll('#views a')) {
      const current = tab.dataset.view === path || (path === 'name' && tab.dataset.view === 'names')
      current ? tab.setAttribute('aria-current', 'page') : tab.removeAttribute('aria-current')
    }
    document.getElementById('query').value = path === 'search' ? parameters.get('q') ?? '' : ''
    this.#render()
    for (const choice of this.#root.querySelectorAll('select[data-value]')) {
      choice.value = choice.dataset.value
    }
    if (another && !first) {
      window.scrollTo(0, 0)
      this.#root.querySelector('h1')?.focus()
    }
    this.#earliest = 0
    this.refresh()
  }

  #schedule() {
    if (!this.#wanted || this.#loading || document.hidden || this.#view === null) {
      return
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#load(), Math.max(0, this.#earliest - performance.now()))
  }

  async #load() {
    if (this.#loading) {
      return
    }
    const view = this.#view
    this.#loading = true
    this.#wanted = false
    this.#earliest = performance.now() + PAUSE
    let problem = null
    try {
      await view.load()
    } catch (error) {
      if (!(error instanceof ApiError)) {
        console.error(error)
      }
      problem = error
    }
    this.#loading = false
    if (view === this.#view) {
      this.#finish(problem)
    }
    this.#schedule()
  }

  #finish(problem) {
    if (problem !== null) {
      this.#wanted = true
      this.#earliest = performance.now() + PAUSE_AFTER_FAILURE
    }
    update(this.#problem, problem === null ? [] : h('p', { class: 'note bad', role: 'alert' }, problem.message))
    this.#render()
  }

  #render() {
    this.#view.render(this.#root)
  }

  #tick() {
    for (const [id, at] of this.#recovered) {
      if (this.now() - at > GOOD_NEWS) {
        this.#recovered.delete(id)
        this.#frame()
      }
    }
    if (!document.hidden && this.#view !== null) {
      this.#render()
    }
  }

  // Keys, pointer, theme.

  #listen() {
    window.addEventListener('hashchange', () => this.#show())
    window.addEventListener('resize', () => this.#view && this.#render())
    document.addEventListener('visibilitychange', () => this.#schedule())
    document.addEventListener('keydown', event => this.#pressed(event))
    document.querySelector('.skip').addEventListener('click', event => {
      event.preventDefault()
      this.#main.focus()
    })
    this.#main.addEventListener('click', event => {
      const target = event.target.closest('[data-action]')
      if (target !== null) {
        this.#view?.act?.(target.dataset.action, target.dataset)
        this.#render()
      }
    })
    this.#main.addEventListener('change', event => {
      const form = event.target.closest('form[data-view]')
      if (form !== null) {
        location.hash = link(form.dataset.view, Object.fromEntries(new FormData(form)))
      }
    })
    this.#main.addEventListener('submit', event => {
      event.preventDefault()
      location.hash = link(event.target.dataset.view, Object.fromEntries(new FormData(event.target)))
    })
    document.getElementById('search').addEventListener('submit', event => {
      event.preventDefault()
      location.hash = link('search', { q: new FormData(event.target).get('q') })
    })
    this.#listenToTheme()
  }

  #pressed(event) {
    const typing = event.target.closest('input, textarea, select, dialog') !== null
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      document.getElementById('query').focus()
      document.getElementById('query').select()
    } else if (event.key === 'Escape' && event.target.id === 'query') {
      event.target.value = ''
      this.#main.focus()
    }
  }

  #listenToTheme() {
    const button = document.getElementById('theme')
    const show = () => {
      button.textContent = `Theme: ${THEMES[document.documentElement.dataset.theme ?? '']}`
    }
    button.addEventListener('click', () => {
      const themes = Object.keys(THEMES)
      const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? '') + 1) % themes.length]
      if (next === '') {
        delete document.documentElement.dataset.theme
        localStorage.removeItem('interlock-theme')
      } else {
        document.documentElement.dataset.theme = next
        localStorage.setItem('interlock-theme', next)
      }
      show()
    })
    show()
  }
}

await new Page().start()
