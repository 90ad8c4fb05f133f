// Facts about the patterns in what requests may contain.
import { expect, test } from 'vitest'
import { routes } from './routes.ts'

/** The places of all schemas inside `schema` that have a pattern and no words for what it refuses. */
function wordless(schema: unknown, place: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, at) => wordless(one, `${place}.${at}`))
  if (typeof schema !== 'object' || schema === null) return []
  const own = typeof Reflect.get(schema, 'pattern') === 'string' && !('x-error' in schema) ? [place] : []
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => wordless(inner, `${place}.${name}`))]
}

test('whatever a pattern refuses is answered in words, not with a regular expression', () => {
  const found = Object.values(routes).flatMap(({ id, params, query, body }) => wordless([params, query, body], id))
  expect(found).toEqual([])
})
