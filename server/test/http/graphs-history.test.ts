// Facts about the history of graphs: which changes make a checkpoint, how layout changes share one, and how to go back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, refusal, utc } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const path = (graph: Body) => `/api/v1/graphs/${graph.id}`
const text = { type: 'input.text', version: 1, params: { value: 'Hello' } }
const definitionOf = (...ids: string[]) => ({
  schema: 1,
  nodes: Object.fromEntries(ids.map((id) => [id, text])),
  edges: [],
})
const create = async (members: object = {}, options?: { token: string }): Promise<Body> =>
  (await service.post('/api/v1/graphs', { name: 'Hooks', definition: definitionOf('a'), ...members }, options)).data
const change = async (graph: Body, patch: object): Promise<Body> => (await service.patch(path(graph), patch)).data
const history = async (graph: Body): Promise<Body[]> => (await service.get(`${path(graph)}/history`)).data.items
const goBack = (graph: Body, at: string, options?: { token: string }) =>
  service.post(`${path(graph)}/history/restore`, { at }, options)
/** Shifts a time by some milliseconds and returns it in the wire format. */
const moved = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
const minuteLater = (graph: Body) =>
  service.rows(`update checkpoints set begun_at = begun_at - interval '61 seconds' where subject_id = $1`, [graph.id])

test('every change of definition, layout, name or description is in it, newest first, with who and what', async () => {
  const graph = await create()
  await change(graph, {
    definition: {
      ...definitionOf('b', 'c'),
      edges: [{ from: { node: 'b', port: 'x' }, to: { node: 'c', port: 'y' } }],
    },
  })
  await change(graph, { name: 'Better hooks', description: 'Why' })
  await change(graph, { ui_state: { a: 1 } })
  await change(graph, { template: true })
  const entries = await history(graph)
  expect(entries.map(({ kind, summary }) => [kind, summary])).toEqual([
    ['layout', 'layout changed'],
    ['renamed', 'renamed to “Better hooks”; description changed'],
    ['edited', '2 nodes added, 1 node removed, 1 edge added'],
    ['created', 'created'],
  ])
  for (const { at, by } of entries) {
    expect(at).toMatch(utc)
    expect(by).toEqual({ user_id: service.owner.id, token_id: null, name: expect.any(String) })
  }
  const times = entries.map(({ at }) => at)
  expect(times).toEqual([...new Set(times)].toSorted().toReversed())
})

