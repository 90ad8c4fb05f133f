// In charge of times and durations as text, such as deadlines, ages, and the time left for restoring a task. Pure.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Converts an ISO 8601 duration of weeks, days, hours, minutes and seconds into milliseconds; any other text becomes 0. */
export function durationMs(iso: string): number {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso)
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (match?.slice(1) ?? []).map((part) =>
    Number(part ?? 0),
  )
  return weeks * 7 * day + days * day + hours * hour + minutes * minute + seconds * 1000
}

/** A duration in words, in the largest unit of which it contains at least two: "30 days", "36 hours", "20 minutes". */
export function spanWords(ms: number): string {
  const units = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
  ] as const
  const [unit, size] = units.find(([, size]) => ms >= 2 * size) ?? units[2]
  const count = Math.max(1, Math.round(ms / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A duration in short form, as in "30 d", "36 h" and "20 min". */
const shortSpan = (ms: number): string => spanWords(ms).replace(/ (d|h|min)\w*$/, ' $1')

/** How many milliseconds are left of a time window that began at `since`; zero after its end. */
export const leftOf = (since: string, windowMs: number, now: number): number =>
  Math.max(0, Date.parse(since) + windowMs - now)

/** How long ago a time was, as in "just now", "5 min ago", "3 h ago", "yesterday" and "12 days ago"; after 30 days, the date. */
export function agoWords(at: string, now: number): string {
  const passed = now - Date.parse(at)
  if (passed < minute) return 'just now'
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`
  if (passed < day) return `${Math.floor(passed / hour)} h ago`
  const days = Math.floor(passed / day)
  if (days === 1) return 'yesterday'
  return days <= 30 ? `${days} days ago` : dateWords(at)
}

/** Creates the formatter on first use, because creating it is slow and many pages show no date. */
function formatter(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined
  return () => {
    made ??= new Intl.DateTimeFormat('en-GB', options)
    return made
  }
}

const sameYear = formatter({ day: 'numeric', month: 'short' })
const otherYear = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const full = formatter({ dateStyle: 'medium', timeStyle: 'short' })

export function dateWords(at: string, now = Date.now()): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date(now).getFullYear() ? sameYear() : otherYear()).format(date)
}

export const fullWords = (at: string): string => full().format(new Date(at))

export type Deadline = { tone: 'overdue' | 'soon' | 'later'; words: string }

/** The text and tone of a deadline on a card; the deadline of a finished task is never overdue. */
export function deadlineOf(at: string, finished: boolean, now: number): Deadline {
  const left = Date.parse(at) - now
  const date = dateWords(at, now)
  if (finished) return { tone: 'later', words: date }
  if (left < 0) return { tone: 'overdue', words: `${shortSpan(-left)} over` }
  if (left < 2 * day) return { tone: 'soon', words: left < day ? `${shortSpan(left)} left` : date }
  return { tone: 'later', words: date }
}

/** Converts a time into the value of a `datetime-local` input, in the user's own time zone. */
export function toLocalInput(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const pad = (part: number) => String(part).padStart(2, '0')
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${time}`
}

/** The latest time that may be typed into a `datetime-local` input: without it, browsers accept years of up to six digits. */
export const latestLocalInput = '9999-12-31T23:59'

/** Stands for the text in a `datetime-local` input while a part of the date is missing. */
export const halfTyped = 'half-typed'

/** Returns what a user has typed into a `datetime-local` input. Its own value is empty also if the date is only half typed. */
export const typedTime = ({ value, validity }: { value: string; validity: { badInput: boolean } }): string =>
  validity.badInput ? halfTyped : value

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** Returns why what was typed into a `datetime-local` input cannot be saved; null if it can. */
export const timeProblem = (typed: string): string | null =>
  typed === '' || isTime(typed) ? null : 'Not saved: this is not a whole date with a time.'

/**
 * Converts what was typed into a `datetime-local` input into a time for the service; an empty text means no time (null). Anything
 * else that is not a time stays as it is, so that the service refuses it.
 */
export function fromLocalInput(typed: string): string | null {
  if (typed === '') return null
  return isTime(typed) ? new Date(typed).toISOString() : typed
}

/** How long people worked on something, such as the time of a task in a column: "20 min", "3 h 20 min" or "2 d 5 h". */
export function workWords(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`
}
