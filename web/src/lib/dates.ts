// In charge of the text of times: deadlines, ages, the rest of a retention window. Pure; the present is an argument.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds of an ISO 8601 duration of weeks, days and time. */
export function durationMs(iso: string): number {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso)
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (match?.slice(1) ?? []).map((part) =>
    Number(part ?? 0),
  )
  return weeks * 7 * day + days * day + hours * hour + minutes * minute + seconds * 1000
}

/** "30 days", "36 hours", "20 minutes": in the largest unit of which the span has at least two. */
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

/** The same in short: "30 d", "36 h", "20 min". */
const shortSpan = (ms: number): string => spanWords(ms).replace(/ (d|h|min)\w*$/, ' $1')

/** The rest of a window that began at `since`, in milliseconds; zero once it is over. */
export const leftOf = (since: string, windowMs: number, now: number): number =>
  Math.max(0, Date.parse(since) + windowMs - now)

/** "just now", "5 min ago", "3 h ago", "yesterday", "12 days ago", else the date. */
export function agoWords(at: string, now: number): string {
  const passed = now - Date.parse(at)
  if (passed < minute) return 'just now'
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`
  if (passed < day) return `${Math.floor(passed / hour)} h ago`
  const days = Math.floor(passed / day)
  if (days === 1) return 'yesterday'
  return days <= 30 ? `${days} days ago` : dateWords(at)
}

/** Created on first use, since creating it is slow and many pages show no date. */
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

/** The text of a deadline on a card; finished work is never overdue. */
export function deadlineOf(at: string, finished: boolean, now: number): Deadline {
  const left = Date.parse(at) - now
  const date = dateWords(at, now)
  if (finished) return { tone: 'later', words: date }
  if (left < 0) return { tone: 'overdue', words: `${shortSpan(-left)} over` }
  if (left < 2 * day) return { tone: 'soon', words: left < day ? `${shortSpan(left)} left` : date }
  return { tone: 'later', words: date }
}

/** The value of a `datetime-local` input, in the reader's own time zone. */
export function toLocalInput(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const pad = (part: number) => String(part).padStart(2, '0')
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${time}`
}

/** An instant for the service, from the value of a `datetime-local` input; null if the input is empty or not a time. */
export function fromLocalInput(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** "3 h 20 min", for a sum of times. */
export function workWords(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`
}
