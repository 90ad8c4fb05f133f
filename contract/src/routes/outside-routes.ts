// In charge of the routes outside /api/v1, which need no API token and use no envelope: monitoring, sign-in, the webhook of the
// identity provider, documentation, and browser pages.
import Type, { type TSchema } from 'typebox'
import { Scope } from '../enums.ts'
import type { RefusalCode } from '../wire/errors.ts'
import { AnyJson, Closed, Enumeration, Nullable, OpenObject } from '../wire/schema.ts'

export type OutsideRoute = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  summary: string
  description: string
  /** The status of the successful response. Responses with 204 or 302 have no body, so their `type` is null. */
  status: 200 | 204 | 302
  type: 'application/json' | 'text/html' | 'text/plain' | null
  data: TSchema
  /** The headers and the body that the route accepts, all optional; such a route can return 422. Null if it accepts none. */
  takes: { headers: Record<string, string>; body: TSchema; example: unknown } | null
  /** Whether the route returns an ETag, and 304 if the client already has the current version. */
  tagged: boolean
  /** What the route returns instead, by status: redirects (302) and 304, which have no body, and pages (`text/html`). */
  others: Readonly<Partial<Record<200 | 302 | 304 | 400 | 403 | 404 | 410 | 429 | 502 | 503, string>>>
  refuses: readonly RefusalCode[]
}

const page = AnyJson('A page.')
/** What the pages of a sign-in that fails say, by status. */
const failed = {
  400: 'A page: this sign-in was not begun in this browser, or is over.',
  403: 'A page: the account is deactivated here, or the sign-in is refused; the page says why.',
  404: 'A page: no identity provider is set here.',
  410: 'A page: the link is not good any more.',
  429: 'A page: too many attempts to sign in from this address.',
  502: 'A page: the answer of the identity provider is not good.',
  503: 'A page: the database, or the identity provider, does not answer.',
}
/** The refusals that are common to all routes here that need the database. */
const away = ['rate_limited', 'database_unavailable', 'overloaded'] as const

