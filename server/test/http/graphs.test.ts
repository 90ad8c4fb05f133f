// Facts about graphs: how they are created, read, listed, changed, deleted and forked, and who owns them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeGraphs } from '../../src/features/graphs/purge.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, nobody, refusal, utc } from '../support/make.ts'
import { mostRowsAtOnce } from '../support/transactions.ts'
import { faultsIn } from '../support/wire-tables.ts'

let service: Service
let writer: { id: string; token: string }
let reader: { id: string; token: string }
beforeAll(async () => {
  service = await startService()
  writer = await service.person('writer')
  reader = await service.person('reader')
})
afterAll(() => service.close())

const path = (graph: Body) => `/api/v1/graphs/${graph.id}`
const create = async (members: object = {}, options?: { token: string }): Promise<Body> => {
  const { status, data, text } = await service.post('/api/v1/graphs', { name: 'Hooks', ...members }, options)
  expect(status, text).toBe(200)
  return data
}
const cards = async (query = '', options?: { token: string }): Promise<Body[]> =>
  (await service.get(`/api/v1/graphs?${query}`, options)).data.items
const named = async (query: string) => (await cards(query)).map(({ name }) => name)

const text = { type: 'input.text', version: 1, params: { value: 'Hello' } }
const definition = { schema: 1, nodes: { a: text, b: { ...text } }, edges: [] }

test('every member of NodeGraph is there with its type, set or not', async () => {
  const plain = await create()
  const whole = (await service.post(`${path(plain)}/fork`)).data
  const deleted = (
    await service.del(path(await create({ description: 'x', definition, ui_state: { a: 1 }, template: true })))
  ).data
  for (const graph of [plain, whole, deleted]) expect(faultsIn('NodeGraph', graph)).toEqual([])
})

describe('a new graph', () => {
  test('needs a name alone, belongs to the caller, and is dated by the database', async () => {
    const { data, headers, body } = await service.post('/api/v1/graphs', { name: 'Alone' }, writer)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      name: 'Alone',
      description: '',
      definition: { schema: 1, nodes: {}, edges: [] },
      ui_state: {},
      forked_from: null,
      template: false,
      owner_id: writer.id,
      created_at: expect.stringMatching(utc),
      updated_at: data.created_at,
      deleted_at: null,
    })
    expect([headers.etag, body.message, body.errors]).toEqual(['"1"', null, null])
    expect((await service.get(path(data), reader)).data).toEqual(data)
  })

  test.each([
    [{}, ['missing body.name']],
    [{ name: '' }, ['value_error body.name']],
    [{ name: 'x', owner_id: nobody }, ['extra_forbidden body.owner_id']],
    [{ name: 'x', definition: [], ui_state: null }, ['dict_type body.definition', 'dict_type body.ui_state']],
    [{ name: 'x', description: null, template: 'yes' }, ['string_type body.description', 'bool_type body.template']],
  ])('%j is refused', async (body, expected) => {
    expect(
      faults(await service.post('/api/v1/graphs', body)).map((fault) =>
        fault.replace('string_too_short', 'value_error'),
      ),
    ).toEqual(expected)
  })

  test('of an integration belongs to its token', async () => {
    const { token } = await service.integration(['read', 'graphs:write'])
    const graph = await create({}, { token })
    const [row] = await service.rows('select id from tokens where hint = $1', [token.slice(-4)])
    expect(graph.owner_id).toBe(row.id)
    expect((await service.patch(path(graph), { name: 'Own' }, { token })).status).toBe(200)
    expect(refusal(await service.patch(path(graph), { name: 'Else' }))).toEqual([403, 'not_owner'])
  })

  test('is made once for an Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': 'graph-1' } }
    const [first, second] = [
      await service.post('/api/v1/graphs', { name: 'Once' }, options),
      await service.post('/api/v1/graphs', { name: 'Once' }, options),
    ]
    expect(second.data).toEqual(first.data)
    expect(await named('search=Once')).toEqual(['Once'])
  })
})

