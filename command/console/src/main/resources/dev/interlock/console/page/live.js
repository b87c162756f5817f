// What changes: the stream of events. The browser connects again by itself after a break; if the console refuses, as it
// does after it was started anew, this asks why and says so.

import { ApiError, session } from './api.js'

const PATIENCE = [1000, 2000, 5000, 10_000]

export class Live {
  #listener
  #source = null
  #failures = 0

  /** @param listener called with the name and the data of each event, and with 'connection' */
  constructor(listener) {
    this.#listener = listener
  }

  open() {
    this.#source = new EventSource('api/events')
    for (const name of ['stores', 'totals', 'changes', 'action']) {
      this.#source.addEventListener(name, event => this.#listener(name, JSON.parse(event.data)))
    }
    this.#source.onopen = () => {
      this.#failures = 0
      this.#listener('connection', { open: true, message: '' })
    }
    this.#source.onerror = () => this.#broken()
  }

  #broken() {
    if (this.#source.readyState !== EventSource.CLOSED) {
      this.#listener('connection', { open: false, message: 'The console does not answer. This page tries again.' })
      return
    }
    this.#listener('connection', { open: false, message: 'The console sends no changes. This page tries again.' })
    this.#retry()
  }

  #retry() {
    const pause = PATIENCE[Math.min(this.#failures++, PATIENCE.length - 1)]
    setTimeout(() => this.#again(), pause)
  }

  async #again() {
    try {
      // Asked anew, since another process of the console has another secret for requests that change something.
      await session()
      this.open()
    } catch (error) {
      this.#listener('connection', { open: false, message: messageOf(error) })
      this.#retry()
    }
  }
}

function messageOf(error) {
  if (error instanceof ApiError && error.status === 401) {
    return 'The console was started anew. Open the URL that it printed.'
  }
  return `${error.message} This page tries again.`
}
