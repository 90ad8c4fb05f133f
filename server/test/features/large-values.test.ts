// Facts about values that are too long for a run's response: the response contains their type, size and beginning, and a separate
// request returns the whole value. Runs of any size are streamed, and the response is the same as if it were built in memory.
import { createHash } from 'node:crypto'
import { asMade, isReference, longestShown } from '@atelier/contract/wire/values.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isText, openRun, readRun, readRunChanges, type Text } from '../../src/engine/read/run-json.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { growRun } from '../support/large-run.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const line = (length: number): string => 'ü"'.repeat(length / 2)
/** A definition that collects equal texts of several nodes into one list, which may exceed the size limit of one node's params. */
const repeated = (text: string, times: number, more: Parameters<typeof definitionOf>[0] = {}, ...edges: string[]) => {
  const ids = Array.from({ length: times }, (_, one) => `text${one}`)
  const texts = Object.fromEntries(ids.map((id) => [id, { type: 'input.text', params: { value: text } }]))
  const into = ids.map((id) => `${id}.text > list.values`)
  return definitionOf({ ...texts, list: { type: 'list.collect' }, ...more }, ...into, ...edges)
}
const collected = (...values: unknown[]) => definitionOf({ list: { type: 'list.collect', inputs: { values } } })
const at = (id: string, port: string, query = '') => service.get(`/api/v1/runs/${id}/nodes/${port}${query}`)

describe('a value', () => {
  test('of more than 64 KB stands in the run as what it is and how it begins, and is to be had whole', async () => {
    const values = [line(19_000), line(19_000), line(19_000)]
    const { id } = await makeRun(service, repeated(line(19_000), 3))
    const run = await runThrough(service, id)
    const shown = run.nodes.list.outputs.list
    expect(shown).toEqual({
      $value: {
        digest: digestOf(values),
        bytes: Buffer.byteLength(JSON.stringify(values)),
        type: 'array',
        head: JSON.stringify(values).slice(0, 500),
      },
    })
    expect(isReference(shown)).toBe(true)
    const whole = await at(id, 'list/outputs/list', `?digest=${shown.$value.digest}`)
    expect([whole.status, whole.headers.etag]).toEqual([200, `"${shown.$value.digest}"`])
    expect(whole.body).toEqual(values)
  })

  test('is whole for whoever takes it on, in the run and in one that is seeded by it', async () => {
    const count = { type: 'json.expression', params: { expression: '$count(value)' } }
    const definition = repeated(line(19_000), 4, { last: count }, 'list.list > last.value')
    const { id } = await makeRun(service, definition)
    const run = await runThrough(service, id)
    expect(run.nodes.last.outputs).toEqual({ value: 4 })
    const next = await makeRun(service, definition, { from_run: id, execute: true })
    expect((await untilStatus(service, next.id, 'succeeded')).nodes.list.outputs).toEqual(run.nodes.list.outputs)
  })

  test('of 64 KB, and all that is shorter, stands there as it is', async () => {
    // With quotes, commas and brackets, the list has the longest size shown; with one more letter in each text, it is too long.
    const text = 'x'.repeat(longestShown / 4 - 4)
    const { id } = await makeRun(service, repeated(text, 4))
    expect((await runThrough(service, id)).nodes.list.outputs.list).toEqual([text, text, text, text])
    const longer = await makeRun(service, repeated(`${text}x`, 4))
    expect(isReference((await runThrough(service, longer.id)).nodes.list.outputs.list)).toBe(true)
  })

  test('that looks like a reference is none, and says so by one `$` more', async () => {
    const tricky = [
      { $value: { digest: 'a', bytes: 1, type: 'string', head: '' } },
      { a: [{ $$value: 1, 'b"$value': 2 }], text: '{"$value": 3, "$value":' },
    ]
    const { id } = await makeRun(service, collected(...tricky))
    const { list } = (await runThrough(service, id)).nodes.list.outputs
    expect(list).toEqual([
      { $$value: { digest: 'a', bytes: 1, type: 'string', head: '' } },
      { a: [{ $$$value: 1, 'b"$value': 2 }], text: '{"$value": 3, "$value":' },
    ])
    expect(asMade(list)).toEqual(tricky)
    expect((await at(id, 'list/outputs/list')).body).toEqual(tricky)
  })

  test('is had by its run, node, item and port alone, by those who may read the run', async () => {
    const { id } = await makeRun(service, collected('a'))
    await runThrough(service, id)
    const stranger = await service.get(`/api/v1/runs/${id}/nodes/list/outputs/list`, { token: null })
    const other = await makeRun(service, collected('b'))
    const refused = await Promise.all([
      at(id, 'list/outputs/other'),
      at(id, 'list/outputs/list', '?item=0'),
      at(id, 'nowhere/outputs/list'),
      at(id, 'list/outputs/list', `?digest=${digestOf(['b'])}`),
      at(other.id, 'list/outputs/list'), // this run has not been executed
    ])
    expect([stranger.status, ...refused.map(({ status }) => status)]).toEqual([401, 404, 404, 404, 404, 404])
    expect(refused[3]?.body.detail).toContain('another value by now')
    expect((await at(id, 'list/outputs/list', `?digest=${digestOf(['a'])}`)).body).toEqual(['a'])
  })

  test('of an earlier generation is not had once it no longer counts', async () => {
    const { id } = await makeRun(service, collected('a'))
    await runThrough(service, id)
    await service.post(`/api/v1/runs/${id}/start`, { regenerate: [{ node_id: 'list' }], execute: false })
    expect((await at(id, 'list/outputs/list')).status).toBe(404)
  })
})