export const outsideRoutes = {
  home: {
    method: 'GET',
    path: '/',
    summary: 'The way in',
    description: 'The web app; leads to the documentation where that has not been built.',
    status: 302,
    type: null,
    data: page,
    takes: null,
    tagged: false,
    others: {
      200: 'The page of the web app, where that has been built.',
      304: 'The page is the one in `If-None-Match`; no body.',
    },
    refuses: ['rate_limited'],
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    summary: 'Alive',
    description: 'This process runs, and is of this version.',
    status: 200,
    type: 'application/json',
    data: Closed({
      status: Enumeration(['ok']),
      version: Type.String({ description: 'Of the product.', examples: ['0.2.0'] }),
    }),
    takes: null,
    tagged: false,
    others: {},
    refuses: [],
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    summary: 'Ready',
    description: 'The database answers and its schema is right; 503 otherwise.',
    status: 200,
    type: 'application/json',
    data: Closed({ status: Enumeration(['ready']) }),
    takes: null,
    tagged: false,
    others: {},
    refuses: ['database_unavailable', 'shutting_down'],
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics',
    description:
      "In Prometheus' text format: of this process, and of the work that waits in the database. Where the operator has set a token for it (`ATELIER_METRICS_TOKEN`), only with that.",
    status: 200,
    type: 'text/plain',
    data: AnyJson('Lines of text.'),
    takes: null,
    tagged: false,
    others: {},
    refuses: ['unauthenticated', 'invalid_token'],
  },
  protectedResource: {
    method: 'GET',
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
    takes: null,
    tagged: false,
    others: {},
    refuses: ['route_not_found', 'rate_limited'],
  },
  session: {
    method: 'GET',
    path: '/session',
    summary: 'Whether and how this browser is signed in',
    description:
      'For the web app. `issuer`: people sign in at the identity provider, and `sign_in_path` leads there. `link`: by a one-time link that the service prints at its start, or an admin hands out.',
    status: 200,
    type: 'application/json',
    data: Closed({
      signed_in: Type.Boolean(),
      method: Enumeration(['link', 'issuer']),
      sign_in_path: Type.String(),
      issuer: Nullable(Type.String()),
    }),
    takes: null,
    tagged: false,
    others: {},
    refuses: [...away],
  },
  sessionToken: {
    method: 'POST',
    path: '/session/token',
    summary: 'A bearer token for the page',
    description:
      'The one thing the session cookie is good for. The token speaks for the person, with every scope of the role, for `expires_in` seconds and no longer than the session. Only for pages of this service (`Origin`).',
    status: 200,
    type: 'application/json',
    data: Closed({
      token: Type.String(),
      expires_in: Type.Integer({ minimum: 1, description: 'Seconds from now.' }),
      user_id: Type.String({ description: 'The person whom the token speaks for.' }),
    }),
    takes: null,
    tagged: false,
    others: {},
    refuses: ['not_signed_in', 'foreign_origin', 'body_too_large', 'unsupported_media_type', ...away],
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    description:
      'Ends the session and its bearer tokens at once. Also where there is none. Only for pages of this service (`Origin`).',
    status: 204,
    type: null,
    data: page,
    takes: null,
    tagged: false,
    others: {},
    refuses: ['foreign_origin', 'body_too_large', 'unsupported_media_type', ...away],
  },
  signIn: {
    method: 'GET',
    path: '/sign-in',
    summary: 'Sign in',
    description:
      'For browsers. With the `code` of a sign-in link: a page whose button signs in; the link is not used up. Without one: leads to the identity provider where there is one, else says how to get a link.',
    status: 200,
    type: 'text/html',
    data: page,
    takes: null,
    tagged: false,
    others: {
      302: 'Without a `code`: to the identity provider. With one that is used up: to the web app, for a browser that is signed in.',
      403: failed[403],
      410: failed[410],
      502: failed[502],
      503: failed[503],
    },
    refuses: ['rate_limited'],
  },
  signInByLink: {
    method: 'POST',
    path: '/sign-in',
    summary: 'Sign in by a link',
    description:
      'What the button on the page of a sign-in link sends: its `code`, as a form. Signs this browser in, once, and leads to the web app; where that fails, a page says what to do. Only for pages of this service (`Origin`).',
    status: 302,
    type: null,
    data: page,
    takes: null,
    tagged: false,
    others: {
      403: failed[403],
      410: failed[410],
      429: failed[429],
      503: 'A page: the database does not answer.',
    },
    refuses: ['rate_limited', 'body_too_large', 'unsupported_media_type'],
  },
  signInCallback: {
    method: 'GET',
    path: '/sign-in/callback',
    summary: 'Back from the identity provider',
    description: 'Signs the browser in and leads to the web app; where that fails, a page says what to do.',
    status: 302,
    type: null,
    data: page,
    takes: null,
    tagged: false,
    others: {
      400: failed[400],
      403: failed[403],
      404: failed[404],
      429: failed[429],
      502: failed[502],
      503: failed[503],
    },
    refuses: ['rate_limited'],
  },
  identityWebhook: {
    method: 'POST',
    path: '/webhooks/identity-provider',
    summary: 'For the identity provider',
    description:
      'Standard Webhooks: what is not signed by a secret of ours (`ATELIER_WEBHOOK_SECRETS`) within five minutes is refused before it is read. Events of users and organization memberships, in any order and number; kinds we keep nothing of are accepted. A signed message of another shape is a 422.',
    status: 204,
    type: null,
    data: page,
    takes: {
      headers: {
        'webhook-id': 'Names the message; one that comes again changes nothing.',
        'webhook-timestamp': 'When it was sent, in seconds since 1970.',
        'webhook-signature': 'One or more `v1,` signatures of id, timestamp and body, with blanks between them.',
      },
      body: OpenObject("The provider's event: `type` and `data`."),
      example: { type: 'user.deleted', data: { id: 'user_2aVq', deleted: true } },
    },
    tagged: false,
    others: {},
    refuses: ['invalid_signature', 'webhook_not_configured', 'body_too_large', 'unsupported_media_type', ...away],
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'OpenAPI 3.1.',
    status: 200,
    type: 'application/json',
    data: OpenObject('An OpenAPI document.'),
    takes: null,
    tagged: true,
    others: {},
    refuses: ['rate_limited'],
  },
  docs: {
    method: 'GET',
    path: '/docs',
    summary: 'Documentation',
    description: 'Browsable, offline.',
    status: 200,
    type: 'text/html',
    data: page,
    takes: null,
    tagged: false,
    others: {},
    refuses: ['rate_limited'],
  },
  docsErrors: {
    method: 'GET',
    path: '/docs/errors',
    summary: 'Refusal codes',
    description: 'Every code a refusal can have: when, and what to do. The `type` of a problem leads here.',
    status: 200,
    type: 'text/html',
    data: page,
    takes: null,
    tagged: true,
    others: {},
    refuses: ['rate_limited'],
  },
} as const satisfies Record<string, OutsideRoute>
