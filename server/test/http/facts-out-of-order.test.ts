// Facts about acts that meet in an unusual order: messages of the identity provider, and changes of what a run or an export uses.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Reply, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import {
  memberMessage,
  ourOrganization,
  peopleOf,
  sendMessage,
  userDeletedMessage,
  userMessage,
  webhookSecret,
} from '../support/provider.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let other: Service
let make: ReturnType<typeof makers>
const provider = createProvider()
beforeAll(async () => {
  const settings = { ATELIER_WEBHOOK_SECRETS: webhookSecret, ATELIER_ORGANIZATION: ourOrganization }
  service = await startService(settings, undefined, testNodes(provider))
  other = await service.another(testNodes(provider))
  make = makers(service)
  await service.app.worker.start()
})
afterEach(() => provider.release())
afterAll(async () => {
  await other.close()
  await service.close()
})

const statuses = (answers: readonly Reply[]) => answers.map(({ status }) => status)
const picture = definitionOf({
  image: { type: 'sample.image', params: { width: 64, height: 64 }, inputs: { prompt: 'a' } },
})

test('a person who was deleted before they were created has no access, whatever comes later', async () => {
  expect((await sendMessage(service, userDeletedMessage('early', 5))).status).toBe(204)
  expect(await peopleOf(service, 'early')).toEqual([])
  await sendMessage(service, userMessage('early', 1, 'Ada', 'created'))
  await sendMessage(service, memberMessage('m_early', 'early', 'org:admin', 9))
  expect(await peopleOf(service, 'early')).toMatchObject([{ active: false }])
})

test('of two renames whose times are swapped, the later one by its own time stays', async () => {
  await sendMessage(service, userMessage('renamed', 1))
  await sendMessage(service, userMessage('renamed', 9, 'Later'))
  await sendMessage(service, userMessage('renamed', 5, 'Earlier'))
  expect(await peopleOf(service, 'renamed')).toMatchObject([{ name: 'Later Lovelace' }])
})

test('the same message from many senders at once is applied once, and each is answered 204', async () => {
  const at = new Date()
  const senders = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? service : other))
  const answers = await Promise.all(
    senders.map((to) => sendMessage(to, userMessage('many', 1), { id: 'msg_of_many', at })),
  )
  expect(statuses(answers)).toEqual(answers.map(() => 204))
  expect(await peopleOf(service, 'many')).toHaveLength(1)
})

test('different messages about one new person at once make one person', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? sendMessage(service, userMessage('crowd', index + 1, `N${index}`))
        : sendMessage(other, memberMessage(`m_${index}`, 'crowd', 'org:admin', index)),
    ),
  )
  expect(statuses(answers)).toEqual(answers.map(() => 204))
  expect(await peopleOf(service, 'crowd')).toMatchObject([{ name: 'N18 Lovelace', active: true, role: 'admin' }])
})

test('a gate of somebody whose access has ended stays open, and others answer it', async () => {
  const { id: userId, token } = await service.person('writer')
  const graph = { name: 'Gated', definition: definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } }) }
  const { data: mine } = await service.post('/api/v1/graphs', graph, { token })
  const { data: run } = await service.post(`/api/v1/graphs/${mine.id}/runs`, {}, { token })
  await runThrough(service, run.id)
  await service.patch(`/api/v1/users/${userId}`, { active: false })
  const answer = { node_id: 'ok', answer: { approved: true } }
  expect((await service.post(`/api/v1/runs/${run.id}/answers`, answer, { token })).status).toBe(401)
  expect((await service.post(`/api/v1/runs/${run.id}/answers`, answer)).status).toBe(200)
  expect(await untilStatus(service, run.id, 'succeeded', 'failed')).toMatchObject({ status: 'succeeded' })
})

test('a task that is deleted and restored while runs export to it has each exported file once', async () => {
  const task = await make.task({ name: 'A card' })
  const path = `/api/v1/tasks/${task.id}`
  const runs: string[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    const { id } = await makeRun(service, picture, { pinned_task_id: task.id })
    await runThrough(service, id)
    runs.push(id)
  }
  const exports = runs.map((id, index) =>
    (index % 2 ? service : other).post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] }),
  )
  const flips: Reply[] = []
  for (let turn = 0; turn < 3; turn += 1) flips.push(await other.del(path), await service.post(`${path}/restore`))
  const answers = await Promise.all(exports)
  expect(statuses(flips)).toEqual(flips.map(() => 200))
  for (const { status } of answers) expect([200, 404, 409]).toContain(status)
  const { items } = await make.read(`${path}/creatives`)
  expect(items).toHaveLength(answers.filter(({ status }) => status === 200).length)
  for (const [index, { status }] of answers.entries()) {
    const { exported_at, exported_creatives } = await readRun(service, runs[index] ?? '')
    expect([exported_at !== null, exported_creatives.length]).toEqual([status === 200, status === 200 ? 1 : 0])
  }
})

test('a promotion beside edits of its graph and its deletion is whole or refused', async () => {
  const run = await makeRun(service, picture)
  const path = `/api/v1/graphs/${run.graph_id}`
  const mine = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, (_, turn) => [
      service.post(`/api/v1/runs/${run.id}/restore`),
      other.patch(path, { definition: mine, name: `Edited ${turn}` }),
    ]).flat(),
    other.del(path),
    service.post(`/api/v1/runs/${run.id}/restore`),
  ])
  for (const { status } of answers) expect([200, 404, 409]).toContain(status)
  expect((await service.post(`/api/v1/runs/${run.id}/restore`)).status).toBeGreaterThanOrEqual(404)
  expect((await service.post(`${path}/restore`)).status).toBe(200)
  const { definition } = await make.read(path)
  expect([JSON.stringify(run.definition), JSON.stringify(mine)].map((text) => JSON.parse(text))).toContainEqual(
    definition,
  )
})

test('a budget that is ended while a run holds money of it blocks nothing, and a new one counts what was spent', async () => {
  const { data: first } = await service.post('/api/v1/budgets', { period: 'month', amount: 40_000 })
  provider.hold()
  const { id } = await makeRun(service, definitionOf({ copy: { type: 'test.priced', inputs: { prompt: 'x' } } }))
  expect((await service.post(`/api/v1/runs/${id}/start`)).status).toBe(200)
  await eventually(async () => {
    if (provider.waiting() === 0) throw new Error('The provider was not asked.')
  })
  const ends = await Promise.all([service.del(`/api/v1/budgets/${first.id}`), other.del(`/api/v1/budgets/${first.id}`)])
  expect(statuses(ends).toSorted()).toEqual([200, 404])
  const { data: second } = await service.post('/api/v1/budgets', { period: 'month', amount: 40_000 })
  expect(second).toMatchObject({ amount: 40_000 })
  provider.release()
  expect(await untilStatus(service, id, 'succeeded', 'failed')).toMatchObject({ status: 'succeeded' })
  const { data: money } = await service.get('/api/v1/money')
  expect(money.budgets).toMatchObject([{ id: second.id, spent: 40_000, held: 0 }])
})
