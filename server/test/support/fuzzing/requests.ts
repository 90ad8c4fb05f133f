// In charge of drawing requests by a seed: most of them almost valid, some of them arbitrary, many about existing records.
import fc from 'fast-check'
import { definitionOf } from '../definitions.ts'
import { bodyText, nearly, queryText } from '../fuzz.ts'
import type { Operation } from './operations.ts'
import type { Pool } from './pool.ts'

export type Request = { method: string; path: string; headers: Record<string, string>; body: string }
export type Credentials = { all: readonly string[]; sign(body: string): Record<string, string> }

/** `next` returns numbers from 0 to 1. The same numbers draw the same requests as long as `pool` has got the same responses. */
export type Drawing = { next: () => number; pool: Pool; credentials: Credentials }

const one = <T>(next: () => number, of: readonly [T, ...T[]]): T => of[Math.floor(next() * of.length)] ?? of[0]
const sample = <T>(next: () => number, arbitrary: fc.Arbitrary<T>): T | undefined =>
  fc.sample(arbitrary, { numRuns: 1, seed: Math.floor(next() * 2 ** 31) })[0]

/**
 * None of these graphs calls a provider. The first succeeds, the next two wait at a gate, the fourth fails, and the last three are
 * invalid.
 */
const definitions: readonly [object, ...object[]] = [
  definitionOf({ image: { type: 'sample.image', params: { width: 64, height: 64 }, inputs: { prompt: 'one' } } }),
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: ['a', 'b', 'c'] } },
      image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
      ok: { type: 'gate.approve', inputs: { value: 'this' } },
    },
    'rows.list > image.prompt',
  ),
  definitionOf({ pick: { type: 'gate.choose', params: { title: 'Which?' }, inputs: { options: ['x', 'y'] } } }),
  definitionOf({ check: { type: 'json.expression', params: { expression: '$error("no")' } } }),
  definitionOf({ text: { type: 'text.template', params: { template: '{{ a | upcase }}' } } }, 'text.text > text.text'),
  { nodes: { a: { type: 'no.such' } }, edges: [{ from: 1, to: null }] },
  { schema: 1, nodes: [], edges: {} },
]

const hostileIds = [
  ...['%00', '%ED%A0%80', '..%2f..%2f', '%', "'", '"', 'null', '-1', '0', '%20', '*', '%2525', 'constructor'],
  ...['x'.repeat(600), '019A0000-0000-7000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '%F0%9F%8E%AC'],
] as const

/** Values of path parameters, used as long as no response has contained a value under the parameter's name. */
const usualNames: Record<string, readonly string[]> = {
  node_id: ['image', 'ok', 'pick'],
  digest: ['a'.repeat(64), 'b', ''],
}

function pathOf({ path }: Operation, { next, pool }: Drawing): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const way = next()
    const known = pool.pick(name, next()) ?? usualNames[name]?.[Math.floor(next() * 3)]
    if (way < 0.88 && known !== undefined) return encodeURIComponent(known)
    if (way < 0.94) return encodeURIComponent(one(next, ['x', ...pool.some(next())]))
    return one(next, ['x', ...hostileIds])
  })
}

const parameterValues: Record<string, readonly [string, ...string[]]> = {
  limit: ['1', '24', '100', '0', '101', '1e3', '９'],
  search: ['a', 'Glow', '1', '%', 'ẞ', 'x'.repeat(255), '\\', '12345678901234567890'],
  sort: ['{"field":"name","direction":1}', '{"field":"deadline_at","direction":-1}', '[]', '{"field":"__proto__"}'],
  query: [
    '{"combinator":"and","rules":[{"field":"name","operator":"contains","value":"ß"}]}',
    '{"combinator":"or","rules":[{"field":"priority","operator":"in","value":[1,2]}],"not":true}',
    '{"combinator":"and","rules":[{"field":"created_at","operator":"between","value":["2020-01-01","2030-01-01"]}]}',
    '{"combinator":"and","rules":"x"}',
  ],
  status: ['backlog', 'done', 'running', 'x'],
  included: ['true', 'false', '2'],
  deleted: ['true', 'false'],
  template: ['true', 'false'],
  since: ['0.0', '1.5', '9999999999.999999999999999', 'x'],
  at: ['2026-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00+14:00', 'now'],
}

function queryOf({ query }: Operation, { next, pool }: Drawing): string {
  if (next() < 0.12) {
    const names = ['limit', 'code', 'signature', 'expires', ...query]
    const values = ['1', 'null', ...pool.some(next())]
    return sample(next, queryText(names, values)) ?? ''
  }
  const pairs = query.flatMap((name) => {
    if (next() > 0.45) return []
    const told = pool.pick(name === 'cursor' ? 'next_cursor' : name, next())
    const drawn = one(next, parameterValues[name] ?? ['x', ...pool.some(next())])
    return [`${name}=${encodeURIComponent(told !== undefined && next() < 0.7 ? told : drawn)}`]
  })
  return pairs.join('&')
}

