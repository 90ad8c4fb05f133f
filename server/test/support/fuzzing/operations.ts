// In charge of the operations that the OpenAPI document lists, with schemas from which requests can be drawn.
import { openapi } from '@atelier/contract/openapi/openapi.ts'
import type { Vocabularies } from '@atelier/contract/vocabulary.ts'
import type { TSchema } from 'typebox'

type Schema = TSchema & {
  $ref?: string
  anyOf?: Schema[]
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
}
type Parameter = { $ref?: string; name?: string; in?: string }
type Described = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

export type Operation = {
  id: string
  method: string
  path: string
  query: string[]
  headers: string[]
  /** Null if the operation takes no body. */
  body: { schema: TSchema; example: unknown } | null
  /** `upload` takes a file; `stream` returns a stream that does not end; `page` returns HTML pages. */
  kind: 'plain' | 'upload' | 'stream' | 'page'
}

export function operationsOf(vocabulary: Vocabularies): Operation[] {
  const text = JSON.stringify(openapi({ vocabulary, publicUrl: null, version: '0.0.0' }))
  const { paths, components }: Document = JSON.parse(text)
  const resolve = (parameter: Parameter): Parameter =>
    parameter.$ref ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? parameter) : parameter
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const parameters = (described.parameters ?? []).map(resolve)
      const named = (place: string) => parameters.flatMap((one) => (one.in === place ? (one.name ?? []) : []))
      const content = described.requestBody?.content['application/json']
      return {
        ...{ id: described.operationId, method: method.toUpperCase(), path },
        ...{ query: named('query'), headers: named('header').map((name) => name.toLowerCase()) },
        body: content ? { schema: inline(content.schema, components.schemas, 0), example: content.example } : null,
        kind: path.startsWith('/sign-in') ? 'page' : kindOf(described),
      }
    }),
  )
}

function kindOf({ requestBody, responses }: Described): Operation['kind'] {
  if (requestBody && '*/*' in requestBody.content) return 'upload'
  const types = Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}))
  if (types.includes('text/event-stream')) return 'stream'
  return types.includes('text/html') ? 'page' : 'plain'
}

/** Below this depth a schema is replaced by one that allows anything, since some schemas refer to themselves. */
const deepest = 8

/** A schema without references, in which "or null" is written as a list of types. */
function inline(schema: Schema, components: Record<string, Schema>, depth: number): TSchema {
  if (depth > deepest) return {}
  const referred = schema.$ref && components[schema.$ref.split('/').at(-1) ?? '']
  if (referred) return inline(referred, components, depth + 1)
  const inner = (part: Schema) => inline(part, components, depth + 1)
  const { anyOf, properties, items } = schema
  const [first] = anyOf ?? []
  if (first) {
    const plain: Schema = inner(first)
    return { ...plain, type: [plain.type, 'null'].flat() }
  }
  return {
    ...schema,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])) }
      : {}),
    ...(items ? { items: inner(items) } : {}),
  }
}
