// Facts about the OpenAPI document: it contains the whole route table, and its examples match what routes accept and return.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { examples } from '../examples/examples.ts'
import { defaultNameTemplate, generatedName, parseNameTemplate, plannedNames } from '../names.ts'
import { outsideRoutes } from '../routes/outside-routes.ts'
import { honoursIfMatch, type Route, refusalsOf } from '../routes/route.ts'
import { routes, tags } from '../routes/routes.ts'
import { parseVocabulary, type Vocabularies, vocabularyNames } from '../vocabulary.ts'
import { refusals } from '../wire/errors.ts'
import { openapi } from './openapi.ts'

type Schema = {
  $ref?: string
  enum?: string[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}
type Answer = { headers?: Record<string, unknown>; content?: Record<string, Media> }
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Operation = {
  operationId: string
  tags: string[]
  security: object[]
  'x-scope'?: string
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answer & { $ref?: string }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  servers: { url: string }[]
  components: Record<'schemas' | 'responses' | 'headers' | 'parameters' | 'securitySchemes', Record<string, Schema>>
}

function vocabularyWith(overrides: object): Vocabularies {
  const parsed = parseVocabulary(overrides)
  if ('errors' in parsed) throw new Error(parsed.errors.join())
  return parsed.vocabulary
}

const make = (overrides: object = {}, publicUrl: string | null = null) =>
  // The document is serialized and parsed again, because clients get it as JSON.
  JSON.parse(
    JSON.stringify(openapi({ vocabulary: vocabularyWith(overrides), publicUrl, version: '1.2.3' })),
  ) as Document

const document = make()
const table: Record<string, Route> = routes
const operationOf = (route: Route): Operation => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()]
  if (!operation) throw new Error(`${route.id} is not in the document`)
  return operation
}
const operations = (of: Document = document) =>
  Object.entries(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** Returns the part of the document to which a reference points. */
const at = (reference: string, of: Document = document) =>
  // A reference may point to any part of the document; the caller casts the result to the type that it expects.
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], of)

const answerOf = (operation: Operation, status: number): Answer => {
  const answer = operation.responses[status] ?? {}
  return answer.$ref ? (at(answer.$ref) as Answer) : answer // a `$ref` of a response points to a response
}

/** The refusal codes that an operation documents for a status. */
function codesOf(operation: Operation, status: number): string[] {
  const schema = answerOf(operation, status).content?.['application/problem+json']?.schema
  return schema?.allOf?.flatMap((part) => part.properties?.code?.enum ?? []) ?? []
}

const headersOf = (operation: Operation): string[] =>
  (operation.parameters ?? []).flatMap(({ $ref }) => ($ref ? [String($ref.split('/').at(-1))] : []))

describe('the document and the route table', () => {
  test('name the same routes', () => {
    const told = operations().map(({ path, method, operation }) => `${operation.operationId}: ${method} ${path}`)
    const there = [
      ...Object.values(table).map(({ id, method, path }) => `${id}: ${method.toLowerCase()} ${path}`),
      ...Object.entries(outsideRoutes).map(([id, { method, path }]) => `${id}: ${method.toLowerCase()} ${path}`),
    ]
    expect(told.toSorted()).toEqual(there.toSorted())
  })

  test.for(Object.values(table))('name the same refusals of $id', (route) => {
    const operation = operationOf(route)
    const told = Object.keys(operation.responses).flatMap((status) =>
      codesOf(operation, Number(status)).map((code) => `${status} ${code}`),
    )
    expect(told.toSorted()).toEqual(
      refusalsOf(route)
        .map((code) => `${refusals[code].status} ${code}`)
        .toSorted(),
    )
    expect(operation.responses[422]).toEqual({ $ref: '#/components/responses/Invalid' })
  })

  test.for(Object.values(table))('name the same parameters, headers and body of $id', (route) => {
    const operation = operationOf(route)
    const told = (operation.parameters ?? []).filter(({ name }) => name !== undefined)
    const there = (['path', 'query'] as const).flatMap((place) => {
      const schema: { properties?: object } = place === 'path' ? route.params : route.query
      return Object.keys(schema.properties ?? {}).map((name) => `${place} ${name}`)
    })
    expect(told.map(({ name, in: place }) => `${place} ${name}`)).toEqual(there)
    expect(told.filter(({ description }) => !description)).toEqual([])
    const { required: needed = [] }: { required?: readonly string[] } = route.query
    const isNeeded = ({ name = '', in: place }: (typeof told)[number]) => place === 'path' || needed.includes(name)
    expect(told.filter((parameter) => isNeeded(parameter) !== (parameter.required === true))).toEqual([])
    expect(headersOf(operation)).toEqual([
      ...(route.idempotent ? ['IdempotencyKey'] : []),
      ...(route.minimal ? ['Prefer'] : []),
      ...(honoursIfMatch(route) ? ['IfMatch'] : []),
      ...(route.tagged && route.method === 'GET' ? ['IfNoneMatch'] : []),
      ...(route.framing === 'file' ? ['Range'] : []),
    ])
    expect(operation.requestBody?.required).toBe(route.body ? !route.bodyOptional : undefined)
    expect(304 in operation.responses).toBe(route.tagged && route.method === 'GET')
    expect('ETag' in (answerOf(operation, route.status).headers ?? {})).toBe(route.tagged)
  })

  test('ask for the same scopes, by either kind of token', () => {
    for (const route of Object.values(table)) {
      const operation = operationOf(route)
      const isPublic = route.access === 'public'
      const tokens = [{ bearer: [] }, { accessToken: [] }]
      const isGuest = route.access === 'guest'
      expect(operation.security).toEqual(
        isPublic ? [] : isGuest ? [{ guest: [] }] : route.linkable ? [...tokens, { link: [] }] : tokens,
      )
      expect(operation['x-scope']).toBe(isPublic ? undefined : route.access)
    }
    for (const { method, path } of Object.values(outsideRoutes)) {
      expect(document.paths[path]?.[method.toLowerCase()]?.security).toEqual([])
    }
  })

  test('use the tags that are described', () => {
    const used = new Set(operations().flatMap(({ operation }) => operation.tags))
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(tags))
    expect([...used].toSorted()).toEqual(Object.keys(tags).toSorted())
  })
})

