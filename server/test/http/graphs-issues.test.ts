// Facts about graph definitions on the wire: even an invalid definition is saved and returned unchanged, with a list of what
// prevents it from running. Only a definition that is too large is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const create = (definition: unknown, ui_state: unknown = {}) =>
  service.post('/api/v1/graphs', { name: 'Hooks', definition, ui_state })
const text = { type: 'input.text', version: 1, params: { value: 'Hello' } }
const fileNode = (digest: string) => ({
  type: 'input.file',
  version: 1,
  params: { file: { digest, media_type: 'video/mp4', size: 8, name: 'film.mp4' } },
})

test.each([
  ['nothing at all', {}],
  ['wrong members', { schema: 'x', nodes: [], edges: { a: null }, more: [[{}]] }],
  [
    'numbers, texts and names of any kind',
    { nodes: { 'ü/\\"': { params: { n: [0.1, 1e-9, -5], t: 'a\tb\u2028', '': null, constructor: 1 } } } },
  ],
  [
    'types that nobody knows',
    { schema: 1, nodes: { x: { type: 'gone.away', version: 3, inputs: { a: 1 }, each: ['a'] } }, edges: [] },
  ],
])('%s is saved and comes back as it was, with what is wrong', async (_name, definition) => {
  const created = await create(definition, { any: [definition] })
  expect([created.status, created.data.definition, created.data.ui_state]).toEqual([
    200,
    definition,
    { any: [definition] },
  ])
  const read = await service.get(`/api/v1/graphs/${created.data.id}`)
  expect(read.data).toEqual(created.data)
  for (const { body } of [created, read]) {
    expect(body.errors.length).toBeGreaterThan(0)
    expect(body.message).toMatch(/definition from running; see `errors`\.$/)
  }
})

test('what is wrong is told by its place, all at once, also after a change', async () => {
  const { data } = await create({ schema: 1, nodes: { a: text }, edges: [] })
  const nodes = { a: { ...text, params: { value: 1 } }, b: { type: 'gone.away', version: 1 } }
  const { body } = await service.patch(`/api/v1/graphs/${data.id}`, { definition: { schema: 1, nodes, edges: [] } })
  expect(body.message).toBe('2 things keep this definition from running; see `errors`.')
  expect(body.errors).toEqual([
    'nodes.a.params.value: Input should be a valid string',
    'nodes.b.type: There is no node type “gone.away”.',
  ])
  const mended = await service.patch(`/api/v1/graphs/${data.id}`, {
    definition: { schema: 1, nodes: { a: text }, edges: [] },
  })
  expect([mended.body.message, mended.body.errors]).toEqual([null, null])
})

test('of very much that is wrong, a hundred sentences are told', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`n${index}`, { type: 'x', version: 1 }]))
  const { body } = await create({ schema: 1, nodes, edges: [] })
  expect(body.errors).toHaveLength(101)
  expect(body.errors[100]).toBe('… and 50 more.')
})

test('text that no database holds is refused, and never changed', async () => {
  const raw = '{"name":"x","definition":{"nodes":{"a":"\\u0000"}}}'
  expect((await service.ask('POST', '/api/v1/graphs', { raw })).status).toBe(422)
})

describe('size', () => {
  const ofBytes = (bytes: number) => ({
    schema: 1,
    nodes: { a: { ...text, params: { value: 'x'.repeat(bytes) } } },
    edges: [],
  })

  test('a definition and a layout may have 4 MB each', async () => {
    const definition = ofBytes(4_190_000)
    const { status, data } = await create(definition, { x: 'y'.repeat(4_190_000) })
    expect([status, data.definition.nodes.a.params.value.length]).toEqual([200, 4_190_000])
    expect((await service.get(`/api/v1/graphs/${data.id}`)).body.errors).toHaveLength(1)
  })

  test('more than either may have is refused at its place, of a graph and of a run', async () => {
    const large = { definition: ofBytes(4_194_304), ui_state: { x: 'ü'.repeat(2_097_152) } }
    const graph = (await create({})).data
    const { data: run } = await service.post(`/api/v1/graphs/${graph.id}/runs`)
    for (const refused of [
      await service.post('/api/v1/graphs', { name: 'Large', ...large }),
      await service.patch(`/api/v1/graphs/${graph.id}`, large),
      await service.patch(`/api/v1/runs/${run.id}`, large),
    ]) {
      expect(refused.status).toBe(422)
      expect(refused.body.detail).toMatchObject([
        { type: 'too_large', loc: ['body', 'definition'], ctx: { limit: 4_194_304 } },
        { type: 'too_large', loc: ['body', 'ui_state'], ctx: { actual: 4_194_312 } },
      ])
    }
  })

  test('more than both may have is refused, and other routes take no more than before', async () => {
    expect(refusal(await create(ofBytes(8_500_000)))).toEqual([413, 'body_too_large'])
    const graph = (await create({})).data
    expect(refusal(await service.post(`/api/v1/graphs/${graph.id}/fork`, { name: 'x'.repeat(2_000_000) }))).toEqual([
      413,
      'body_too_large',
    ])
  })
})

describe('files', () => {
  const uses = (graph: Body) =>
    service.rows(`select digest from file_uses where used_by = 'graph' and user_key = $1`, [graph.id])
  const unused = async (digest: string) => {
    await service.app.services.files.purge({ graceSeconds: 0 })
    return (await service.get(`/api/v1/files/${digest}`)).status === 404
  }

  test('that a definition names stay, also once only the history names them', async () => {
    const [digest, loose] = [await make.file('kept by a graph'), await make.file('kept by nobody')]
    const { data: graph, body } = await create({
      schema: 1,
      nodes: { f: fileNode(digest), g: { ...text, inputs: { deep: [fileNode(digest).params] } } },
      edges: [],
    })
    expect(body.errors).not.toContainEqual(expect.stringContaining(digest))
    await service.patch(`/api/v1/graphs/${graph.id}`, { definition: {} })
    expect(await uses(graph)).toEqual([{ digest }])
    expect([await unused(digest), await unused(loose)]).toEqual([false, true])
  })

  test('that a fork names stay when the original is gone', async () => {
    const digest = await make.file('of a fork')
    const { data: graph } = await create({ schema: 1, nodes: { f: fileNode(digest) }, edges: [] })
    const { data: fork } = await service.post(`/api/v1/graphs/${graph.id}/fork`)
    expect(await uses(fork)).toEqual([{ digest }])
  })

  test('that are not there are told, and refuse nothing', async () => {
    const digest = 'ab'.repeat(32)
    const { status, body } = await create({ schema: 1, nodes: { f: fileNode(digest) }, edges: [] })
    expect([status, body.errors]).toEqual([
      200,
      [`nodes.f.params: There is no file with the digest ${digest}; upload it again.`],
    ])
  })
})

describe('node types', () => {
  test('are served with all an editor needs', async () => {
    const { items } = (await service.get('/api/v1/node-types')).data
    const template = items.find(({ type }: Body) => type === 'text.template')
    expect(template).toMatchObject({
      version: 1,
      available: true,
      replaced_by: null,
      open_inputs: true,
      params: { type: 'object' },
    })
    expect(new Set(items.map(({ type }: Body) => type)).size).toBe(items.length)
  })
})
