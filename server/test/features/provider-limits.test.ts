// Facts about the limits of providers across several processes, each with its own slots on the same database.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProviderCalls } from '../../src/engine/work/provider-calls.ts'
import { createSlots, type Slot } from '../../src/engine/work/slots.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { parseProviderLimits } from '../../src/platform/provider-limits.ts'
import { eventually } from '../support/eventually.ts'
import { type Opened, openTestDatabase, rowsOf } from '../support/harness.ts'

let opened: Opened
let rows: ReturnType<typeof rowsOf>
/** Number of the provider's host in the current test: each test uses another host. */
let host = 0
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  opened = await openTestDatabase()
  rows = rowsOf(opened.database)
})
beforeEach(() => {
  host += 1
})
afterAll(async () => {
  for (const end of ends) await end()
  await opened.database.close()
  await opened.drop()
})

/** Simulates a process that calls a provider; `held`: the slots of its open calls. `isDeaf`: others cannot notify the process. */
async function startProcess(limit: string, isDeaf = false) {
  const limits = parseProviderLimits(`host${host}=${limit}`)
  const log = createLog('silent')
  // Each process needs a separate handle, because one handle has only one listener.
  const own = opened.url === null ? null : openDatabase(postgresEngine(opened.url, { connections: 2, log }))
  if (own !== null) ends.push(own.close)
  const providers = createProviderCalls({ database: own ?? opened.database, log, limits })
  if (!isDeaf) await providers.start()
  const slots = createSlots(1, providers)
  const held: Slot[] = []
  let begun = 0
  const caller = { run: 'run', type: { type: 'paid', concurrency: 1 }, provider: `host${host}/v1:model` }
  const want = (count: number): void => {
    for (let call = 0; call < count; call++) {
      void slots.acquire(caller, new AbortController().signal).then((slot) => {
        begun += 1
        held.push(slot)
      })
    }
  }
  return { held, begun: () => begun, want, renew: providers.renew, end: () => held.shift()?.release('worked') }
}

const claims = () => rows('select holder from provider_claims where provider = $1', [`host${host}`])

test('processes have no more calls under way than the limit says, and share it', async () => {
  const [one, two] = [await startProcess('4'), await startProcess('4')]
  one.want(30)
  await eventually(() => expect(one.held).toHaveLength(4))
  two.want(30)
  let most = 0
  while (one.begun() + two.begun() < 60) {
    await eventually(() => expect(one.held.length + two.held.length).toBeGreaterThan(0))
    most = Math.max(most, one.held.length + two.held.length)
    for (const process of [one, two]) process.end()
  }
  expect(most).toBe(4)
})

test('one that wants little gets it soon, beside one that wants everything', async () => {
  const [large, small] = [await startProcess('4'), await startProcess('4')]
  large.want(30)
  await eventually(() => expect(large.held).toHaveLength(4))
  small.want(1)
  await eventually(async () => expect(await claims()).toHaveLength(2))
  await large.renew()
  large.end()
  await eventually(() => expect(small.held).toHaveLength(1))
  expect([large.held.length, large.begun()]).toEqual([3, 4])
})

test('where there is one call at a time, processes take turns', async () => {
  const [one, two] = [await startProcess('1'), await startProcess('1')]
  one.want(9)
  await eventually(() => expect(one.held).toHaveLength(1))
  two.want(9)
  await eventually(async () => expect(await claims()).toHaveLength(2))
  for (const process of [one, two, one, two]) {
    await eventually(() => expect([process.held.length, one.held.length + two.held.length]).toEqual([1, 1]))
    // In the product, `renew` is called every few seconds. From its result, the process that has the slot learns that the other
    // process gets the slot next.
    await one.renew()
    await two.renew()
    process.end()
  }
})

test('what a killed process held comes back', async () => {
  const [killed, other] = [await startProcess('4', true), await startProcess('4')]
  killed.want(9)
  await eventually(() => expect(killed.held).toHaveLength(4))
  other.want(4)
  await eventually(async () => expect(await claims()).toHaveLength(2))
  expect(other.held).toHaveLength(0)
  await rows(`update provider_claims set seen_at = seen_at - interval '20 s' where granted > 0`)
  await other.renew()
  await eventually(() => expect(other.held).toHaveLength(4))
})

test('a process that ends its last call holds nothing', async () => {
  const process = await startProcess('4')
  process.want(2)
  await eventually(() => expect(process.held).toHaveLength(2))
  process.end()
  process.end()
  await process.renew()
  expect(await claims()).toEqual([])
})

test('no more calls are begun in a minute than the limit says, by all processes together', async () => {
  const [one, two] = [await startProcess('100/20'), await startProcess('100/20')]
  one.want(30)
  two.want(30)
  // A full bucket allows 2 of the 20 calls per minute at once; then one more call about every three seconds.
  await eventually(() => expect(one.begun() + two.begun()).toBe(2))
  await one.renew()
  await two.renew()
  expect(one.begun() + two.begun()).toBe(2)
  await rows(`update providers set filled_at = filled_at - interval '4 s'`)
  await one.renew()
  await two.renew()
  await eventually(() => expect(one.begun() + two.begun()).toBe(3))
  while (one.held.length + two.held.length > 0) for (const process of [one, two]) process.end()
  await rows(`update providers set filled_at = filled_at - interval '1 minute'`)
  await two.renew()
  await one.renew()
  await eventually(() => expect(one.begun() + two.begun()).toBe(5))
})

test('no more calls are begun in a minute after the clock of the database was set back', async () => {
  const process = await startProcess('100/20')
  process.want(30)
  await eventually(() => expect(process.begun()).toBe(2))
  await rows(`update providers set filled_at = filled_at + interval '1 hour' where name = $1`, [`host${host}`])
  await process.renew()
  await process.renew()
  expect(process.begun()).toBe(2)
  // From here on time is counted by the new time: the next call does not wait until the hour has passed.
  await rows(`update providers set filled_at = filled_at - interval '4 s' where name = $1`, [`host${host}`])
  await process.renew()
  await eventually(() => expect(process.begun()).toBe(3))
})

test('no more calls are begun in a minute where calls begin while they are given back', async () => {
  const [one, two] = [await startProcess('100/20'), await startProcess('100/20')]
  one.want(2)
  await eventually(() => expect(one.held).toHaveLength(2))
  for (const slot of one.held.splice(0)) slot.release('unused')
  const givingBack = one.renew()
  one.want(2)
  await eventually(() => expect(one.held).toHaveLength(2))
  await givingBack
  two.want(2)
  await eventually(() => expect(two.held).toHaveLength(2))
  one.want(30)
  await one.renew()
  await one.renew()
  expect(one.begun() + two.begun()).toBe(6) // 4 calls, and the 2 slots that were released without a call
})

test('a provider that refuses calls for being too many is left alone by all processes, then tried one by one', async () => {
  const [one, two] = [await startProcess('4'), await startProcess('4')]
  one.want(4)
  await eventually(() => expect(one.held).toHaveLength(4))
  one.held[0]?.close(60)
  await eventually(async () =>
    expect(
      await rows('select 1 from providers where closed_until > now() and name = $1', [`host${host}`]),
    ).toHaveLength(1),
  )
  for (const slot of one.held.splice(0)) slot.release('failed')
  two.want(4)
  one.want(4)
  await two.renew()
  await one.renew()
  expect([one.begun(), two.begun()]).toEqual([4, 0])
})