describe('a change', () => {
  test('of any member comes back as it was sent, and raises the ETag', async () => {
    const graph = await create()
    const patch = {
      name: 'Über',
      description: 'a\nb',
      definition,
      ui_state: { nodes: { a: { x: 0.5 } }, zoom: [null] },
      template: true,
    }
    const { data, headers } = await service.patch(path(graph), patch)
    expect(data).toEqual({ ...graph, ...patch, updated_at: expect.stringMatching(utc) })
    expect(headers.etag).toBe('"2"')
    expect((await service.get(path(graph))).data).toEqual(data)
  })

  test('that changes nothing leaves ETag and history alone', async () => {
    const graph = await create({ definition })
    for (const patch of [{}, { name: 'Hooks', definition, ui_state: {}, template: false }]) {
      const { headers, data } = await service.patch(path(graph), patch)
      expect([headers.etag, data]).toEqual(['"1"', graph])
    }
    expect((await service.get(`${path(graph)}/history`)).data.items).toHaveLength(1)
  })

  test('is its owner’s alone, whatever else the caller may do', async () => {
    const graph = await create({}, writer)
    expect(refusal(await service.patch(path(graph), { name: 'Mine' }))).toEqual([403, 'not_owner'])
    expect(refusal(await service.del(path(graph)))).toEqual([403, 'not_owner'])
    expect(refusal(await service.post(`${path(graph)}/restore`))).toEqual([403, 'not_owner'])
    expect(refusal(await service.patch(path(graph), { name: 'x' }, reader))).toEqual([403, 'insufficient_scope'])
    expect((await service.patch(path(graph), { name: 'Still mine' }, writer)).status).toBe(200)
  })

  test('of what has changed since is refused', async () => {
    const graph = await create()
    const stale = { headers: { 'if-match': '"1"' } }
    expect((await service.patch(path(graph), { name: 'a' }, stale)).status).toBe(200)
    for (const asked of [
      () => service.patch(path(graph), { name: 'b' }, stale),
      () => service.del(path(graph), stale),
      () => service.post(`${path(graph)}/restore`, undefined, stale),
      () => service.post(`${path(graph)}/history/restore`, { at: graph.created_at }, stale),
    ]) {
      expect(refusal(await asked())).toEqual([412, 'precondition_failed'])
    }
  })

  test('of one graph by many at once leaves each in the history', async () => {
    const graph = await create()
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => service.patch(path(graph), { name })))
    const { items } = (await service.get(`${path(graph)}/history`)).data
    expect(new Set(items.map(({ at }: Body) => at)).size).toBe(6)
    expect((await service.get(path(graph))).headers.etag).toBe('"6"')
  })
})