/** Reads a streamed text to its end and parses it; returns any other value as it is. */
async function gathered<T>(read: T | Text): Promise<T> {
  if (typeof read !== 'object' || read === null || !isText(read)) return read as T
  let text = ''
  for await (const part of read) text += part
  return JSON.parse(text)
}

describe('a run of 1,200 items', () => {
  let id: string
  beforeAll(async () => {
    const definition = definitionOf({
      list: { type: 'list.collect', inputs: { values: ['a', 'b'] } },
      large: { type: 'list.collect', inputs: { values: ['left out'] } },
    })
    const made = await makeRun(service, definition, { targets: ['list'] })
    id = made.id
    await runThrough(service, id)
    await growRun(service.rows, id, { items: 1200, bytes: 1000 })
    await service.rows(
      `update run_states set status = 'failed', error = 'It broke.', outputs = null
      where run_id = $1 and position in (7, 1199)`,
      [id],
    )
  })

  test('is sent as it is read, and says what it would say if it were held', async () => {
    const { main } = service.database
    const held = await readRun(main, id)
    const opened = await openRun(main, id)
    expect(opened && isText(opened.run)).toBe(true)
    expect(await gathered(opened?.run)).toEqual(held?.run)
    const sent = await service.get(`/api/v1/runs/${id}`)
    expect(sent.data).toEqual(held?.run)
    expect(sent.headers.etag).toBe(`"${held?.row.revision}"`)
    expect(sent.data.nodes.large.outputs.text).toHaveLength(1200)
    expect(sent.data.nodes.large.outputs.text[7]).toBeNull()
    expect(sent.data.nodes.large.error).toBe('2 of 1200 items failed: It broke.')
  })

  test('tells what changed of it in the same way, of all nodes and of one', async () => {
    const { main } = service.database
    const before = await readRunChanges(main, id, { since: undefined })
    expect(before && isText(before.changes)).toBe(true)
    const { since } = await gathered<Body>(before?.changes)
    await service.rows(
      `with moved as (update runs set changes = changes + 1 where id = $1 returning changes)
      update run_states set message = 'Moved.', change = moved.changes from moved where run_id = $1 and position < 1100`,
      [id],
    )
    const next = await service.get(`/api/v1/runs/${id}/changes?since=${since}`)
    expect(next.data).toMatchObject({ whole: false, nodes: { large: { item_count: 1200, outputs: {} } } })
    expect(Object.keys(next.data.nodes)).toEqual(['large'])
    expect(Object.keys(next.data.nodes.large.items)).toHaveLength(1100)
    const one = await service.get(`/api/v1/runs/${id}/nodes/large?since=${since}`)
    expect(one.data).toEqual({ since: next.data.since, whole: false, node: next.data.nodes.large })
    const other = await service.get(`/api/v1/runs/${id}/nodes/list?since=${since}`)
    expect(other.data).toEqual({ since: next.data.since, whole: false, node: null })
  })

  test('written by a version that noted no sizes, it reads the same', async () => {
    const before = await service.get(`/api/v1/runs/${id}`)
    await service.database.script(`alter table run_states disable trigger note_outputs;
      update run_states set shown = null, outputs_bytes = null, shown_bytes = null, kept_bytes = null
        where run_id = '${id}' and coalesce(position, 0) < 50;
      alter table run_states enable trigger note_outputs`)
    expect((await service.get(`/api/v1/runs/${id}`)).data).toEqual(before.data)
    const left = await service.rows(
      'select count(*)::int from run_states where run_id = $1 and outputs_bytes is null',
      [id],
    )
    expect(left).toEqual([{ count: 0 }])
  })
})

describe('a run of 12 MB, over connections', () => {
  let url: string
  let whole: string
  beforeAll(async () => {
    const { id } = await makeRun(service, collected('a'), { targets: ['list'] })
    await runThrough(service, id)
    await growRun(service.rows, id, { items: 200, bytes: 60_000 })
    const address = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
    url = `${address}/api/v1/runs/${id}`
    whole = (await service.get(`/api/v1/runs/${id}`)).text
  })
  const read = () => fetch(url, { headers: { authorization: `Bearer ${service.owner.token}` } })

  test('is the same for readers at once, and for one who waits in the middle', async () => {
    expect(whole.length).toBeGreaterThan(12_000_000)
    const waiting = (await read()).body?.getReader()
    const begun = await waiting?.read()
    const others = await Promise.all(Array.from({ length: 4 }, async () => (await read()).text()))
    expect(others.map((text) => text === whole)).toEqual([true, true, true, true])
    const pieces = [begun?.value ?? new Uint8Array()]
    for (let next = await waiting?.read(); next?.value; next = await waiting?.read()) pieces.push(next.value)
    expect(Buffer.concat(pieces).toString() === whole).toBe(true)
  })

  test('is read by others after more readers than can be served at once have gone', async () => {
    for (let gone = 0; gone < 5; gone++) {
      const reader = (await read()).body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    expect((await (await read()).text()) === whole).toBe(true)
  })
})
