// Facts about repeated writes: one whose answer was lost is repeated under its key, and every other one has a key of its own.
import { expect, test } from 'vitest'
import { CallError } from './calls.ts'
import { createClient } from './client.ts'
import { createRepeats } from './repeats.ts'

/**
 * Makes a client whose requests are answered with the statuses in `answers`, in their order; `lost` stands for a request that fails
 * without an answer. Returns the client, a function that sends a comment, and a list of the keys that the requests had.
 */
function clientOf(answers: readonly (number | 'lost')[], now: () => number = () => 0) {
  const keys: (string | null)[] = []
  const client = createClient({
    url: 'http://localhost',
    token: 'secret',
    repeats: createRepeats(now),
    fetch: async (_, init) => {
      const answer = answers[keys.length] ?? 200
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      if (answer === 'lost') throw new TypeError('fetch failed')
      return new Response(answer === 200 ? '{"data":{}}' : '{"code":"not_found","detail":"no"}', { status: answer })
    },
  })
  const comment = (text: string, key?: string) =>
    client
      .call('createComment', {
        params: { task_id: '7' },
        body: { text },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      })
      .catch((error: unknown) => error)
  return { client, comment, keys }
}

const distinct = (keys: readonly (string | null)[]): number => new Set(keys).size

test('a write whose answer was lost is repeated under its key, as often as it is lost', async () => {
  const { comment, keys } = clientOf(['lost', 502, 500, 200])
  for (let turn = 0; turn < 5; turn++) await comment('warmer')
  expect(distinct(keys.slice(0, 4))).toBe(1)
  expect(keys[4]).not.toBe(keys[3])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('equal writes that were answered are acts of their own, also if they were refused', async () => {
  const { comment, keys } = clientOf([200, 404, 422])
  for (let turn = 0; turn < 4; turn++) await comment('warmer')
  expect(distinct(keys)).toBe(4)
})

test('of several equal writes at once, each has its own key, and so has each repetition', async () => {
  const { comment, keys } = clientOf(['lost', 'lost', 'lost'])
  for (let turn = 0; turn < 2; turn++) await Promise.all([comment('a'), comment('a'), comment('a')])
  expect(distinct(keys.slice(0, 3))).toBe(3)
  expect(keys.slice(3).toSorted()).toEqual(keys.slice(0, 3).toSorted())
})

test('another text, another record, and the same after more than five minutes are other acts', async () => {
  let now = 0
  const { comment, keys, client } = clientOf(['lost', 'lost', 'lost', 'lost'], () => now)
  await comment('warmer')
  await comment('colder')
  await client.call('createComment', { params: { task_id: '8' }, body: { text: 'warmer' } }).catch(() => undefined)
  now = 5 * 60_000
  await comment('warmer')
  expect(distinct(keys)).toBe(4)
})

test('a call with a key keeps it, and routes that take none are sent none', async () => {
  const { comment, keys, client } = clientOf(['lost'])
  await comment('warmer', 'mine')
  await comment('warmer', 'mine')
  await client.call('getTask', { params: { task_id: '7' } })
  expect(keys).toEqual(['mine', 'mine', null])
})

test('a bulk change has no key, as its answer is large; a bulk move has one, as automations would start once more', async () => {
  const { keys, client } = clientOf(['lost', 200, 'lost', 200])
  const send = (patch: { priority: number } | { status: 'done' }) =>
    client.call('bulkPatchTasks', { body: { ids: ['7'], patch } }).catch(() => undefined)
  for (let turn = 0; turn < 2; turn++) await send({ priority: 1 })
  for (let turn = 0; turn < 2; turn++) await send({ status: 'done' })
  expect(keys.slice(0, 2)).toEqual([null, null])
  expect(keys[2]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[3]).toBe(keys[2])
})

test('what was refused stays refused with its words', async () => {
  const { comment } = clientOf([404])
  expect(await comment('warmer')).toBeInstanceOf(CallError)
})
