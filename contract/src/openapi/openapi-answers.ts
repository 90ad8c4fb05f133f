// In charge of the responses in the OpenAPI document: each route's successful response, and its refusals grouped by status.
import { examples } from '../examples/examples.ts'
import type { OutsideRoute } from '../routes/outside-routes.ts'
import type { Route } from '../routes/route.ts'
import { answerSchema } from '../routes/routes.ts'
import { type RefusalCode, refusalMembers, refusals } from '../wire/errors.ts'
import { errorAt, missing } from '../wire/validation-errors.ts'
import { type Json, type SchemaWriter, schemaReference } from './openapi-schemas.ts'

export type AnswerWriter = {
  /** Components to which the responses refer. */
  components: { responses: Record<string, Json>; headers: Record<string, Json> }
  success(route: Route): Record<string, Json>
  /** All responses of a route outside /api/v1 except 422; `schema` is the schema of the body of its successful one. */
  outside(route: OutsideRoute, schema: Json): Record<string, Json>
  /** The responses for refusals with these codes; codes with the same status share one response. */
  refused(codes: readonly RefusalCode[]): Record<string, Json>
  invalid(): Record<string, Json>
}

const headers = {
  'X-Request-Id': {
    description: 'Names this request in the log: what was sent as `X-Request-Id`, or a new id.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The revision of the record: send it back as `If-Match` with a write, as `If-None-Match` with a read.',
    schema: { type: 'string', examples: ['"7"'] },
  },
  'Idempotent-Replayed': {
    description: '`true` where this answer was kept from an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong (RFC 6750).',
    schema: { type: 'string', examples: ['Bearer realm="atelier"'] },
  },
  'Content-Range': {
    description: 'Which bytes these are, of how many.',
    schema: { type: 'string', examples: ['bytes 0-1023/4718592', 'bytes */4718592'] },
  },
  'Preference-Applied': {
    description: 'The preference that was followed.',
    schema: { type: 'string', enum: ['return=minimal'] },
  },
  Location: {
    description: 'Where to go on.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies Record<string, Json>

/** References to the named headers and to the request id, which every response has. */
const headed = (...names: (keyof typeof headers)[]): { headers: Json } => ({
  headers: Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
})

/** The response to `Prefer: return=minimal`. */
const minimal = {
  204: {
    description: 'Done; the record is at `Location`.',
    ...headed('ETag', 'Location', 'Preference-Applied', 'Idempotent-Replayed'),
  },
}

const capitalised = (code: string): string => code.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())

export function answerWriter({ write, fit }: SchemaWriter): AnswerWriter {
  const responses: Record<string, Json> = { Invalid: invalidResponse }

  const success = (route: Route): Record<string, Json> => {
    const schema = answerSchema(route)
    const media = mediaOf[route.framing]
    const { data } = route.examples
    const value = route.framing === 'envelope' ? { success: true, data, message: null, errors: null } : data
    const example = data === undefined || schema === null ? {} : { example: fit(schema, value) }
    return {
      [route.status]: {
        description: successText[route.framing],
        ...headed(
          ...(route.tagged ? ['ETag' as const] : []),
          ...(route.idempotent ? (['Idempotent-Replayed'] as const) : []),
        ),
        ...(schema === null ? {} : { content: { [media]: { schema: write(schema), ...example } } }),
      },
      ...(route.minimal ? minimal : {}),
      ...(route.framing === 'file' && schema !== null ? partOf(write(schema)) : {}),
      ...bodilessOf(route),
    }
  }

  const describeRefusals = (codes: readonly RefusalCode[]): string =>
    codes.map((code) => `- \`${code}\`: ${refusals[code].when} ${refusals[code].action}`).join('\n')
  const problemsOf = (codes: readonly RefusalCode[]): Json => ({
    'application/problem+json': {
      schema: problemSchema(codes, write),
      examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
    },
  })

  /** Returns a reference to the component for a set of codes; the component is named after the codes. */
  const refusedWith = (status: number, codes: readonly RefusalCode[]): Json => {
    const name = codes.map(capitalised).join('Or')
    const description = describeRefusals(codes)
    responses[name] ??= { description, ...headed(...headersOf(status)), content: problemsOf(codes) }
    return { $ref: `#/components/responses/${name}` }
  }
  const refused = (codes: readonly RefusalCode[]): Record<string, Json> => {
    const byStatus = Map.groupBy(codes, (code) => refusals[code].status)
    return Object.fromEntries([...byStatus].map(([status, those]) => [status, refusedWith(status, those)]))
  }

  /** One of the `others` of a route outside /api/v1. A status may be that of a page and that of a refusal. */
  const other = (route: OutsideRoute, status: number, text: string): Json => {
    if (status === 302 || status === 304) return bodiless(status, text)
    const codes = route.refuses.filter((code) => refusals[code].status === status)
    const page = { 'text/html': { schema: { type: 'string', description: 'A page.' } } }
    if (codes.length === 0) return { description: text, ...headed(...pageHeadersOf(status)), content: page }
    return {
      description: `${describeRefusals(codes)}\n- ${text}`,
      ...headed(...headersOf(status)),
      content: { ...problemsOf(codes), ...page },
    }
  }

  return {
    components: { responses, headers },
    success,
    outside: (route, schema) => ({
      ...outsideSuccess(route, schema),
      ...refused(route.refuses),
      ...Object.fromEntries(
        Object.entries(route.others).map(([status, text]) => [status, other(route, Number(status), text)]),
      ),
    }),
    refused,
    invalid: () => ({ 422: { $ref: '#/components/responses/Invalid' } }),
  }
}

const notChanged = {
  304: { description: 'Not changed since the `ETag` in `If-None-Match`; no body.', ...headed('ETag') },
}

const partOf = (schema: Json) => ({
  206: {
    description: 'The part that `Range` asks for.',
    ...headed('ETag', 'Content-Range'),
    content: { '*/*': { schema } },
  },
})

const elsewhere = {
  307: {
    description: 'Where the store hands out links: a browser that shows the file by a signed link gets it from there.',
    ...headed('Location'),
  },
}

/** The responses without a body that follow from what a route does. */
const bodilessOf = (route: Route): Record<string, Json> => ({
  ...(route.redirects ? elsewhere : {}),
  ...(route.tagged && route.method === 'GET' ? notChanged : {}),
})

const bodiless = (status: number, description: string): Json => ({
  description,
  ...headed(...(status === 302 ? ['Location' as const] : [])),
})

function outsideSuccess({ status, type, tagged, description }: OutsideRoute, schema: Json): Record<string, Json> {
  if (type === null) return { [status]: bodiless(status, description) }
  const answer = { description, ...headed(...(tagged ? ['ETag' as const] : [])), content: { [type]: { schema } } }
  return { [status]: answer, ...(tagged ? notChanged : {}) }
}

const mediaOf: Record<Route['framing'], string> = {
  envelope: 'application/json',
  bare: 'application/json',
  file: '*/*',
  events: 'text/event-stream',
  empty: 'application/json',
}

const successText: Record<Route['framing'], string> = {
  envelope: 'Done. `data` is what the request was about.',
  bare: 'Done. Without the envelope.',
  file: 'The whole file.',
  empty: 'Done. No body.',
  events: 'Events, until one side hangs up.',
}

function headersOf(status: number): (keyof typeof headers)[] {
  if (status === 401 || status === 403) return ['WWW-Authenticate']
  if (status === 416) return ['Content-Range']
  return status === 429 || status === 503 ? ['Retry-After'] : []
}

/** A page does not say how to authenticate, because the person who reads it is not asked for a token. */
const pageHeadersOf = (status: number) => headersOf(status).filter((name) => name !== 'WWW-Authenticate')

/** The schema of a problem that has one of these codes and the additional members of those codes. */
function problemSchema(codes: readonly RefusalCode[], write: SchemaWriter['write']): Json {
  const added = codes.flatMap((code) => Object.entries(refusalMembers[code] ?? {}))
  const members = Object.fromEntries(added.map(([name, schema]) => [name, write(schema)]))
  const properties = { code: { type: 'string', enum: codes }, ...members }
  return { allOf: [schemaReference('Problem'), { type: 'object', properties }] }
}

function problemExample(code: RefusalCode): Json {
  const { status, title, when } = refusals[code]
  const type = `/docs/errors#${code}`
  return { type, title, status, detail: when, instance: '/api/v1/tasks', code, ...exampleMembers[code] }
}

const exampleMembers: Partial<Record<RefusalCode, Json>> = {
  insufficient_scope: { scope: 'tasks:write' },
  creative_name_taken: {
    conflicts: [
      {
        creative_id: examples.ids.creative,
        name: examples.creative.name,
        taken_by: '019a3c70-5f2e-7b13-a6d4-8c1e0f9b3a08',
        taken_by_task_id: '019a3c6f-2d4b-7c60-9e85-3b7a1f5c0d09',
      },
    ],
  },
  precondition_failed: { etag: '"7"' },
  body_too_large: { limit: 1_048_576 },
  file_too_large: { limit: 104_857_600 },
  rate_limited: { retry_after: 12 },
}

const invalidResponse: Json = {
  description: 'The shape of the request is wrong. Every error is told at once, each with its place (`loc`).',
  ...headed(),
  content: {
    'application/json': {
      schema: schemaReference('HTTPValidationError'),
      example: { detail: [errorAt(['body', 'name'], missing, {})] },
    },
  },
}
