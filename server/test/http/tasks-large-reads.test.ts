// Facts about reading tasks at their maximum size: a few at the same time, so that others always find a connection to the database.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { largeReadsAtOnce } from '../../src/features/tasks/large-reads.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
let url: string
let [large, small]: Body[] = []
beforeAll(async () => {
  service = await startService()
  const variants = Array.from({ length: 100 }, (_, at) => ({ key: `${at}`, variation_num: at + 1 }))
  large = await makers(service).task({ variants, count: 100, subject: 'x'.repeat(40) })
  small = await makers(service).task()
  url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())
let open = (): void => undefined
afterEach(() => {
  open()
  vi.restoreAllMocks()
})

const readsRecord = (sql: string): boolean => sql.includes('kept: task_record_in_retention')

/** Counts the reads of whole records, and lets them wait until `open` is called. */
function holdReads(): { begun: number } {
  const gate = Promise.withResolvers<void>()
  open = gate.resolve
  const held = { begun: 0 }
  const executor = service.database.main.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  vi.spyOn(executor, 'executeQuery').mockImplementation(async (query, ...rest) => {
    if (readsRecord(query.sql)) {
      held.begun++
      await gate.promise
    }
    return execute(query, ...rest)
  })
  return held
}

/** The statements that are sent while `work` is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent = vi.spyOn(service.database.main.getExecutor(), 'executeQuery')
  await work()
  return sent.mock.calls.map(([{ sql }]) => sql)
}

const pathOf = ({ id }: Body): string => `/api/v1/tasks/${id}`

const begin = (path: string): ClientRequest =>
  request(`${url}${path}`, { headers: { authorization: `Bearer ${service.owner.token}` } }).end()

test('of requests for a large task a few are answered at the same time; one for a small task does not wait for them', async () => {
  const reads = holdReads()
  const asked = Array.from({ length: largeReadsAtOnce + 3 }, () => service.get(pathOf(large)))
  await eventually(() => expect(reads.begun).toBe(largeReadsAtOnce))
  const other = await service.get(pathOf(small))
  expect([other.data.id, reads.begun]).toEqual([small.id, largeReadsAtOnce])
  open()
  for (const { status, data } of await Promise.all(asked)) {
    expect([status, data.id, data.planned_creative_names.length]).toEqual([200, large.id, 10_000])
  }
})

test('a caller who hangs up while the task is read keeps the turn until the read is over', async () => {
  const responses: ServerResponse[] = []
  const note = (_request: IncomingMessage, response: ServerResponse) => void responses.push(response)
  service.app.server.server.on('request', note)
  const reads = holdReads()
  const left = Array.from({ length: largeReadsAtOnce }, () => begin(pathOf(large)).on('error', () => undefined))
  await eventually(() => expect(reads.begun).toBe(largeReadsAtOnce))
  for (const one of left) one.destroy()
  await eventually(() => expect(responses.filter(({ closed }) => closed)).toHaveLength(largeReadsAtOnce))
  service.app.server.server.off('request', note)
  const asked = service.get(pathOf(large))
  await service.get(pathOf(small))
  expect(reads.begun).toBe(largeReadsAtOnce)
  open()
  expect((await asked).status).toBe(200)
})

test('a task with many creatives waits for a turn only if they are to be included', async () => {
  await service.rows('update tasks set creatives_total = 5000 where id = $1', [small.id])
  const alone = await statementsOf(() => service.get(pathOf(small)))
  const included = await statementsOf(() => service.get(`${pathOf(small)}?included=true`))
  await service.rows('update tasks set creatives_total = 0 where id = $1', [small.id])
  expect([alone.some(readsRecord), included.some(readsRecord)]).toEqual([false, true])
})

test('a task of the usual size is read by one statement', async () => {
  const sent = await statementsOf(() => service.get(pathOf(small)))
  expect(sent.filter((sql) => sql.includes('from tasks t'))).toHaveLength(1)
})

test.each(['activity', 'creatives'])('the %s of a large task are listed without reading the task', async (list) => {
  const sent = await statementsOf(() => service.get(`${pathOf(large)}/${list}`))
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((sql) => sql.includes('planned_creative_names'))).toEqual([])
})

test('the next large task is read as soon as one has been sent', async () => {
  for (let nth = 0; nth < largeReadsAtOnce * 2; nth++) {
    const [answer]: IncomingMessage[] = await once(begin(pathOf(large)), 'response')
    await answer?.resume().toArray()
    expect(answer?.statusCode).toBe(200)
  }
})
