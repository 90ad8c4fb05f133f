// Facts about concurrent runs: no run keeps another waiting, and providers get no more calls than they accept.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let provider: ReturnType<typeof createProvider>
let service: Service
beforeAll(async () => {
  provider = createProvider()
  service = await startService({ ATELIER_PROVIDER_LIMITS: 'test.paid=12,test.safe=2' }, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterEach(async () => {
  provider.release()
  await service.rows(`update providers set closed_until = null`)
})
afterAll(() => service.close())

/** A definition in which one node runs over `count` rows. */
const rows = (type: string, label: string, count: number) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: Array.from({ length: count }, (_, row) => `${label} ${row}`) } },
      each: { type, each: ['prompt'] },
    },
    `list.list > each.prompt`,
  )
const start = (definition: object) => makeRun(service, definition, { execute: true })
const entriesOf = async (id: string) =>
  (await service.rows('select distinct outcome from credit_entries where run_id = $1', [id])).map(
    ({ outcome }) => outcome,
  )

test('a run of free nodes ends while a large run of paid ones waits for its provider', async () => {
  provider.hold()
  const large = await start(rows('test.paid', 'large', 60))
  await eventually(() => expect(provider.waiting()).toBe(11))
  const small = await start(rows('text.template', 'small', 3))
  await untilStatus(service, small.id, 'succeeded')
  expect((await readRun(service, large.id)).status).toBe('running')
  // One of the twelve slots is kept free for runs with few calls.
  expect(provider.waiting()).toBe(11)
  const paid = await start(rows('test.paid', 'paid', 1))
  await eventually(() => expect(provider.waiting()).toBe(12))
  provider.release()
  expect(await untilStatus(service, large.id, 'succeeded')).toMatchObject({ credits_total: 120 })
  await untilStatus(service, paid.id, 'succeeded')
})

describe('calls that wait for another attempt', () => {
  const overloaded = (busy: boolean) => () =>
    new NodeFailure('It is overloaded.', { again: { afterSeconds: 50, busy } })
  const untilAllWait = (id: string) =>
    eventually(async () => {
      const items = Object.values<{ message: string | null }>((await readRun(service, id)).nodes.each?.items ?? {})
      expect(items.filter((item) => item.message?.includes('Trying again in 50 s'))).toHaveLength(40)
    })

  test('hold up neither other runs nor other calls of the same provider; a cancel then books nothing as unknown', async () => {
    provider.failOn('overloaded', Number.POSITIVE_INFINITY, overloaded(false))
    const waiting = await start(rows('test.paid', 'overloaded', 40))
    await untilAllWait(waiting.id)
    const other = await start(rows('test.paid', 'other', 2))
    await untilStatus(service, other.id, 'succeeded')

    await service.post(`/api/v1/runs/${waiting.id}/cancel`)
    expect(await untilStatus(service, waiting.id, 'cancelled')).toMatchObject({ credits_total: 0 })
    expect(await entriesOf(waiting.id)).toEqual(['free'])
  })

  test('leave a provider alone that takes no calls at all, and hold up no other run', async () => {
    provider.failOn('closed', Number.POSITIVE_INFINITY, overloaded(true))
    const before = provider.calls.length
    const waiting = await start(rows('test.safe', 'closed', 40))
    await eventually(async () =>
      expect(await service.rows('select 1 from providers where closed_until > now()')).toHaveLength(1),
    )
    const other = await start(rows('test.paid', 'beside', 2))
    await untilStatus(service, other.id, 'succeeded')
    const asked = provider.calls.slice(before).filter(({ prompt }) => prompt.startsWith('closed'))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(2)
    await service.post(`/api/v1/runs/${waiting.id}/cancel`)
    await untilStatus(service, waiting.id, 'cancelled')
    expect(await entriesOf(waiting.id)).toEqual(['free'])
  })
})
