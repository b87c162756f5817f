// How numbers, times and parties are written. One unit more than the largest, so that columns stay short.

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000]]
const NUMBER = new Intl.NumberFormat('en', { useGrouping: true })
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const MINUTE = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' })

/** A count, as 12,345. A thin space would be read as two numbers by some screen readers. */
export function count(number) {
  return NUMBER.format(number)
}

/** A count with its noun: "1 holder", "3 holders". */
export function counted(number, noun, nouns = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : nouns}`
}

/** A duration, as "850 ms", "12 s", "4 min 05 s", "3 h 20 min". */
export function duration(millis) {
  if (millis === null || millis === undefined) {
    return '–'
  }
  const whole = Math.max(0, Math.round(millis))
  if (whole < 1000) {
    return `${whole} ms`
  }
  if (whole < 10_000) {
    return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`
  }
  const index = UNITS.findIndex(([, length]) => whole >= length)
  const [unit, length] = UNITS[index]
  const large = Math.floor(whole / length)
  const next = UNITS[index + 1]
  if (next === undefined) {
    return `${large} ${unit}`
  }
  const small = Math.floor((whole % length) / next[1])
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${String(small).padStart(2, '0')} ${next[0]}`
}

/** The time of day, with the date if it is another day than now. */
export function clock(millis, now = Date.now()) {
  const date = new Date(millis)
  const time = CLOCK.format(date)
  return date.toDateString() === new Date(now).toDateString() ? time : `${DAY.format(date)} ${time}`
}

/** The time of day without seconds, for an axis. */
export function minute(millis) {
  return MINUTE.format(new Date(millis))
}

/** A text that may be empty, as a host that another client library does not tell. */
export function known(text) {
  return text === null || text === undefined || text === '' ? 'unknown' : text
}

/**
 * A text of others in one line: each character that would not be seen, or that changes the direction of writing, as an
 * escape, as the command prints it.
 */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, character => {
    const escape = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
    return escape ?? `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`
  })
}

/** Who: the application on its host; with process and thread if there is room. */
export function party({ application, host }) {
  return application ? `${visible(application)} on ${visible(known(host))}` : visible(known(host))
}

/** The process and the thread of a party. */
export function place({ pid, thread }) {
  return [pid ? `pid ${pid}` : null, thread ? visible(thread) : null].filter(Boolean).join(', ')
}
