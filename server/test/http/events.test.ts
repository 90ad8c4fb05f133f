// Facts about live events: changes by others arrive soon, once, and only while the receiver may see the record.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'
import { watchEvents } from '../support/watch.ts'

let service: Service
let base: string
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
  base = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

const watch = (token = service.owner.token, url = base, ageMs?: number) => watchEvents(url, token, ageMs)

test('a task that somebody changes is told, with what hangs on it', async () => {
  const watching = await watch()
  const task = await makers(service).task()
  const creative = await makers(service).creative(task.id)
  await expect.poll(() => watching.seen).toContain(`task/${task.id}`)
  await expect.poll(() => watching.seen).toContain(`creative/${creative.id}`)
  watching.close()
})

test('a comment that is deleted is told, though the answer says nothing', async () => {
  const watching = await watch()
  const { data } = await service.post(`/api/v1/tasks/${(await makers(service).task()).id}/comments`, { text: 'Oops' })
  await expect.poll(() => watching.seen).toContain(`comment/${data.id}`)
  const before = watching.text().length
  await service.del(`/api/v1/comments/${data.id}`)
  await expect.poll(() => watching.text().slice(before)).toContain(data.id)
  watching.close()
})

test('a read and a refused write are told to nobody', async () => {
  const watching = await watch()
  const task = await makers(service).task()
  await expect.poll(() => watching.seen).toContain(`task/${task.id}`)
  await service.get(`/api/v1/tasks/${task.id}`)
  await service.patch(`/api/v1/tasks/${task.id}`, { priority: 99 })
  const last = await makers(service).task()
  await expect.poll(() => watching.seen).toContain(`task/${last.id}`)
  expect(watching.seen.filter((change) => change === `task/${task.id}`)).toHaveLength(1)
  watching.close()
})

test('a run is told while it goes on and when it ends, but not for every item', async () => {
  const watching = await watch()
  const definition = definitionOf({
    copy: { type: 'test.paid', inputs: { prompt: Array(200).fill('told') }, each: ['prompt'] },
  })
  const { id } = await makeRun(service, definition)
  const run = await runThrough(service, id)
  expect(run.status).toBe('succeeded')
  await expect.poll(() => watching.seen).toContain(`run/${id}`)
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.created_at)) / 1000
  expect(watching.seen.filter((change) => change === `run/${id}`).length).toBeLessThanOrEqual(
    5 * Math.ceil(seconds) + 5,
  )
  watching.close()
})

test('what another process does arrives as well', async () => {
  const other = await service.another()
  const watching = await watch()
  const task = await makers(other).task()
  await expect.poll(() => watching.seen).toContain(`task/${task.id}`)
  watching.close()
  await other.close()
})

test('who says how old what they show is, is first told what changed since', async () => {
  const announced = await watch()
  const task = await makers(service).task()
  await expect.poll(() => announced.seen).toContain(`task/${task.id}`)
  const since = await watch(service.owner.token, base, 1_000_000)
  await expect.poll(() => since.text()).toContain('event: missed')
  expect(since.seen).toEqual([])

  const began = performance.now()
  const later = await makers(service).task()
  await expect.poll(() => announced.seen).toContain(`task/${later.id}`)
  const second = await watch(service.owner.token, base, Math.ceil(performance.now() - began))
  await expect.poll(() => second.seen).toContain(`task/${later.id}`)
  expect(second.text()).not.toContain('event: missed')

  const third = await watch()
  const last = await makers(service).task()
  await expect.poll(() => third.seen).toContain(`task/${last.id}`)
  expect(third.seen).not.toContain(`task/${later.id}`)
  for (const watching of [announced, since, second, third]) watching.close()
})

test('an age that is no number of milliseconds is refused', async () => {
  for (const age of ['-1', '1.5', 'old', '86400001']) {
    const { status, body } = await service.get(`/api/v1/events?age_ms=${age}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'age_ms']])
  }
})

test('HEAD is answered at once, and watches nothing', async () => {
  const headers = { authorization: `Bearer ${service.owner.token}` }
  const answer = await fetch(`${base}/api/v1/events`, { method: 'HEAD', headers, signal: AbortSignal.timeout(20_000) })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
})

test('needs a token that may read', async () => {
  expect((await fetch(`${base}/api/v1/events`)).status).toBe(401)
  const { token } = await service.integration(['launches:write'])
  const refused = await fetch(`${base}/api/v1/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(refused.status).toBe(403)
})

test('a process that stops ends its streams instead of waiting for them', async () => {
  const other = await service.another()
  const url = await other.app.server.listen({ host: '127.0.0.1', port: 0 })
  const watching = await watch(service.owner.token, url)
  await other.close()
  await watching.ended
  expect(watching.text()).toContain('retry: 2000')
})

describe('without waiting for its regular check, a stream ends', () => {
  /** Opens a stream whose check of every 15 seconds never comes. */
  const watchUnchecked = async (token: string, url = base) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      return await watch(token, url)
    } finally {
      vi.useRealTimers()
    }
  }
  const issue = async (members: Record<string, unknown> = {}) =>
    (await service.post('/api/v1/tokens', { name: 'Screen', scopes: ['read'], user_id: service.owner.id, ...members }))
      .data

  test('when its token is revoked; those of other tokens go on', async () => {
    const { id, token } = await issue()
    const [ends, stays] = [await watchUnchecked(token), await watchUnchecked((await issue()).token)]
    await service.del(`/api/v1/tokens/${id}`)
    await ends.ended
    const task = await makers(service).task()
    await expect.poll(() => stays.seen).toContain(`task/${task.id}`)
    expect(ends.seen).not.toContain(`task/${task.id}`)
    stays.close()
  })

  test('when its person is deactivated, also in another process', async () => {
    const other = await service.another()
    const url = await other.app.server.listen({ host: '127.0.0.1', port: 0 })
    const { id, token } = await service.person('writer')
    const watching = [await watchUnchecked(token), await watchUnchecked(token, url)]
    await service.patch(`/api/v1/users/${id}`, { active: false })
    for (const { ended } of watching) await expect(ended).resolves.toBeUndefined()
    await other.close()
  })

  test('when its token expires', async () => {
    const { token } = await issue({ expires_at: new Date(Date.now() + 1000).toISOString() })
    const { ended } = await watchUnchecked(token)
    await expect(ended).resolves.toBeUndefined()
  })

  test('when changes of access come one after the other, and the last is its own', async () => {
    const { id, token } = await issue()
    const watching = await watchUnchecked(token)
    const others = await Promise.all(Array.from({ length: 10 }, () => issue()))
    await Promise.all([...others.map((one) => one.id), id].map((one) => service.del(`/api/v1/tokens/${one}`)))
    await expect(watching.ended).resolves.toBeUndefined()
  })
})
