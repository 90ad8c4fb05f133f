// In charge of serving the documentation: the OpenAPI document, the pages for browsing it, and the list of refusal codes.
import { hash } from 'node:crypto'
import { openapi } from '@atelier/contract/openapi/openapi.ts'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { productVersion } from '../version.ts'
import { errorsPage, errorsPageStyle } from './errors-page.ts'
import { etagMatches } from './preconditions.ts'

const { openapi: document, docs, docsErrors } = outsideRoutes

/** Adds the documentation's routes to the server. All content is generated here, once. */
export async function bindDocs(server: FastifyInstance, config: Config): Promise<void> {
  const { described, text } = documentFor(config)
  const sendDocument = cached(text, 'application/json; charset=utf-8')
  const sendErrors = cached(errorsPage(iconPath), 'text/html; charset=utf-8')

  server.get(document.path, { config: { routeId: 'openapi' } }, async (request, reply) => sendDocument(request, reply))
  server.get(docsErrors.path, { config: { routeId: 'docsErrors' } }, async (request, reply) => {
    reply.header('content-security-policy', errorsPagePolicy)
    return sendErrors(request, reply)
  })

  // The plugin's type allows only OpenAPI 2 and 3.0, but the plugin serves a document of any version unchanged.
  const specification = { document: described as StaticDocumentSpec['document'] }
  await server.register(swagger, { mode: 'static', specification })
  await server.register(swaggerUi, {
    routePrefix: docs.path,
    staticCSP: pagePolicy,
    // There is no top bar, because the bar would fetch a logo and let users load documents from other addresses.
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', defaultModelsExpandDepth: 0, displayRequestDuration: true },
    theme: {
      title: 'Atelier API',
      favicon: [{ filename: icon.name, rel: 'icon', type: icon.type, sizes: 'any', content: icon.text }],
    },
  })
}

type Described = { deployment: string; described: object; text: string }
/** Kept for the next call: tests start many services in one process, and making the document takes a third of a start. */
let latest: Described | null = null

function documentFor({ vocabulary, publicUrl }: Config): Described {
  const deployment = JSON.stringify({ vocabulary, publicUrl })
  if (latest?.deployment === deployment) return latest
  const described = openapi({ vocabulary, publicUrl, version: productVersion })
  latest = { deployment, described, text: JSON.stringify(described) }
  return latest
}

const icon = {
  name: 'icon.svg',
  type: 'image/svg+xml',
  text:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2a44"/>' +
    '<path d="M8 24 16 8l8 16M11 19h10" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/></svg>',
} as const
const iconPath = `${docs.path}/static/theme/${icon.name}`

/** The pages may run scripts from this server only and call this server only. Swagger UI, which uses React, adds inline styles. */
const pagePolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}
const errorsPagePolicy =
  `default-src 'none'; style-src 'sha256-${hash('sha256', errorsPageStyle, 'base64')}'; img-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Returns a function that sends a text which never changes while this process runs. Clients may keep a copy, but must ask each time
 * whether it is current; if it is, they get a 304.
 */
function cached(text: string, type: string): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  return (request, reply) => {
    reply.headers({ etag, 'cache-control': 'public, no-cache' })
    if (etagMatches(request.headers['if-none-match'], etag)) return reply.status(304).send()
    return reply.type(type).send(text)
  }
}
