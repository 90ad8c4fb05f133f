// In charge of rendering Liquid templates within limits: no files, no clock, no random values, and no endless loops.
import { Liquid, LiquidError } from 'liquidjs'
import Type from 'typebox'
import { limitFilters, TimedContext, timedOperators } from './liquid-limits.ts'
import { NodeFailure } from './node-type.ts'

/** The maximum length of a rendered template, in characters. */
const longestText = 200_000

/** How a template prints a value: a row or a list as JSON, and not as “[object Object]”. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * How long rendering a template may take. It happens on the thread that also serves requests, which wait meanwhile.
 */
const mostMs = 250
/** A thread that used less processor time than this within `mostMs` was kept from working. */
const enoughMs = 200
/**
 * If the thread got too little processor time, because the machine was suspended or is overloaded, a template is rendered again
 * with a higher limit, which is at most this one.
 */
const mostMsCrowded = 2000

const liquid = new Liquid({
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  dynamicPartials: false,
  timezoneOffset: 0,
  outputEscape: shown,
  operators: timedOperators,
  parseLimit: 50_000,
  renderLimit: mostMs,
  memoryLimit: 5_000_000,
})
for (const name of ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']) {
  const filter = liquid.filters[name]
  liquid.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
    if (value === 'now' || value === 'today') throw new Error('a template has no clock: lead the date in as a variable')
    const date = typeof value === 'string' ? (inUtc(value) ?? value) : value
    return typeof filter === 'function' ? Reflect.apply(filter, this, [date, ...rest]) : value
  })
}
/** No date is written longer. In a longer text, looking for a zone could take quadratic time. */
const longestDate = 100
/** The end of a date that names its zone: by letters, or by an offset of hours, which directly follows the time of day. */
const zone =
  /(?:\b(?:UTC?|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?|\b[ECMP][SD]T|\dZ|:\d\d(?:\.\d+)?\s*(?:[ap]m)?\s*[+-]\d{1,2}(?::?\d\d)?)(?:\s*\(.*\))?\s*$/i
/**
 * The date in a text that names no zone, taken as UTC; null for any other text. Without this it would be taken in the zone of the
 * machine: the same template would give different days on two machines.
 */
function inUtc(text: string): Date | null {
  if (text.length > longestDate || zone.test(text) || /^\d*$/.test(text)) return null
  return [`${text} UTC`, `${text}Z`].map((one) => new Date(one)).find((date) => !Number.isNaN(date.valueOf())) ?? null
}
// Replaces the library's own filter, which takes quadratic time: for each unclosed `<` it scans the rest of the text.
liquid.registerFilter('strip_html', (value: unknown) => withoutTags(shown(value)))
for (const name of ['sample', 'shuffle']) {
  liquid.registerFilter(name, () => {
    throw new Error(`${name} gives something else each time; a template may not`)
  })
}
limitFilters(liquid)

/** The schema of a param that is a template. */
export const templateSchema = (title: string, description: string, value: string, examples: string[]) =>
  Type.String({ title, description, default: value, maxLength: 20_000, examples, 'x-atelier': 'template' })

/** Renders a template with its variables. Throws a `NodeFailure` that says what is wrong, and where. */
export function fillIn(template: string, variables: Record<string, unknown>): string {
  let text: string
  try {
    text = rendered(template, variables, mostMs)
  } catch (error) {
    throw new NodeFailure(`The template cannot be filled in: ${wordsOf(error, variables)}`, { cause: error })
  }
  if (text.length > longestText) {
    throw new NodeFailure(`The template makes a text of ${text.length} characters; ${longestText} is the most.`)
  }
  return text
}

/**
 * Renders a template within `ms` of elapsed time, which is what the library measures. If the time ends although the thread has used
 * less than `enoughMs` of processor time, the template is rendered again with twice the time.
 */
function rendered(template: string, variables: Record<string, unknown>, ms: number): string {
  const before = process.threadCpuUsage()
  try {
    const parsed = liquid.parse(template)
    const context = new TimedContext(variables, liquid.options, { renderLimit: ms, sync: true }, { liquid })
    return liquid.renderSync(parsed, context)
  } catch (error) {
    const { user, system } = process.threadCpuUsage(before)
    const isLate = error instanceof Error && error.message.includes('template render limit exceeded')
    if (!isLate || (user + system) / 1000 >= enoughMs || ms >= mostMsCrowded) throw error
    return rendered(template, variables, ms * 2)
  }
}

function withoutTags(text: string): string {
  let kept = ''
  for (let at = 0; ; ) {
    const opens = text.indexOf('<', at)
    const closes = opens < 0 ? -1 : text.indexOf('>', opens)
    if (closes < 0) return kept + text.slice(at)
    kept += text.slice(at, opens)
    at = closes + 1
  }
}

function wordsOf(error: unknown, variables: Record<string, unknown>): string {
  if (!(error instanceof Error)) return String(error)
  const words = error.message.replace(/, file:.*?(?=, line|$)/, '')
  const missing = /undefined variable: ([^,]+)/.exec(words)
  if (missing) {
    const where = /line:(\d+)/.exec(words)
    const [root = ''] = missing[1]?.split('.') ?? []
    const list = Object.hasOwn(variables, root) ? variables[root] : undefined
    if (Array.isArray(list) && root !== missing[1]) {
      return `“${root}” is a list of ${list.length}, and “${missing[1]}”${where ? `, in line ${where[1]},` : ''} asks for a member of one. Let the node run once for each element of “${root}”, or write {% for one in ${root} %}…{% endfor %}.`
    }
    return `“${missing[1]}”${where ? `, in line ${where[1]},` : ''} has no value. Lead a value to the node under that name, or write {{ ${missing[1]} | default: "…" }}.`
  }
  if (/limit exceeded/.test(words)) return 'it is too long, or loops too often. Make it shorter.'
  return LiquidError.is(error) ? `${words}.` : words
}
