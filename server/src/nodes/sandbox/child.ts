// In charge of the child process that evaluates expressions and JSON Schemas that users wrote. It can be killed, because an
// expression, or a regular expression in a schema, may never end.
import { Ajv2020 } from 'ajv/dist/2020.js'
import jsonata from 'jsonata'
import type { Greeting } from '../processes/start.ts'
import { shortText } from '../short-text.ts'

export type SandboxJob =
  | { name: 'evaluate'; expression: string; input: unknown; limit: number }
  /** `data`: what is checked against the schema; if absent, only the schema itself is checked. */
  | { name: 'check'; schema: Record<string, unknown>; data?: unknown }

/** `value`: the value of an expression; absent if it has no value, or if a check found no error. `wrong`: the error message. */
export type SandboxAnswer = { value?: unknown } | { wrong: string }

/** The answer to a job; `cpu`: processor seconds that the process has used so far. */
export type SandboxMessage = { answer: SandboxAnswer; cpu: number }

const refused = ['now', 'millis', 'random', 'shuffle'] as const

/** JSONata's own `$toMillis`, called in an expression, because the library does not export it. */
const ownToMillis = jsonata('$toMillis($stamp, $picture)')

/**
 * Like JSONata's `$toMillis`, but throws if the picture has no year: JSONata would take the parts of the date that are larger than
 * those in the picture from the clock.
 */
async function toMillis(stamp: string | undefined, picture: string | undefined): Promise<unknown> {
  // In a picture, a doubled bracket is a plain bracket.
  if (picture !== undefined && !/\[\s*Y/.test(picture.replaceAll('[[', ''))) {
    throw new Error(
      '$toMillis() takes what is missing from the clock; an expression may not. Name the year as well: [Y].',
    )
  }
  return ownToMillis.evaluate(undefined, { stamp, picture })
}

async function evaluate(expression: string, input: unknown, limit: number): Promise<SandboxAnswer> {
  try {
    const compiled = jsonata(expression)
    for (const name of refused) {
      compiled.registerFunction(name, () => {
        throw new Error(`$${name}() gives something else each time; an expression may not. Lead the value in.`)
      })
    }
    compiled.registerFunction('toMillis', toMillis, '<s-s?:n>')
    const value: unknown = await compiled.evaluate(input)
    if (isFunction(value)) return { wrong: 'it gives a function; call it with what it works on' }
    const json = value === undefined ? undefined : JSON.stringify(value)
    if (json === undefined) return {}
    // The value is written as JSON and parsed again, so that the answer contains plain data and no functions or class instances.
    if (json.length <= limit) return { value: JSON.parse(json) }
    return { wrong: `it gives ${json.length} characters of data; ${limit} is the most` }
  } catch (error) {
    return { wrong: wordsOf(error) }
  }
}

function check(schema: Record<string, unknown>, data: unknown): SandboxAnswer {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  try {
    const isRight = ajv.compile(schema)
    if (data === undefined || isRight(data)) return {}
    return { wrong: ajv.errorsText(isRight.errors, { dataVar: 'answer' }).slice(0, 300) }
  } catch (error) {
    return { wrong: `this is no JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : error}` }
  }
}

const isFunction = (value: unknown): boolean =>
  typeof value === 'function' || Reflect.get(Object(value), '_jsonata_lambda') === true

/** The message of an error, with the character at which it occurred if known: jsonata throws objects with `message`, `position`. */
function wordsOf(error: unknown): string {
  const message: unknown = Reflect.get(Object(error), 'message')
  const position: unknown = Reflect.get(Object(error), 'position')
  const where = typeof position === 'number' ? ` (at character ${position})` : ''
  // The message may quote a value of any length.
  return `${shortText(typeof message === 'string' ? message : String(error))}${where}`
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const tell = (message: SandboxMessage | Greeting): void => void process.send?.(message)

process.on('message', (job: SandboxJob) => {
  const work = job.name === 'evaluate' ? evaluate(job.expression, job.input, job.limit) : check(job.schema, job.data)
  void Promise.resolve(work).then((answer) => tell({ answer, cpu: cpuSeconds() }))
})
// The connection to the parent process is closed, so no further job can come.
process.on('disconnect', () => process.exit())
tell({ ready: true })
