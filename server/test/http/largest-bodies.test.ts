// Facts about the largest bodies that the contract allows for batches of names and ids, written with an escape for every character: none is too large.
import { routes } from '@atelier/contract/routes/routes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The part of JSON Schema that these bodies use. */
type Schema = {
  type?: string | string[]
  format?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}

/** A character of two UTF-16 units: as escapes it has 12 bytes. */
const longest = '🍋'
/** Identifiers to search for may have any length; the longest that can be found have this. */
const found = 255

/** The longest value of a schema. `nth`: its place in a list, so that items differ. */
function largest(schema: Schema, nth = 0): unknown {
  const type = [schema.type].flat()[0]
  if (type === 'string') {
    if (schema.format === 'date-time') return '2026-03-04T12:00:00.123456+00:00'
    return String.fromCodePoint(0x1f3_00 + nth) + longest.repeat((schema.maxLength ?? found) - 1)
  }
  if (type === 'array') return Array.from({ length: schema.maxItems ?? 1 }, (_, at) => largest(schema.items ?? {}, at))
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, value]) => [name, largest(value)]))
  throw new Error('These bodies have no such schema.')
}

const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

test.each(['lookupCreatives', 'recordCreativeLaunches', 'recordPackLaunches'] as const)(
  'the largest body of %s is read, with every character of its texts as escapes',
  async (id) => {
    const { method, path, body } = routes[id]
    const raw = escaped(largest(body as Schema)) // the cast is safe: these bodies use only the members above
    expect(raw.length).toBeGreaterThan(3_000_000)
    const { status, text } = await service.ask(method, path, { raw, headers: { 'content-type': 'application/json' } })
    expect(status, text.slice(0, 300)).toBe(200)
  },
)
