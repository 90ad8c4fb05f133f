// In charge of the OpenAPI 3.1 document, which is derived from the route table and therefore matches what the server does.
import type { TSchema } from 'typebox'
import * as creatives from '../creatives.ts'
import * as enums from '../enums.ts'
import * as files from '../files.ts'
import * as graphs from '../graphs.ts'
import { type OutsideRoute, outsideRoutes } from '../routes/outside-routes.ts'
import { honoursIfMatch, type Route, refusalsOf } from '../routes/route.ts'
import { routes, tags } from '../routes/routes.ts'
import * as tasks from '../tasks.ts'
import type { Vocabularies } from '../vocabulary.ts'
import * as errors from '../wire/errors.ts'
import * as workspace from '../workspace.ts'
import { type AnswerWriter, answerWriter } from './openapi-answers.ts'
import { type Json, type SchemaWriter, schemaWriter } from './openapi-schemas.ts'

type Deployment = { vocabulary: Vocabularies; publicUrl: string | null; version: string }
type Writers = { schemas: SchemaWriter; answers: AnswerWriter }

/** Builds the document for a deployment, as plain JSON; the same arguments always give the same document. */
export function openapi({ vocabulary, publicUrl, version }: Deployment): object {
  const schemas = schemaWriter(vocabulary)
  const writers = { schemas, answers: answerWriter(schemas) }
  // Named schemas are written before the routes; otherwise a component would get the description of its first use in a route.
  for (const schema of namedSchemas()) schemas.write(schema)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Atelier API',
      version,
      summary: 'A task board for advertising creatives.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This deployment.' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: pathsOf(writers),
    components: {
      securitySchemes,
      parameters,
      ...writers.answers.components,
      schemas: Object.fromEntries(Object.entries(schemas.components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const description = `
Successful answers come in an envelope, \`{success, data, message, errors}\`, unless a route says otherwise.

**Errors.** What the shape of a request rules out is answered 422, with every error at once. Any other refusal is an
RFC 9457 problem (\`application/problem+json\`); switch on its \`code\`. [All codes](/docs/errors). Every route can
also answer \`route_not_found\` and \`method_not_allowed\`.

**Concurrency.** Records come with an \`ETag\`. A write that sends it as \`If-Match\` is refused (412) if someone
else was faster; without it the last write counts.

**Repeating.** A write whose route lists the header \`Idempotency-Key\` takes effect once for each key, however often it is sent
within 24 hours. Other writes ignore the header.

**Pages.** A list goes on while \`meta.next_cursor\` is not null: send it back as \`cursor\`.

**Values.** Ids are opaque strings. Instants are ISO 8601 with an offset, and are answered in UTC. A request with
members or parameters it does not have is refused.
`.trim()

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A static token, issued to a person or an integration (`POST /api/v1/tokens`), or the short-lived one of a ' +
      'signed-in browser (`POST /session/token`).',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An OAuth 2.0 access token of the deployment's identity provider.",
  },
  guest: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of somebody who came by a link (`POST /api/v1/guest/enter`).',
  },
  link: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description: 'A signed link to this one file (`POST /api/v1/files/links`), for where no header can be sent.',
  },
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A new random value for each new request, and the same when it is repeated: the answer of a write that was ' +
      'done is kept for 24 hours and sent again. Refusals are not kept, so the same key may be used again after one. ' +
      'A key that comes with another request than the one whose answer is kept is refused (422).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as it was read, with its quotes. At any other revision the write is refused (412).',
    schema: { type: 'string', examples: ['"7"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the record as it was read. If it is still the same, the answer is 304, but for tasks, creatives, graphs and runs, of which some of the answer follows from other records.',
    schema: { type: 'string', examples: ['"7"'] },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`return=minimal` (RFC 7240): a record that may be large is not sent back. The answer is 204, with `Location` and `ETag`.',
    schema: { type: 'string', examples: ['return=minimal'] },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes; several are answered with the whole file. `If-Range` is honoured.',
    schema: { type: 'string', examples: ['bytes=0-1023'] },
  },
} as const satisfies Record<string, Json>

/** Every schema that has a name, even if no route uses the schema. */
function namedSchemas(): TSchema[] {
  const modules: Record<string, unknown>[] = [creatives, enums, errors, files, graphs, tasks, workspace]
  return modules.flatMap((module) => Object.values(module).filter(isNamed))
}

const isNamed = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && '$id' in value && typeof value.$id === 'string'

function pathsOf(writers: Writers): Record<string, Json> {
  const paths: Record<string, Json> = {}
  const table: Record<string, Route> = routes
  for (const route of Object.values(table)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, writers) }
  }
  const outside: Record<string, OutsideRoute> = outsideRoutes
  for (const [id, route] of Object.entries(outside)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: outsideOperation(id, route, writers) }
  }
  return paths
}

function operation(route: Route, { schemas, answers }: Writers): Json {
  const isPublic = route.access === 'public'
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: isPublic ? route.description : `${route.description}\n\nScope: \`${route.access}\``,
    ...(isPublic ? {} : { 'x-scope': route.access }),
    security: isPublic
      ? []
      : route.access === 'guest'
        ? [{ guest: [] }]
        : [{ bearer: [] }, { accessToken: [] }, ...(route.linkable ? [{ link: [] }] : [])],
    parameters: [
      ...parametersIn('path', route.params, schemas),
      ...parametersIn('query', route.query, schemas),
      ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(route.body ? { requestBody: requestBody(route, route.body, schemas) } : {}),
    responses: { ...answers.success(route), ...answers.refused(refusalsOf(route)), ...answers.invalid() },
  }
}

/** Turns the members of a path or query schema into OpenAPI parameters. */
function parametersIn(place: 'path' | 'query', schema: TSchema, { write }: SchemaWriter): Json[] {
  const { properties = {}, required = [] }: { properties?: Record<string, TSchema>; required?: string[] } = schema
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest }: TSchema & { description?: string } = member
    return {
      name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: write(rest),
    }
  })
}

function headersOf(route: Route): (keyof typeof parameters)[] {
  return [
    ...(route.idempotent ? (['IdempotencyKey'] as const) : []),
    ...(route.minimal ? (['Prefer'] as const) : []),
    ...(honoursIfMatch(route) ? (['IfMatch'] as const) : []),
    ...(route.tagged && route.method === 'GET' ? (['IfNoneMatch'] as const) : []),
    ...(route.framing === 'file' ? (['Range'] as const) : []),
  ]
}

function requestBody(route: Route, schema: TSchema, { write, fit }: SchemaWriter): Json {
  const { body } = route.examples
  const example = body === undefined ? {} : { example: fit(schema, body) }
  return { required: !route.bodyOptional, content: { [route.bodyMedia]: { schema: write(schema), ...example } } }
}

function outsideOperation(id: string, route: OutsideRoute, { schemas, answers }: Writers): Json {
  const { takes } = route
  const named = Object.entries(takes?.headers ?? {}).map(([name, text]) => ({
    name,
    in: 'header',
    description: text,
    schema: { type: 'string' },
  }))
  const headers = route.tagged ? [{ $ref: '#/components/parameters/IfNoneMatch' }, ...named] : named
  const content = takes && { 'application/json': { schema: schemas.write(takes.body), example: takes.example } }
  return {
    operationId: id,
    tags: ['Service'],
    summary: route.summary,
    description: route.description,
    security: [],
    ...(headers.length > 0 ? { parameters: headers } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: { ...answers.outside(route, schemas.write(route.data)), ...(takes ? answers.invalid() : {}) },
  }
}
