// In charge of a thread for what users write that may never end: expressions, and JSON Schemas with patterns of their own.
import { Ajv2020 } from 'ajv/dist/2020.js'
import jsonata from 'jsonata'

/** JSON text, so that nothing but data crosses; null where there is no value. */
export type Evaluated = { json: string | null } | { wrong: string }

const refused = ['now', 'millis', 'random', 'shuffle'] as const

export async function evaluate({
  expression,
  input,
  limit,
}: {
  expression: string
  input: unknown
  limit: number
}): Promise<Evaluated> {
  try {
    const compiled = jsonata(expression)
    for (const name of refused) {
      compiled.registerFunction(name, () => {
        throw new Error(`$${name}() gives something else each time; an expression may not. Lead the value in.`)
      })
    }
    const value: unknown = await compiled.evaluate(input)
    if (isFunction(value)) return { wrong: 'it gives a function; call it with what it works on' }
    const json = value === undefined ? null : (JSON.stringify(value) ?? null)
    if (json !== null && json.length > limit)
      return { wrong: `it gives ${json.length} characters of data; ${limit} is the most` }
    return { json }
  } catch (error) {
    return { wrong: wordsOf(error) }
  }
}

const isFunction = (value: unknown): boolean =>
  typeof value === 'function' || Reflect.get(Object(value), '_jsonata_lambda') === true

/** jsonata throws objects with a message and the position in the expression. */
function wordsOf(error: unknown): string {
  const message: unknown = Reflect.get(Object(error), 'message')
  const position: unknown = Reflect.get(Object(error), 'position')
  return `${typeof message === 'string' ? message : String(error)}${typeof position === 'number' ? ` (at character ${position})` : ''}`
}

/** What is wrong with data by a schema, or with the schema itself; null where nothing is. Without data only the schema is looked at. */
export async function check({
  schema,
  data,
}: {
  schema: Record<string, unknown>
  data?: unknown
}): Promise<string | null> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  try {
    const isRight = ajv.compile(schema)
    return data === undefined || isRight(data)
      ? null
      : ajv.errorsText(ajv.errors ?? isRight.errors, { dataVar: 'answer' }).slice(0, 300)
  } catch (error) {
    return `this is no JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : error}`
  }
}