test('it is read page by page', async () => {
  const graph = await create()
  for (const name of ['b', 'c', 'd']) await change(graph, { name })
  const seen: Body[] = []
  let query = ''
  do {
    const { items, meta } = (await service.get(`${path(graph)}/history?limit=3${query}`)).data
    seen.push(...items)
    query = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`
  } while (query !== '')
  expect(seen).toEqual(await history(graph))
  const other = await create()
  expect(
    faults(
      await service.get(
        `${path(other)}/history?cursor=${(await service.get(`${path(graph)}/history?limit=1`)).data.meta.next_cursor}`,
      ),
    ),
  ).toEqual(['value_error query.cursor'])
})

describe('layout alone', () => {
  test('has one checkpoint for an author and a minute, which is of the last of them', async () => {
    const graph = await create()
    for (const x of [1, 2, 3]) await change(graph, { ui_state: { x } })
    const [entry, ...more] = await history(graph)
    expect([entry.kind, ...more.map(({ kind }) => kind)]).toEqual(['layout', 'created'])
    expect((await service.get(path(graph))).data.updated_at).toBe(entry.at)
    await minuteLater(graph)
    await change(graph, { ui_state: { x: 4 } })
    expect((await history(graph)).map(({ kind }) => kind)).toEqual(['layout', 'layout', 'created'])
    expect((await goBack(graph, entry.at)).data.ui_state).toEqual({ x: 3 })
  })

  test('of another author has one of its own', async () => {
    const { token } = await service.person('writer')
    const graph = await create({}, { token })
    await service.patch(path(graph), { ui_state: { x: 1 } }, { token })
    await service.rows('update graphs set owner_id = $1 where id = $2', [service.owner.id, graph.id])
    await change(graph, { ui_state: { x: 2 } })
    expect((await history(graph)).map(({ kind }) => kind)).toEqual(['layout', 'layout', 'created'])
  })

  test('from before a restore stays, since no other checkpoint has it', async () => {
    const graph = await create()
    const [created] = await history(graph)
    await change(graph, { ui_state: { x: 1 } })
    const [first] = await history(graph)
    await goBack(graph, created.at)
    await change(graph, { ui_state: { x: 2 } })
    expect((await history(graph)).map(({ kind }) => kind)).toEqual(['layout', 'restored', 'layout', 'created'])
    expect((await goBack(graph, first.at)).data.ui_state).toEqual({ x: 1 })
  })

  test('together with the definition is an edit', async () => {
    const graph = await create()
    await change(graph, { ui_state: { x: 1 }, definition: definitionOf('b') })
    expect((await history(graph))[0].kind).toBe('edited')
  })
})

describe('going back', () => {
  test('puts definition, layout, name and description as they stood at the time, and nothing else', async () => {
    const first = await create({ ui_state: { x: 1 }, description: 'First' })
    await change(first, { definition: definitionOf('b'), ui_state: { x: 2 } })
    const last = await change(first, { name: 'Last', description: '', template: true })
    const { data, headers } = await goBack(first, moved(first.created_at, 0))
    expect(data).toEqual({ ...first, template: true, updated_at: expect.any(String) })
    expect(data.updated_at > last.updated_at).toBe(true)
    expect(headers.etag).toBe('"4"')
    expect((await history(first))[0]).toMatchObject({ kind: 'restored', summary: `as it stood at ${first.created_at}` })
  })

  test('takes the newest checkpoint that is not after the time', async () => {
    const graph = await create()
    const second = await change(graph, { name: 'Second' })
    const third = await change(graph, { name: 'Third' })
    expect((await goBack(graph, moved(third.updated_at, -1))).data.name).toBe(
      moved(third.updated_at, -1) >= second.updated_at ? 'Second' : 'Hooks',
    )
    expect((await goBack(graph, second.updated_at)).data.name).toBe('Second')
    expect((await goBack(graph, third.updated_at)).data.name).toBe('Third')
    // The same time, with UTC written as `+00:00` instead of `Z`.
    expect((await goBack(graph, second.updated_at.replace('Z', '+00:00'))).data.name).toBe('Second')
  })

  test('can be undone: what was left is in the history', async () => {
    const graph = await create()
    const edited = await change(graph, { definition: definitionOf('b'), ui_state: { x: 2 } })
    await goBack(graph, graph.created_at)
    const { data } = await goBack(graph, edited.updated_at)
    expect(data).toEqual({ ...edited, updated_at: expect.any(String) })
    expect((await history(graph)).map(({ kind }) => kind)).toEqual(['restored', 'restored', 'edited', 'created'])
  })

  test('can be looked at before: the same as it would bring back, and nothing changes', async () => {
    const graph = await create({ ui_state: { x: 1 }, description: 'As it was' })
    const named = { name: 'Another name', description: 'Another description' }
    const edited = await change(graph, { definition: definitionOf('b'), ui_state: { x: 2 }, ...named })
    const look = (at: string) => service.get(`${path(graph)}/history/checkpoint?at=${encodeURIComponent(at)}`)
    expect((await look(graph.created_at)).data).toEqual({
      at: graph.created_at,
      kind: 'created',
      definition: graph.definition,
      ui_state: { x: 1 },
      name: graph.name,
      description: 'As it was',
    })
    expect((await look('2999-01-01T00:00:00Z')).data).toMatchObject({
      kind: 'edited',
      definition: edited.definition,
      ...named,
    })
    expect(refusal(await look('1970-01-01T00:00:00Z'))).toEqual([404, 'no_checkpoint'])
    expect((await history(graph)).map(({ kind }) => kind)).toEqual(['edited', 'created'])
  })

  test('before the first checkpoint there is nothing to go back to', async () => {
    const graph = await create()
    expect(refusal(await goBack(graph, moved(graph.created_at, -1)))).toEqual([404, 'no_checkpoint'])
    expect(refusal(await goBack(graph, '1970-01-01T00:00:00Z'))).toEqual([404, 'no_checkpoint'])
  })

  test('to how it stands now changes nothing', async () => {
    const graph = await create()
    const { data, headers } = await goBack(graph, '2999-01-01T00:00:00Z')
    expect([data, headers.etag]).toEqual([graph, '"1"'])
  })

  test('is its owner’s alone, and needs a time', async () => {
    const { token } = await service.person('writer')
    const graph = await create()
    expect(refusal(await goBack(graph, graph.created_at, { token }))).toEqual([403, 'not_owner'])
    for (const [body, fault] of [
      [{}, 'missing body.at'],
      [{ at: 'yesterday' }, 'datetime_from_date_parsing body.at'],
      [{ at: null }, 'datetime_type body.at'],
    ] as const) {
      expect(faults(await service.post(`${path(graph)}/history/restore`, body))).toEqual([fault])
    }
  })
})