test('the webhook has its three headers, all optional texts, a body and a 422', () => {
  const operation = document.paths['/webhooks/identity-provider']?.post
  expect(operation?.parameters).toMatchObject(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      ...{ name, in: 'header', schema: { type: 'string' } },
    })),
  )
  expect(operation?.parameters?.filter(({ required }) => required)).toEqual([])
  expect(operation?.requestBody?.content['application/json']?.schema).toMatchObject({ type: 'object' })
  expect(operation?.responses[422]).toEqual({ $ref: '#/components/responses/Invalid' })
})

test('redirects say where they lead, and pages are told apart from problems of the same status', () => {
  const ofPath = (path: string, method: string, status: number): Answer => {
    const operation = document.paths[path]?.[method]
    if (!operation?.responses[status]) throw new Error(`${method} ${path} has no ${status}`)
    return answerOf(operation, status)
  }
  const redirects = [
    ofPath('/api/v1/files/{digest}', 'get', 307),
    ofPath('/sign-in', 'get', 302),
    ofPath('/', 'get', 302),
  ]
  for (const { headers = {}, content } of redirects) {
    expect(headers).toHaveProperty('Location')
    expect(content).toBeUndefined()
  }
  expect(document.paths['/api/v1/files/{digest}/thumbnail']?.get?.responses).not.toHaveProperty('307')
  const types = (path: string, method: string, status: number) =>
    Object.keys(ofPath(path, method, status).content ?? {})
  expect(types('/', 'get', 200)).toEqual(['text/html'])
  expect(types('/sign-in', 'get', 410)).toEqual(['text/html'])
  expect(types('/sign-in', 'get', 429)).toEqual(['application/problem+json'])
  expect(types('/sign-in', 'post', 429)).toEqual(['application/problem+json', 'text/html'])
  expect(types('/readyz', 'get', 503)).toEqual(['application/problem+json'])
})

test('what a body may leave out has no default: generated clients would ask for it', () => {
  const bodies = operations().flatMap(({ operation: { requestBody } }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  )
  const seen = new Set<unknown>()
  const defaults: string[] = []
  const look = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const { $ref, ...parts }: { $ref?: string } = value
    if ($ref !== undefined) look(at($ref), $ref)
    if ('default' in parts) defaults.push(name)
    for (const [part, inner] of Object.entries(parts)) look(inner, `${name}.${part}`)
  }
  for (const schema of bodies) look(schema, '')
  expect(seen.size).toBeGreaterThan(100)
  expect(defaults).toEqual([])
})

describe('refusals in the document', () => {
  test('say how to authenticate and when to try again', () => {
    for (const { operation } of operations()) {
      for (const status of Object.keys(operation.responses).map(Number)) {
        const { headers = {}, content = {} } = answerOf(operation, status)
        const told = Object.keys(headers)
        // A page is read by a person, and asks for no token.
        const asksForToken = 'application/problem+json' in content && (status === 401 || status === 403)
        expect(told.includes('WWW-Authenticate')).toBe(asksForToken)
        expect(told.includes('Retry-After')).toBe(status === 429 || status === 503)
      }
    }
  })

  test('of a taken name list the conflicts', () => {
    const schema = answerOf(operationOf(routes.restoreTask), 409).content?.['application/problem+json']?.schema
    expect(schema?.allOf?.[0]).toEqual({ $ref: '#/components/schemas/Problem' })
    expect(schema?.allOf?.[1]?.properties?.conflicts).toMatchObject({
      items: { $ref: '#/components/schemas/CreativeConflict' },
    })
  })
})