const usualHeaders: Record<string, readonly [string, ...string[]]> = {
  'if-match': ['*', '*', '"1"', '"2"', 'W/"1"', 'x', ''],
  'if-none-match': ['*', '"1"', 'W/"1"', 'x'],
  prefer: ['return=minimal', 'return=representation', 'x, return=minimal; y=1', ','],
  range: ['bytes=0-1', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'lines=1', 'bytes=99999999999999999999-'],
}
const oddHeaders: readonly [Record<string, string>, ...Record<string, string>[]] = [
  { 'x-request-id': 'a'.repeat(65) },
  { 'x-request-id': 'fine-1' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'accept-encoding': 'br;q=0, *;q=0' },
  { accept: 'text/html' },
  { origin: 'https://evil.example' },
  { cookie: `atelier_session=${'x'.repeat(3_000)}` },
  { 'x-forwarded-for': '127.0.0.1, ::1' },
  { 'x-http-method-override': 'DELETE' },
  { 'transfer-encoding': 'chunked' },
  { expect: '100-continue' },
  { 'x-long': 'x'.repeat(20_000) },
]

function headersOf({ headers, kind }: Operation, body: string, { next, pool, credentials }: Drawing) {
  const sent: Record<string, string> = {}
  const way = next()
  const token = way < 0.6 ? credentials.all[0] : one(next, ['forged', ...credentials.all])
  if (way < 0.95) sent.authorization = `Bearer ${token}`
  else if (way < 0.98)
    sent.authorization = one(next, ['Bearer', 'Basic eDp5', 'Bearer a b', `Bearer ${'x'.repeat(5_000)}`, 'bearer .. '])
  if (body !== '')
    sent['content-type'] =
      kind === 'upload' ? one(next, ['image/png', 'text/html', 'x', 'multipart/form-data']) : 'application/json'
  for (const name of headers) {
    if (next() > 0.25) continue
    if (name === 'idempotency-key') sent[name] = `key-${Math.floor(next() * 40)}`
    else sent[name] = (next() < 0.4 && pool.pick('etag', next())) || one(next, usualHeaders[name] ?? ['x'])
  }
  if (next() < 0.08) Object.assign(sent, one(next, oddHeaders))
  return sent
}

function bodyOf({ id, body, kind, method }: Operation, { next, pool }: Drawing): string {
  if (kind === 'upload') return sample(next, fc.string({ unit: 'binary', maxLength: 400 })) ?? ''
  if (!body) return method !== 'GET' && next() < 0.1 ? one(next, ['{}', 'null', '{"a":1}', '[', '7']) : ''
  const way = next()
  if (way < 0.25 && body.example !== undefined) return withKnown(examples[id] ?? body.example, next, pool)
  const drawn = nearly(body.schema, pool.some(next()))
  const text = sample(next, way < 0.9 ? drawn.map((value) => JSON.stringify(value) ?? '') : bodyText(drawn)) ?? ''
  return next() < 0.6 ? withDefinition(id, text, next) : text
}

/** The JSON of an example, in which ids are replaced by ids from the pool, if the pool has any of that kind. */
const withKnown = (example: unknown, next: () => number, pool: Pool): string =>
  JSON.stringify(example, (name, value) => {
    const told =
      typeof value === 'string' && (/(?<!node)_id$/.test(name) ? name : name === 'to' ? 'user_id' : undefined)
    return told ? (pool.pick(told, next()) ?? value) : value
  })

/** Examples for operations whose documented example refers to records or nodes that do not exist here. */
const examples: Record<string, object> = {
  createTask: { name: 'Glow', count: 1 },
  createCreative: {},
  createRun: { execute: true },
  startRun: {},
  planRun: {},
  answerRun: { node_id: 'ok', answer: { approved: true } },
  exportRun: { outputs: [{ node_id: 'image' }], task_id: '' },
  planExport: { outputs: [{ node_id: 'image' }], task_id: '' },
  createAutomation: { name: 'On done', on_status: 'done', graph_id: '' },
  patchAutomation: { enabled: false },
}

/** Replaces the body if the operation takes a definition, since a definition drawn from the schema alone is never one that runs. */
function withDefinition(id: string, text: string, next: () => number): string {
  if (!['createGraph', 'patchGraph', 'patchRun'].includes(id)) return text
  const definition = one(next, definitions)
  return JSON.stringify(id === 'createGraph' ? { name: 'Drawn', definition } : { definition })
}

/** A sensible request: with the owner's token, about existing records if there are any, with an example as its body. */
function drawCalm({ id, method, path, body, kind }: Operation, { next, pool, credentials }: Drawing): Request {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pool.pick(name, next()) ?? usualNames[name]?.[Math.floor(next() * 3)] ?? 'x'),
  )
  const json = body ? withDefinition(id, withKnown(examples[id] ?? body.example, next, pool), next) : ''
  const sent = kind === 'upload' ? 'bytes' : json
  return {
    method,
    path: named,
    headers: {
      authorization: `Bearer ${credentials.all[0]}`,
      ...(sent === '' ? {} : { 'content-type': kind === 'upload' ? 'image/png' : 'application/json' }),
    },
    body: sent,
  }
}

export function drawRequest(operation: Operation, drawing: Drawing): Request {
  const { next, credentials } = drawing
  if (next() < 0.35) return drawCalm(operation, drawing)
  const query = queryOf(operation, drawing)
  const body = bodyOf(operation, drawing)
  const signature = operation.id === 'identityWebhook' && next() < 0.7 ? credentials.sign(body) : {}
  // One request in a hundred has another method than the operation.
  const method = next() < 0.01 ? one(next, ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) : operation.method
  return {
    method,
    path: `${pathOf(operation, drawing)}${query === '' ? '' : `?${query}`}`,
    headers: { ...headersOf(operation, body, drawing), ...signature },
    body,
  }
}