describe('a list', () => {
  test('has cards, changed last first, page by page', async () => {
    const { id: owner_id, token } = await service.person('writer')
    const made: Body[] = []
    for (const name of ['one', 'two', 'three']) made.push(await create({ name, definition }, { token }))
    await service.patch(path(made[0]), { description: 'newest' }, { token })
    const first = (await service.get(`/api/v1/graphs?owner_id=${owner_id}&limit=2`)).data
    const { definition: _, ui_state: __, ...card } = (await service.get(path(made[0]))).data
    expect(first.items[0]).toEqual({ ...card, node_count: 2 })
    const second = (await service.get(`/api/v1/graphs?owner_id=${owner_id}&limit=2&cursor=${first.meta.next_cursor}`))
      .data
    expect([...first.items, ...second.items].map(({ name }: Body) => name)).toEqual(['one', 'three', 'two'])
    expect(second.meta.next_cursor).toBeNull()
    expect(faults(await service.get(`/api/v1/graphs?limit=2&cursor=${first.meta.next_cursor}`))).toEqual([
      'value_error query.cursor',
    ])
  })

  test('can be of starting points, of part of a name in any case, of an owner', async () => {
    const { id, token } = await service.person('writer')
    for (const [name, template] of [
      ['ÄPFEL 100%', true],
      ['Äpfel_x', false],
      ['Birnen', false],
    ] as const) {
      await create({ name, template }, { token })
    }
    const own = `owner_id=${id}`
    expect(await named(`${own}&template=true`)).toEqual(['ÄPFEL 100%'])
    expect(await named(`${own}&template=false`)).toEqual(['Birnen', 'Äpfel_x'])
    expect(await named(`${own}&search=%C3%A4pfel`)).toEqual(['Äpfel_x', 'ÄPFEL 100%'])
    expect(await named(`${own}&search=%25`)).toEqual(['ÄPFEL 100%'])
    expect(await named(`${own}&search=_`)).toEqual(['Äpfel_x'])
    expect(await named('owner_id=nobody')).toEqual([])
    expect(await named(`owner_id=${nobody}`)).toEqual([])
  })

  test('of deleted graphs holds those that can be restored, and no other list does', async () => {
    const { id, token } = await service.person('writer')
    const [kept, gone, old] = [
      await create({ name: 'kept' }, { token }),
      await create({ name: 'gone' }, { token }),
      await create({ name: 'old' }, { token }),
    ]
    for (const graph of [gone, old]) await service.del(path(graph), { token })
    await service.rows(`update graphs set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
    expect(await named(`owner_id=${id}`)).toEqual([kept.name])
    expect(await named(`owner_id=${id}&deleted=true`)).toEqual([gone.name])
  })
})

describe('a deleted graph', () => {
  test('is read and restored as it was, and changed by nobody meanwhile', async () => {
    const graph = await create({ definition, ui_state: { a: 1 } })
    const { data: deleted, headers } = await service.del(path(graph))
    expect(deleted).toEqual({ ...graph, updated_at: expect.any(String), deleted_at: expect.stringMatching(utc) })
    expect(headers.etag).toBe('"2"')
    expect((await service.del(path(graph))).data).toEqual(deleted)
    expect((await service.get(path(graph))).data).toEqual(deleted)
    expect((await service.get(`${path(graph)}/history`)).data.items).toHaveLength(1)
    for (const asked of [
      () => service.patch(path(graph), { name: 'x' }),
      () => service.post(`${path(graph)}/history/restore`, { at: graph.created_at }),
      () => service.post(`${path(graph)}/fork`),
    ]) {
      expect(refusal(await asked())).toEqual([409, 'graph_deleted'])
    }
    const { data: restored } = await service.post(`${path(graph)}/restore`)
    expect(restored).toEqual({ ...graph, updated_at: expect.any(String) })
    expect((await service.post(`${path(graph)}/restore`)).data).toEqual(restored)
  })

  test('is gone after the retention window: not found, and a restore is told why, also once it is purged', async () => {
    const digest = await upload('purged with its graph')
    const graph = await create({ definition: naming(digest) })
    await service.del(path(graph))
    await service.rows(`update graphs set deleted_at = now() - interval '31 days' where id = $1`, [graph.id])
    for (const purged of [false, true]) {
      if (purged) expect(await purgeGraphs(service.database)).toBeGreaterThan(0)
      expect(refusal(await service.get(path(graph)))).toEqual([404, 'not_found'])
      expect(refusal(await service.patch(path(graph), { name: 'x' }))).toEqual([404, 'not_found'])
      expect(refusal(await service.get(`${path(graph)}/history`))).toEqual([404, 'not_found'])
      expect(refusal(await service.post(`${path(graph)}/restore`))).toEqual([404, 'retention_over'])
    }
    for (const [table, column] of [
      ['graphs', 'id'],
      ['checkpoints', 'subject_id'],
      ['file_uses', 'user_key'],
    ]) {
      expect(await service.rows(`select 1 from ${table} where ${column}::text = $1`, [graph.id])).toEqual([])
    }
  })

  test('with a long history is purged with all of it, but not in one transaction', async () => {
    const graph = await create()
    await service.rows(
      `insert into checkpoints (subject_id, at, begun_at, kind, summary, content)
       select subject_id, at + i * interval '1 second', at, kind, summary, content
       from checkpoints, generate_series(1, 250) as i where subject_id = $1`,
      [graph.id],
    )
    await service.del(path(graph))
    await service.rows(`update graphs set deleted_at = now() - interval '31 days' where id = $1`, [graph.id])
    let count = 0
    const most = await mostRowsAtOnce(service, { table: 'checkpoints', event: 'delete' }, async () => {
      count = await purgeGraphs(service.database)
    })
    const left = await service.rows('select 1 from checkpoints where subject_id = $1', [graph.id])
    expect([count, left]).toEqual([1, []])
    expect(most).toBeLessThanOrEqual(100)
  })
})

const upload = async (bytes: string): Promise<string> => {
  const options = { raw: bytes, headers: { 'content-type': 'text/csv' } }
  return (await service.ask('POST', '/api/v1/files', options)).data.digest
}
const naming = (digest: string) => ({
  schema: 1,
  nodes: {
    f: { type: 'input.file', version: 1, params: { file: { digest, media_type: 'text/csv', size: 5, name: null } } },
  },
  edges: [],
})

describe('a fork', () => {
  test('is called after its graph, by whole characters', async () => {
    for (const [name, start] of [
      [`${'a'.repeat(249)}😀 and`, `${'a'.repeat(249)}😀`],
      [`${'a'.repeat(249)} and`, 'a'.repeat(249)],
    ]) {
      const { data: graph } = await service.post('/api/v1/graphs', { name })
      expect((await service.post(`${path(graph)}/fork`)).data.name).toBe(`${start} copy`)
    }
  })

  test('is anybody’s own copy, with the definition, layout and description, and knows where it is from', async () => {
    const graph = await create({ definition, ui_state: { a: 1 }, description: 'Why', template: true })
    const { data: fork } = await service.post(`${path(graph)}/fork`, undefined, writer)
    expect(fork).toEqual({
      ...graph,
      id: expect.any(String),
      template: false,
      forked_from: graph.id,
      owner_id: writer.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await service.get(`${path(fork)}/history`)).data.items).toMatchObject([
      { kind: 'forked', summary: 'forked from “Hooks”', by: { user_id: writer.id } },
    ])
    expect((await service.patch(path(fork), { name: 'Changed' }, writer)).status).toBe(200)
    expect((await service.get(path(graph))).data).toEqual(graph)
  })

  test('may be named, and is named as a copy where it is of no starting point', async () => {
    const graph = await create({ name: 'x'.repeat(255) })
    expect((await service.post(`${path(graph)}/fork`, { name: 'Mine' })).data.name).toBe('Mine')
    expect((await service.post(`${path(graph)}/fork`, {})).data.name).toBe(`${'x'.repeat(250)} copy`)
    expect(faults(await service.post(`${path(graph)}/fork`, { title: 'x' }))).toEqual(['extra_forbidden body.title'])
  })
})

test('a graph that is not there is not found', async () => {
  for (const id of [nobody, 'x']) {
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/history'],
      ['POST', '/restore'],
      ['POST', '/fork'],
    ] as const) {
      expect(refusal(await service.ask(method, `/api/v1/graphs/${id}${rest}`))).toEqual([404, 'not_found'])
    }
  }
})

describe('a hand-over', () => {
  const handOver = (from: string, to: unknown, options?: { token: string }) =>
    service.post(`/api/v1/users/${from}/graphs/hand-over`, { to }, options)

  test('gives every graph of a former person to an active one, deleted ones too', async () => {
    const former = await service.person('writer')
    const [graph, gone] = [await create({ name: 'Left behind' }, former), await create({ name: 'Deleted' }, former)]
    await service.del(path(gone), former)
    await service.patch(`/api/v1/users/${former.id}`, { active: false })
    expect((await handOver(former.id, writer.id)).data).toEqual({ handed_over: 2 })
    const { data, headers } = await service.get(path(graph))
    expect([data.owner_id, headers.etag]).toEqual([writer.id, '"2"'])
    expect((await service.post(`${path(gone)}/restore`, undefined, writer)).status).toBe(200)
    expect((await handOver(former.id, writer.id)).data).toEqual({ handed_over: 0 })
  })

  test('is an admin’s to do, to somebody who is there', async () => {
    expect(refusal(await handOver(writer.id, service.owner.id, writer))).toEqual([403, 'insufficient_scope'])
    const former = await service.person('writer')
    await service.rows('update users set active = false where id = $1', [former.id])
    for (const to of [nobody, 'x', former.id, writer.id]) {
      expect(faults(await handOver(writer.id, to))).toEqual(['value_error body.to'])
    }
    expect(faults(await service.post(`/api/v1/users/${writer.id}/graphs/hand-over`, {}))).toEqual(['missing body.to'])
    expect(refusal(await handOver(nobody, writer.id))).toEqual([404, 'not_found'])
  })
})
