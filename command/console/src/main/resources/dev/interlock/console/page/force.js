// Forcing and asking. A dialog names who holds the lock and what follows, and wants a reason, which the history keeps.

import { post } from './api.js'
import { h } from './dom.js'
import { duration, party, place, visible } from './format.js'
import { kindOf, nameText } from './parts.js'

const LONGEST_REASON = 500

/** The button that begins to force a holder. */
export function forceButton(lock, holder) {
  return h('button', { type: 'button', class: 'danger', 'data-action': 'force', 'data-kind': lock.kind,
    'data-owner': holder.owner }, 'Force …', h('span', { class: 'hidden' }, ` ${party(holder)} to end`))
}

export function openForce(page, lock, holder) {
  if (holder === undefined) {
    return
  }
  const who = party(holder)
  new Dialog(page, {
    title: ['End the hold of ', nameText(lock.name, false), ' by force'],
    facts: [
      h('p', {}, h('strong', {}, h('bdi', {}, who)), ` (${place(holder)}) has held this ${kindOf(lock)} for `,
        `${duration(page.now() - Date.parse(holder.since))}, with the token ${holder.token}.`),
      h('p', {}, consequence(lock)),
      h('p', {}, 'The holder is told, but may still be at work. Only what compares tokens refuses its late writes.'),
    ],
    confirmation: `${who} loses the ${kindOf(lock)} at once, even if it is still at work.`,
    button: 'End it by force',
    send: reason => post('force', { store: lock.store, name: lock.name, kind: lock.kind, owner: holder.owner,
      token: holder.token, reason }),
    done: 'The claim was ended.',
  }).open()
}

export function openAsk(page, lock) {
  const holders = lock.holders.map(holder => party(holder))
  const who = holders.length === 1 ? holders[0] : `${holders[0]} and ${holders.length - 1} more`
  new Dialog(page, {
    title: ['Ask the holders of ', nameText(lock.name, false), ' to let go'],
    facts: [
      h('p', {}, h('strong', {}, h('bdi', {}, who)), ` ${holders.length === 1 ? 'holds' : 'hold'} it.`),
      h('p', {}, 'They are told that somebody wants it, and decide themselves. One that has no callback for this takes '
        + 'no notice.'),
    ],
    confirmation: `${who} ${holders.length === 1 ? 'is' : 'are'} asked to let go.`,
    button: 'Ask',
    send: reason => post('ask', { store: lock.store, name: lock.name, kind: lock.kind, reason }),
    done: 'The holders were asked.',
  }).open()
}

function consequence(lock) {
  const next = lock.waiters[0]
  return next === undefined
    ? 'Its claim ends at once, and the name is free.'
    : ['Its claim ends at once. ', h('bdi', {}, party(next)), ' waits longest, and may have it a moment later.']
}

class Dialog {
  constructor(page, { title, facts, confirmation, button, send, done }) {
    this.page = page
    this.send = send
    this.done = done
    this.problem = h('p', { class: 'note bad', role: 'alert', hidden: true })
    this.reason = h('textarea', { id: 'reason', rows: 2, maxlength: LONGEST_REASON, required: true })
    this.confirmed = h('input', { type: 'checkbox', id: 'confirmed', required: true })
    this.submit = h('button', { type: 'submit', class: 'primary danger', disabled: true }, button)
    const cancel = h('button', { type: 'button' }, 'Cancel')
    this.form = h('form', { method: 'dialog' },
      h('h2', { id: 'dialog-title' }, title),
      facts,
      h('label', { for: 'reason' }, 'Reason, for the history'),
      this.reason,
      h('p', { class: 'confirm' }, this.confirmed, h('label', { for: 'confirmed' }, h('bdi', {}, confirmation))),
      this.problem,
      h('p', { class: 'actions' }, cancel, this.submit))
    this.dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, this.form)
    cancel.addEventListener('click', () => this.dialog.close())
    this.form.addEventListener('input', () => this.#check())
    this.form.addEventListener('submit', event => this.#submit(event))
    this.dialog.addEventListener('close', () => this.dialog.remove())
  }

  open() {
    document.body.append(this.dialog)
    this.dialog.showModal()
    this.reason.focus()
  }

  #check() {
    this.submit.disabled = !this.confirmed.checked || this.reason.value.trim() === ''
  }

  async #submit(event) {
    event.preventDefault()
    this.submit.disabled = true
    this.problem.hidden = true
    try {
      const { action } = await this.send(this.reason.value.trim())
      this.dialog.close()
      this.page.announce(action.outcome === 'gone' ? 'It did not hold any more.'
        : action.outcome === 'failed' ? 'The store did not answer, or refused. It may be done.' : this.done)
      this.page.refresh()
    } catch (error) {
      this.problem.textContent = visible(error.message)
      this.problem.hidden = false
      this.#check()
    }
  }
}
