// In charge of random hostile requests: query strings, and bodies that are partly valid and partly arbitrary.

import fc from 'fast-check'
import type { TSchema } from 'typebox'

/** Pieces of query strings, already percent-encoded: plain, reserved, malformed, and characters that databases reject. */
const piece = fc.oneof(
  fc.string({ maxLength: 6 }).map(encodeURIComponentSafely),
  fc.string({ unit: 'binary', maxLength: 4 }).map(encodeURIComponentSafely),
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%00',
    '%ED%A0%80',
    '%FF',
    '%C0%AF',
    '%F0%9F%8E%AC',
    '+',
    '=',
    '?',
    '#',
    '%26',
    ';',
  ),
  fc.constantFrom('%27', '%22', '--', '%5C', '%25', '_', '*', '(', ')', '%7B', '%5B', '0', '-1', '1e400', 'null'),
)
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** A query string, mostly with names that a route knows; a value is valid, damaged, random, or meant for another parameter. */
export function queryText(names: readonly string[], values: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('', '__proto__', 'constructor', 'Limit', 'limit[]', 'query.rules') },
    { weight: 1, arbitrary: piece },
  )
  const whole = fc.constantFrom(...values).map(encodeURIComponent)
  const value = fc.oneof(
    { weight: 5, arbitrary: whole },
    { weight: 2, arbitrary: fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')) },
    { weight: 2, arbitrary: fc.tuple(whole, fc.nat(400)).map(([text, at]) => text.slice(0, at % (text.length + 1))) },
    { weight: 2, arbitrary: fc.tuple(whole, piece, fc.nat(400)).map(([text, one, at]) => spliced(text, one, at)) },
  )
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((pairs) => pairs.map(([left, right]) => `${left}=${right}`).join('&'))
}

const spliced = (text: string, one: string, at: number): string => {
  const place = at % (text.length + 1)
  return text.slice(0, place) + one + text.slice(place)
}

/** Values that are valid almost nowhere. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, '', ' ', 'x', '0', 'null', '%', "'; --"),
  fc.constantFrom('\0', '\ud800', 'a\u2028b', '\u202e', '🎬'.repeat(300), 'x'.repeat(5_000), '-infinity', 'NaN'),
  fc.constantFrom('9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', '294276-01-01T00:00:00Z', '2026-02-30T00:00:00Z'),
  fc.constantFrom([], {}, [[]], [null], { constructor: 1 }, { toString: null }, { length: 5 }, { toJSON: 'x' }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A value that matches a schema, or mostly matches it, or is arbitrary. Any string in it may be one of `ids`. */
export const nearly = (schema: TSchema, ids: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: fitting(schema, { ids, junkOutOf: 0 }) },
    { weight: 3, arbitrary: fitting(schema, { ids, junkOutOf: 10 }) },
    { weight: 1, arbitrary: junk },
  )

type Odds = { ids: readonly string[]; junkOutOf: number }
type Known = {
  type?: unknown
  enum?: unknown[]
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  format?: string
  minimum?: number
  maximum?: number
}

const orJunk = (arbitrary: fc.Arbitrary<unknown>, { junkOutOf }: Odds): fc.Arbitrary<unknown> =>
  junkOutOf === 0 ? arbitrary : fc.oneof({ weight: junkOutOf - 1, arbitrary }, { weight: 1, arbitrary: junk })

function fitting(schema: TSchema, odds: Odds): fc.Arbitrary<unknown> {
  const { type, enum: allowed, items, format, minimum, maximum }: Known = schema
  if (allowed) return fc.constantFrom(...allowed)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return members(schema, odds)
    case 'array':
      return fc.uniqueArray(orJunk(items ? fitting(items, odds) : junk, odds), { maxLength: 4 })
    case 'integer':
      return fc.integer({ min: minimum ?? 0, max: maximum ?? 5 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return format === 'date-time' ? instant : fc.oneof(fc.constantFrom(...odds.ids), text)
    default:
      return junk
  }
}

const instant = fc.constantFrom('2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999+00:00')
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'a',
    'Glow',
    '1',
    'a\u2028b',
    'اسم',
    '日本',
    '\u{1d160}'.repeat(255),
    'https://example.com/x',
    'a'.repeat(64),
  ),
)

/** The required members and some optional ones; if junk is allowed, sometimes also an unknown member. */
function members(schema: TSchema, odds: Odds): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] }: Known = schema
  const names = Object.keys(properties).filter((name) => !required.includes(name))
  const chosen = fc.subarray(names, { maxLength: Math.min(names.length, 6) })
  return chosen.chain((some) => {
    const entries = [...required, ...some].map((name) => [name, orJunk(fitting(properties[name] ?? {}, odds), odds)])
    const known = fc.record<Record<string, unknown>>(Object.fromEntries(entries))
    if (odds.junkOutOf === 0) return known
    const others = fc.option(fc.dictionary(fc.string(), junk, { maxKeys: 1 }), { freq: 5, nil: {} })
    return fc.tuple(known, others).map(([own, more]) => ({ ...own, ...more }))
  })
}

/**
 * The text of a body: mostly a value as JSON, sometimes with one damaged place or a number of thirty digits; else a text that is
 * nested too deeply, is no JSON, or has member names that are repeated or that JavaScript gives a meaning to.
 */
export const bodyText = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> => {
  const text = value.map((one) => JSON.stringify(one) ?? 'null')
  return fc.oneof(
    { weight: 12, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc
        .tuple(text, fc.nat(5_000), fc.constantFrom('"', '{', ',', '\\', '\0', '\ufeff', '1e999'))
        .map(([json, at, one]) => spliced(json, one, at)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('['.repeat(20_000), '{"a":'.repeat(20_000), '"\\ud800"', '1e400', '', 'NaN'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"__proto__":{"name":"x"}}', '{"name":"x","name":"y"}', '{"constructor":{}}'),
    },
    { weight: 1, arbitrary: text.map((json) => json.replace(/\d+/, '123456789012345678901234567890')) },
  )
}
