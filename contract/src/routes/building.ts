// In charge of the parts that the routes of several areas share: the function that builds a route, parameters and queries.
import Type, { type TSchema } from 'typebox'
import { definitionLimits } from '../graph/definition.ts'
import { Cursor, pageSizes } from '../wire/envelope.ts'
import { Closed, Id } from '../wire/schema.ts'
import type { Route } from './route.ts'

const None = Closed({})

type Required = Pick<Route, 'id' | 'method' | 'path' | 'tag' | 'summary' | 'description' | 'access'>

/** Fills in the defaults of a route: no parameters, no body, status 200, the envelope, no further refusals; a GET only reads. */
export function route<
  P extends TSchema = typeof None,
  Q extends TSchema = typeof None,
  B extends TSchema = never,
  D extends TSchema = TSchema,
>(
  given: Required & { data: D; params?: P; query?: Q; body?: B } & Partial<
      Omit<Route, 'params' | 'query' | 'body' | 'data'>
    >,
) {
  return {
    effect: given.method === 'GET' ? ('read' as const) : ('write' as const),
    bodyMedia: 'application/json' as const,
    bodyBytes: null,
    bodyOptional: false,
    status: 200 as const,
    framing: 'envelope' as const,
    refuses: [],
    idempotent: false,
    tagged: false,
    creates: false,
    minimal: false,
    linkable: false,
    redirects: false,
    examples: {},
    ...given,
    params: given.params ?? None,
    query: given.query ?? None,
    body: given.body ?? null,
  } as Omit<Route, 'params' | 'query' | 'body' | 'data'> & {
    // These types correspond to the defaults above. The cast is needed, because spreading optional members loses their types.
    params: P
    query: Q
    body: [B] extends [never] ? null : B
    data: D
  }
}

export const limit = (size: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizes.most, default: size, description: 'Rows to a page.' }))

export const cursor = Type.Optional(Cursor)

export const graphId = Closed({ graph_id: Id({ description: 'Graph id.' }) })
export const runId = Closed({ run_id: Id({ description: 'Run id.' }) })

/** The maximum size of a graph's body: a definition and a layout of the maximum size, with room for the other members. */
export const graphBodyBytes = 2 * definitionLimits.documentBytes + 16_384

/**
 * The maximum size of the body of a batch of names and ids: 1,000 of the longest that are kept, with each character written as a pair
 * of \u escapes (12 bytes), are 3.1 MB. A test makes the largest bodies from the schemas.
 */
export const batchBodyBytes = 4 * 1024 * 1024

export const listQuery = Closed({ limit: limit(pageSizes.list), cursor })

export const taskId = Closed({ task_id: Id({ description: 'Task id.' }) })