describe('components', () => {
  test('are there for every named schema, used by a route or not yet', () => {
    const early = ['GraphRun', 'NodeRunState', 'PendingInput', 'NodeGraph', 'CreativeLookupResult', 'CreativeRef']
    const more = ['Person', 'LookupHandle', 'RunStatus', 'NodeStatus', 'Task', 'TaskCard', 'HTTPValidationError']
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...early, ...more]))
  })

  test("have a vocabulary's values as the deployment has them, wherever it is used", () => {
    const { components } = make({ Geo: ['US', 'ZZ'] })
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining([...vocabularyNames]))
    expect(components.schemas.Geo?.enum).toEqual(['US', 'ZZ'])
    for (const name of ['Task', 'TaskCard', 'TaskPatch', 'Creative']) {
      expect(components.schemas[name]?.properties?.geo?.anyOf?.[0]).toEqual({ $ref: '#/components/schemas/Geo' })
    }
  })

  test('hold what every reference refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference = '']) => reference,
    )
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((reference) => at(reference) === undefined)).toEqual([])
  })

  test('carry no keyword that is ours alone', () => {
    const names = [...JSON.stringify(document).matchAll(/"(x-[\w-]+|~\w+|\$id)":/g)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(['x-scope']))
  })
})

test('the server is the public URL, or whoever served the document', () => {
  expect(document.servers[0]?.url).toBe('/')
  expect(make({}, 'https://atelier.example.org').servers[0]?.url).toBe('https://atelier.example.org')
})

describe('examples', () => {
  const few = { Geo: ['US'], Language: ['fr', 'es'], AdFormat: ['poster'], VariedElement: ['sound'] }

  test.for([
    { name: 'the default vocabularies', of: document },
    { name: 'other vocabularies', of: make(few) },
  ])('are what the routes take and answer, with $name', ({ of }) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.addSchema(of, 'document')
    const seen = { count: 0, wrong: [] as string[] }
    for (const { where, media } of mediaOf(of)) {
      const values = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)]
      const validate = ajv.compile({ $ref: `document#/${where.map(pointer).join('/')}/schema` })
      for (const value of values.filter((value) => value !== undefined)) {
        seen.count++
        if (!validate(value)) seen.wrong.push(`${where.join(' ')}: ${ajv.errorsText(validate.errors)}`)
      }
    }
    expect(seen.wrong).toEqual([])
    expect(seen.count).toBeGreaterThan(50)
  })

  test('are there for every body', () => {
    const bare = operations().filter(({ operation: { requestBody } }) =>
      Object.values(requestBody?.content ?? {}).some(({ example }) => example === undefined),
    )
    expect(bare.map(({ operation }) => operation.operationId)).toEqual([])
  })

  test('bear the names that the default template gives them', () => {
    const parsed = parseNameTemplate(defaultNameTemplate)
    if ('errors' in parsed) throw new Error(parsed.errors.join())
    const input = { ...examples.task, product: examples.product.name }
    const planned = plannedNames(parsed.template, input).map(({ name }) => name)
    expect(examples.task.generated_name).toBe(generatedName(parsed.template, input))
    expect(examples.task.planned_creative_names).toEqual(planned)
    expect(planned).toContain(examples.creative.name)
  })
})

/** Returns the media types of every request body and response body in the document, including shared responses. */
function mediaOf(of: Document): { where: string[]; media: Media }[] {
  const within = (where: string[], content: Record<string, Media> = {}) =>
    Object.entries(content).map(([type, media]) => ({ where: [...where, 'content', type], media }))
  const shared: [string, Answer][] = Object.entries(of.components.responses).map(([name]) => [
    name,
    at(`#/components/responses/${name}`, of) as Answer, // every entry of `responses` is a response
  ])
  return [
    ...shared.flatMap(([name, { content }]) => within(['components', 'responses', name], content)),
    ...operations(of).flatMap(({ path, method, operation: { requestBody, responses } }) => [
      ...within(['paths', path, method, 'requestBody'], requestBody?.content),
      ...Object.entries(responses).flatMap(([status, { content }]) =>
        within(['paths', path, method, 'responses', status], content),
      ),
    ]),
  ]
}

/** Escapes a name for use as one segment of a JSON pointer in a URI. */
const pointer = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
