// Facts about lookups whose response is too large for memory: the service makes the response only as fast as the caller reads it,
// and stops if the caller disconnects.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { mostCreatives, mostMegabytes } from '../../src/features/tasks/launches/lookup-store.ts'
import { JsonParts } from '../../src/platform/http/answer.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { faults, makers } from '../support/make.ts'

const creatives = 5000
const megabyte = 1024 * 1024
const adId = freshAdId()
let service: Service
let url: string
let task: Body
const fill = (taskId: string, from: number, to: number) =>
  service.rows(
    `insert into creatives (id, task_id, name, subject, ad_id, rolled_up_at)
    select gen_random_uuid(), $1, 'Large ' || i, repeat('x', 200), $4, now_ms()
    from generate_series($2::integer, $3::integer) as i`,
    [taskId, from, to, adId],
  )
beforeAll(async () => {
  service = await startService()
  task = await makers(service).task()
  await fill(task.id, 1, creatives)
  await doors(service).packs({ task_id: task.id, ad_id: adId })
  url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

/** Counts the bytes that are generated for the response, and records whether the generation has ended. */
function watchMaking() {
  const made = { bytes: 0, ended: false }
  const { pieces } = JsonParts.prototype
  vi.spyOn(JsonParts.prototype, 'pieces').mockImplementation(function* (this: unknown) {
    if (!(this instanceof JsonParts)) throw new Error('called on something else')
    try {
      for (const piece of pieces.call(this)) {
        made.bytes += piece.length
        yield piece
      }
    } finally {
      made.ended = true
    }
    return undefined
  })
  return made
}

/** Requests the same pack `times` times in one lookup. */
function begin(times: number): ClientRequest {
  const asking = request(`${url}/api/v1/integrations/creative-tests/creatives/lookup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.owner.token}`, 'content-type': 'application/json' },
  })
  return asking.end(JSON.stringify({ ad_ids: Array.from({ length: times }, () => adId) }))
}

/** Sends the request of `begin`; resolves as soon as the response headers arrive. */
async function ask(times: number): Promise<IncomingMessage> {
  const [answer]: IncomingMessage[] = await once(begin(times), 'response')
  if (!answer) throw new Error('no answer')
  return answer
}

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / megabyte
}

test('an answer of more than a gigabyte is made only as fast as it is read, and no longer than it is wanted', async () => {
  const made = watchMaking()
  const before = held()
  const answer = await ask(500)
  expect(answer.headers['content-length']).toBeUndefined()
  // Nobody reads for a while. Without backpressure this would be enough time to generate 256 MB.
  for (let turn = 0; turn < 4096; turn++) await nextTurn()
  expect(made.bytes).toBeLessThan(32 * megabyte)

  let read = 0
  let most = 0
  for await (const chunk of answer) {
    read += chunk.length
    most = Math.max(most, held() - before)
    if (read > 48 * megabyte) break // leaving the loop closes the connection
    await nextTurn()
  }
  expect(made.bytes - read).toBeLessThan(32 * megabyte)
  expect(most).toBeLessThan(200)
  await eventually(() => expect(made.ended).toBe(true))
  expect(made.bytes).toBeLessThan(96 * megabyte)
})

test('an answer in pieces is whole: every row has every creative', async () => {
  const answer = await ask(3)
  answer.setEncoding('utf8')
  const rows: Body[] = JSON.parse((await answer.toArray()).join(''))
  expect(rows.map(({ query, handle }) => [query, handle])).toEqual(Array.from({ length: 3 }, () => [adId, 'ad_id']))
  for (const row of rows) expect(new Set(row.creatives.map(({ id }: Body) => id)).size).toBe(creatives)
})

test('others are answered while a large answer is sent to somebody who takes it at once', async () => {
  const answer = await ask(20)
  const drained = answer.resume()
  const ended = once(drained, 'end').then(() => true)
  const { status } = await fetch(`${url}/healthz`)
  expect(status).toBe(200)
  expect(drained.readableEnded).toBe(false)
  expect(await ended).toBe(true)
})

test('of large lookups that nobody reads eight begin; a small one is answered, the next large one when one has ended', async () => {
  const unread = await Promise.all(Array.from({ length: 8 }, () => ask(500)))
  let isAnswered = false
  const ninth = ask(500).then((answer) => {
    isAnswered = true
    return answer
  })
  const small = await ask(1)
  expect(small.statusCode).toBe(200)
  small.destroy()
  expect(isAnswered).toBe(false)
  unread[0]?.destroy()
  const answer = await ninth
  expect(answer.statusCode).toBe(200)
  for (const one of [answer, ...unread]) one.destroy()
})

