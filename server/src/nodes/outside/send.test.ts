// Facts about requests to outside services: they are limited, and failures that may cost money are distinguished from others.
import { expect, test } from 'vitest'
import { failure } from '../../../test/support/nodes.ts'
import { breakOff, hangUp, json, redirect, silence, startOutside, text } from '../../../test/support/outside.ts'
import { trustedAgent } from './guard.ts'
import { type Order, retryAfter, send } from './send.ts'

const order = (url: string, changes: Partial<Order> = {}): Order => ({
  ...{ url, agent: trustedAgent(), limit: 10_000, who: 'The shop', hasEffect: false },
  signal: new AbortController().signal,
  ...changes,
})

test('the whole answer is given, whatever its status', async () => {
  const { url } = await startOutside(json({ a: 1 }, 418, { 'x-one': 'two' }))
  expect(await send(order(url))).toMatchObject({
    status: 418,
    headers: { 'x-one': 'two' },
    body: Buffer.from('{"a":1}'),
  })
})

test('where nobody listens nothing was done, and it may be tried again', async () => {
  expect(await failure(send(order('http://127.0.0.1:1', { hasEffect: true })))).toMatchObject({
    message: 'The shop cannot be reached (ECONNREFUSED).',
    outcome: 'none',
    again: { afterSeconds: 10 },
  })
})

test.for([
  ['hangs up after the request', hangUp],
  ['hangs up in its answer', breakOff],
] as const)('one that %s may have done its work', async ([, answer]) => {
  const { url } = await startOutside(answer)
  expect(await failure(send(order(url, { hasEffect: true, method: 'POST', body: '{}' })))).toMatchObject({
    outcome: 'unknown',
    again: null,
  })
  expect(await failure(send(order(url)))).toMatchObject({ outcome: 'none', again: { afterSeconds: 5 } })
})

test('an aborted call ends at once', async () => {
  const outside = await startOutside(silence)
  const stop = new AbortController()
  const call = send(order(outside.url, { signal: stop.signal, hasEffect: true }))
  await expect.poll(() => outside.seen.length).toBe(1)
  stop.abort()
  expect(await failure(call)).toMatchObject({
    message: expect.stringMatching(/stopped while it was under way/),
    outcome: 'unknown',
  })
})

test('one that takes too long is left', async () => {
  const { url } = await startOutside(silence)
  expect(await failure(send(order(url, { signal: AbortSignal.timeout(50) })))).toMatchObject({
    message: 'The shop did not answer in time (TIMEOUT).',
    again: { afterSeconds: 5 },
  })
})

test('an answer larger than the limit is not taken', async () => {
  const { url } = await startOutside(text('x'.repeat(10_001)))
  expect((await failure(send(order(url)))).message).toMatch(/more than 10 kB/)
})

test('redirects are followed as far as is allowed, and leave credentials behind at another origin', async () => {
  const last = await startOutside(text('here'))
  const first = await startOutside(redirect('/next'), redirect(`${last.url}/end`))
  const headers = { authorization: 'Bearer secret', accept: 'text/plain' }
  expect((await send(order(first.url, { redirects: 2, headers }))).body.toString()).toBe('here')
  expect(first.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret'])
  expect(last.seen[0]?.headers).toMatchObject({ accept: 'text/plain' })
  expect(last.seen[0]?.headers.authorization).toBeUndefined()
  const ring = await startOutside(redirect('/'))
  expect((await failure(send(order(ring.url, { redirects: 3 })))).message).toMatch(/too often/)
  expect(ring.seen).toHaveLength(4)
})

test('a redirect to what is no web address is refused', async () => {
  const { url } = await startOutside(redirect('file:///etc/passwd'))
  expect((await failure(send(order(url, { redirects: 3 })))).message).toMatch(/no web address/)
})

test.for([
  [undefined, 20],
  ['7', 7],
  ['0', 1],
  ['999999', 3600],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 30],
  ['soon', 20],
] as const)('Retry-After %j is %i seconds', ([value, seconds]) => {
  expect(retryAfter(value === undefined ? {} : { 'retry-after': value }, 20, 0)).toBe(seconds)
})
