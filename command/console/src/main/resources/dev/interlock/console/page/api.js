// Requests to the console's API, see docs/internals/console-api.md.

/** An answer that is an error, or no answer: then the status is 0. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

let csrf = ''

/** The session: what this console may do, and its stores. */
export async function session() {
  const found = await get('session')
  csrf = found.csrf
  return found
}

export async function get(request, parameters = {}) {
  return send(`api/${request}?${query(parameters)}`, { headers: { Accept: 'application/json' } })
}

export async function post(request, parameters) {
  return send(`api/${request}`, { method: 'POST', body: query(parameters), headers: { 'X-CSRF-Token': csrf } })
}

function query(parameters) {
  return new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== ''))
}

async function send(url, options) {
  let answer
  try {
    answer = await fetch(url, { ...options, credentials: 'same-origin', cache: 'no-store' })
  } catch {
    throw new ApiError(0, 'unreachable', 'The console does not answer.')
  }
  const text = await answer.text()
  if (answer.ok) {
    return JSON.parse(text)
  }
  throw errorOf(answer.status, text)
}

function errorOf(status, text) {
  try {
    const { code, message } = JSON.parse(text).error
    return new ApiError(status, code, message)
  } catch {
    return new ApiError(status, 'unknown', `The console answered with the status ${status}.`)
  }
}