test('a few creatives with large texts wait for the turn of large lookups, and are read over a connection of their own', async () => {
  const names = ['Two megabytes 1', 'Two megabytes 2', 'Two megabytes 3']
  await makers(service).taskWith(names)
  await service.rows(`update creatives set landing = to_jsonb(repeat('x', 2000000)) where name = any($1)`, [names])
  const read = vi.spyOn(service.database, 'read')
  const shared = () => read.mock.calls.filter(([{ name }]) => name === 'lookup_creatives').map(([{ brief }]) => brief)
  const asked = () => doors(service).lookup({ names })
  for (const [at, row] of (await asked()).entries()) expect(row.creatives).toMatchObject([{ name: names[at] }])
  expect(shared()).toEqual([true, false])
  const unread = await Promise.all(Array.from({ length: 8 }, () => ask(500)))
  let isAnswered = false
  const waiting = asked().then(() => {
    isAnswered = true
  })
  expect((await doors(service).lookup({ names: ['Large 1'] })).length).toBe(1)
  expect(isAnswered).toBe(false)
  for (const one of unread) one.destroy()
  await waiting
  await service.rows('update creatives set landing = null where name = any($1)', [names])
})

test('large lookups whose callers hang up before the response begins leave the turn to others at once', async () => {
  const gate = Promise.withResolvers<void>()
  const read = service.database.read.bind(service.database)
  let begun = 0
  vi.spyOn(service.database, 'read').mockImplementation(async (statement, values) => {
    if (statement.name === 'lookup_launches') begun++
    await gate.promise
    return read(statement, values)
  })
  const responses: ServerResponse[] = []
  const note = (_request: IncomingMessage, response: ServerResponse) => void responses.push(response)
  service.app.server.server.on('request', note)
  const asking = Array.from({ length: 8 }, () => begin(500).on('error', () => undefined))
  await eventually(() => expect(begun).toBe(8))
  service.app.server.server.off('request', note)
  for (const one of asking) one.destroy()
  await eventually(() => expect(responses.filter(({ closed }) => closed)).toHaveLength(8))
  gate.resolve()
  const answer = await ask(500)
  expect(answer.statusCode).toBe(200)
  answer.destroy()
})

test('campaign ids that resolve to more creatives than an answer is built of are refused', async () => {
  const other = await makers(service).task()
  await fill(other.id, creatives + 1, mostCreatives + 1)
  await service.rows(
    `insert into launches (id, ad_id, launched_at, task_id) values (gen_random_uuid(), $1, now_ms(), $2)`,
    [adId, other.id],
  )
  expect(faults(await doors(service).postLookup({ ad_ids: [adId] }))).toEqual(['value_error body.ad_ids'])
})

test('the number of creatives in packs bounds what is read, except in deleted packs', async () => {
  const [large, deleted] = [await makers(service).task(), await makers(service).task()]
  const [ofLarge, ofDeleted, own] = [freshAdId(), freshAdId(), freshAdId()]
  const launched = `insert into launches (id, ad_id, launched_at, task_id) values (gen_random_uuid(), $1, now_ms(), $2)`
  for (const [id, of] of [
    [ofLarge, large],
    [ofDeleted, deleted],
    [own, task],
  ] as const)
    await service.rows(launched, [id, of.id])
  await service.del(`/api/v1/tasks/${deleted.id}`)
  await service.rows('update tasks set creatives_total = $1 where id = any($2::uuid[])', [
    mostCreatives,
    [large.id, deleted.id],
  ])
  await service.rows('update tasks set creatives_total = $1 where id = $2', [creatives, task.id])
  expect(faults(await doors(service).postLookup({ ad_ids: [own, ofLarge] }))).toEqual(['value_error body.ad_ids'])
  const both = await doors(service).postLookup({ names: ['any'], ad_ids: [own, ofLarge] })
  expect(faults(both)).toEqual(['value_error body.names', 'value_error body.ad_ids'])
  const rows = await doors(service).lookup({ ad_ids: [own, ofDeleted] })
  expect(rows.map((row) => row.creatives.length)).toEqual([creatives, 0])
})

test('campaign ids or names whose creatives have too large texts together are refused', async () => {
  const [packs, singles] = [
    [freshAdId(), freshAdId()],
    ['Large text 1', 'Large text 2'],
  ]
  for (const [place, ad_id] of packs.entries()) {
    const { task: pack } = await makers(service).taskWith([singles[place] ?? ''])
    await doors(service).packs({ task_id: pack.id, ad_id })
  }
  await service.rows('update creatives set landing = to_jsonb(repeat($1, $2::integer)) where name = any($3::text[])', [
    ...['x', (mostMegabytes / 2) * megabyte],
    singles,
  ])
  expect(faults(await doors(service).postLookup({ ad_ids: packs }))).toEqual(['value_error body.ad_ids'])
  expect(faults(await doors(service).postLookup({ names: singles }))).toEqual(['value_error body.names'])
  await service.rows('update creatives set landing = null where name = any($1::text[])', [singles])
})
