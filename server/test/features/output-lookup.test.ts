// Facts about when a run reads the cache itself before it claims a cache key, and when it leaves this to the claim.
import { afterAll, beforeAll, expect, test } from 'vitest'
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
