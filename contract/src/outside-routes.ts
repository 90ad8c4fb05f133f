// In charge of the routes outside /api/v1: for operators, documentation and discovery. All public, none in the envelope.
import Type, { type TSchema } from 'typebox'
import { Scope } from './enums.ts'
import type { RefusalCode } from './errors.ts'
import { AnyJson, Closed, Enumeration, OpenObject } from './schema.ts'

export type OutsideRoute = {
  path: string
  summary: string
  description: string
  /** The answer to a GET; a redirect has no body and no `type`. */
  status: 200 | 302
  type: 'application/json' | 'text/html' | 'text/plain' | null
  data: TSchema
  /** Answers an ETag, and 304 where it is still right. */
  tagged: boolean
  refuses: readonly RefusalCode[]
}

const page = AnyJson('A page.')

export const outsideRoutes = {
  home: {
    path: '/',
    summary: 'The way in',
    description: 'Leads to the documentation.',
    status: 302,
    type: null,
    data: page,
    tagged: false,
    refuses: ['rate_limited'],
  },
  healthz: {
    path: '/healthz',
    summary: 'Alive',
    description: 'This process runs.',
    status: 200,
    type: 'application/json',
    data: Closed({ status: Enumeration(['ok']) }),
    tagged: false,
    refuses: [],
  },
  readyz: {
    path: '/readyz',
    summary: 'Ready',
    description: 'The database answers and its schema is right; 503 otherwise.',
    status: 200,
    type: 'application/json',
    data: Closed({ status: Enumeration(['ready']) }),
    tagged: false,
    refuses: ['database_unavailable', 'shutting_down'],
  },
  metrics: {
    path: '/metrics',
    summary: 'Metrics',
    description: "In Prometheus' text format.",
    status: 200,
    type: 'text/plain',
    data: AnyJson('Lines of text.'),
    tagged: false,
    refuses: [],
  },
  protectedResource: {
    path: '/.well-known/oauth-protected-resource',
    summary: 'Where access tokens come from',
    description: 'RFC 9728: the issuer whose tokens are taken here, and the scopes there are. 404 where none is set.',
    status: 200,
    type: 'application/json',
    data: Closed({
      resource: Type.String(),
      authorization_servers: Type.Array(Type.String()),
      scopes_supported: Type.Array(Scope),
      bearer_methods_supported: Type.Array(Type.String()),
      resource_name: Type.String(),
    }),
    tagged: false,
    refuses: ['route_not_found', 'rate_limited'],
  },
  openapi: {
    path: '/openapi.json',
    summary: 'This document',
    description: 'OpenAPI 3.1.',
    status: 200,
    type: 'application/json',
    data: OpenObject('An OpenAPI document.'),
    tagged: true,
    refuses: ['rate_limited'],
  },
  docs: {
    path: '/docs',
    summary: 'Documentation',
    description: 'Browsable, offline.',
    status: 200,
    type: 'text/html',
    data: page,
    tagged: false,
    refuses: ['rate_limited'],
  },
  docsErrors: {
    path: '/docs/errors',
    summary: 'Refusal codes',
    description: 'Every code a refusal can have: when, and what to do. The `type` of a problem leads here.',
    status: 200,
    type: 'text/html',
    data: page,
    tagged: false,
    refuses: ['rate_limited'],
  },
} as const satisfies Record<string, OutsideRoute>
