// Facts about how a run reads the cache: when it does this itself before it claims a cache key, when it leaves this to the claim, and
// how much it reads at a time.
import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshUnit, type UnitState } from '../../src/engine/model/units.ts'
import { findCached, readLimit } from '../../src/engine/store/cache.ts'
import { type Admission, admit, takeKeys } from '../../src/engine/work/admission.ts'
import { createOutputLookup } from '../../src/engine/work/output-lookup.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, runThrough, statusesOf } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

const kept = { outputs: { text: 'kept' }, message: null }
const keep = (key: string) =>
  service.rows(
    `insert into node_cache (key, type, outputs, bytes, credits) values ($1, 'test.paid', '{"text":"kept"}', 15, 2)`,
    [key],
  )

test('alone, a unit that comes after a look for nothing is not looked for, until a claim finds something', async () => {
  const lookup = createOutputLookup(service.database, [])
  const find = (key: string, isAlone: boolean) => lookup.find({ node: 'n', item: '' }, key, isAlone)
  await keep('first')
  expect(await find('first', true)).toEqual(kept) // the cache is read, because no earlier lookup has missed
  expect(await find('missing', true)).toBeUndefined()
  await keep('second')
  expect(await find('second', true)).toBeUndefined()
  expect(await find('second', false)).toEqual(kept)
  expect(await find('missing', false)).toBeUndefined()
  await find('second', true)
  await lookup.noteClaim('second', true)
  expect(await find('second', true)).toEqual(kept)
})

test('what another run has made in the middle of a chain is served, and paid for once', async () => {
  const chain = (first: string) =>
    definitionOf(
      {
        first: { type: 'test.paid', inputs: { prompt: first } },
        same: { type: 'text.template', params: { template: 'the same in both' } },
        second: { type: 'test.paid' },
        third: { type: 'test.paid', params: { suffix: ', third' } },
        fourth: { type: 'test.paid', params: { suffix: ', fourth' } },
      },
      'first.text > same.x',
      'same.text > second.prompt',
      'second.text > third.prompt',
      'third.text > fourth.prompt',
    )
  const run = async (first: string) => runThrough(service, (await makeRun(service, chain(first))).id)
  expect(await run('one')).toMatchObject({ status: 'succeeded', credits_consumed: 8 })
  const other = await run('other')
  expect(statusesOf(other)).toEqual({
    ...{ first: 'succeeded', same: 'succeeded', second: 'cached', third: 'cached', fourth: 'cached' },
  })
  expect(other).toMatchObject({ credits_consumed: 2 })
  expect(provider.calls.filter(({ prompt }) => prompt.startsWith('the same'))).toHaveLength(3)
  expect(await service.rows('select key from cache_claims')).toEqual([])
})

/** Caches outputs with a text of so many bytes. */
const keepLong = (key: string, bytes: number) =>
  service.rows(
    `insert into node_cache (key, type, outputs, bytes, credits)
    values ($1, 'test.paid', json_build_object('text', repeat('x', $2::int)), $2, 2)`,
    [key, bytes],
  )

test('large results are read in parts, of which none has more than the limit or one result', async () => {
  const keys = ['large/1', 'large/2', 'large/3', 'large/4', 'larger', 'small/1', 'small/2']
  for (const key of keys) await keepLong(key, key === 'larger' ? 1700 : key.startsWith('large') ? 600 : 100)
  const parts: string[][] = []
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const read = result.rows.filter(({ outputs }) => outputs)
      if (read.length > 0) parts.push(read.map(({ key }) => String(key)))
      return result
    },
  }
  const { database } = service
  const lookup = createOutputLookup({ ...database, main: database.main.withPlugin(watching) }, [], null, 1500)
  const asked = [...keys, 'not there', 'small/2']
  const found = await Promise.all(asked.map((key) => lookup.find({ node: 'n', item: '' }, key)))
  expect(found.map((result) => String(result?.outputs.text ?? '').length)).toEqual([
    ...[600, 600, 600, 600, 1700, 100, 100, 0, 100],
  ])
  expect(parts).toEqual([['large/1', 'large/2'], ['large/3', 'large/4'], ['larger'], ['small/1', 'small/2']])
})

test('large results that are read later count as used from the first part on, so that none is evicted before', async () => {
  const keys = ['evictable/1', 'evictable/2', 'evictable/3']
  for (const key of keys) await keepLong(key, 600)
  await service.rows(`update node_cache set used_at = used_at - interval '1 day' where key like 'evictable%'`)
  const lookup = createOutputLookup(service.database, [], null, 700)
  const [first, ...others] = keys.map((key) => lookup.find({ node: 'n', item: '' }, key))
  await first
  const old = await service.rows(
    `select from node_cache where key like 'evictable%' and used_at < now() - interval '1 hour'`,
  )
  expect(old).toEqual([])
  await Promise.all(others)
})

test('a look-up reads one result even if it is larger than the limit, and says how large the others are', async () => {
  for (const key of ['first of two', 'second of two']) await keepLong(key, 100)
  const { found, unread } = await findCached(service.database.main, ['first of two', 'second of two'], 10)
  expect([...found.keys()]).toEqual(['first of two'])
  expect(unread).toEqual([{ key: 'second of two', bytes: 100 + '{"text" : ""}'.length }])
})

test('of large results that were cached just before a claim, those that are not read are left to the next look-up', async () => {
  const keys = ['claimed/1', 'claimed/2', 'claimed/3']
  for (const key of keys.slice(0, 2)) await keepLong(key, readLimit / 2 + 1)
  const runLease = { runId: randomUUID(), generation: 1, lease: 1 }
  const asked = keys.map((key): Admission => {
    const unit: UnitState = { ...freshUnit({ node: 'n', item: key }), status: 'running' }
    return { unit, key, intent: null, admitted: { kind: 'unbounded' } }
  })
  await service.database.tx(async (tx) => {
    const taken = await takeKeys(tx, runLease, asked, new Map())
    await admit(tx, runLease, asked, { ...taken, verdicts: new Map() })
  })
  expect(asked.map(({ admitted }) => admitted.kind)).toEqual(['known', 'held', 'call'])
  const claims = await service.rows('select key from cache_claims where run_id = $1', [runLease.runId])
  expect(claims).toEqual([{ key: 'claimed/3' }])
})
