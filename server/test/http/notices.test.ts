// Facts about notices: who is notified of what, and only once; read and unread; when a notice is deleted with its subject.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDeadlines } from '../../src/features/notices/store.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'
import { makeRun, runThrough } from '../support/runs.ts'
import { fence, watchEvents } from '../support/watch.ts'

let service: Service
let make: ReturnType<typeof makers>
let base: string
let serial = 0
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  await service.app.worker.start()
  base = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

const failing = () =>
  definitionOf({ wrong: { type: 'json.expression', params: { expression: '$error("It breaks.")' } } })

/** A new person. The full stop keeps the name from being the beginning of another person's, so that mentions stay unambiguous. */
async function someone(): Promise<{ id: string; token: string; name: string }> {
  const person = await service.person('writer')
  const name = `Person ${serial++}.`
  expect((await service.patch(`/api/v1/users/${person.id}`, { name })).status).toBe(200)
  return { ...person, name }
}
const noticesOf = async ({ token }: { token: string }, query = ''): Promise<Body> => {
  const { status, data, text } = await service.get(`/api/v1/notices?limit=100${query}`, { token })
  expect(status, text).toBe(200)
  return data.items
}
const kindsOf = async (person: { token: string }): Promise<string[]> =>
  (await noticesOf(person)).map(({ kind }: Body) => kind)
const unreadOf = async ({ token }: { token: string }): Promise<number> =>
  (await service.get('/api/v1/notices/count', { token })).data.unread
const mark = (body: object, { token }: { token: string }) => service.post('/api/v1/notices/read', body, { token })

test('a change of notices is an event of its own name, which pages of 0.2.0 ignore', async () => {
  const reader = await someone()
  const watching = await watchEvents(base, reader.token)
  await make.comment((await make.task()).id, `@${reader.name}, look`)
  await expect.poll(() => watching.seen).toContain(`notice/${reader.id}`)
  await fence(service, [watching])
  watching.close()
  const named = (event: string) => [...watching.text().matchAll(new RegExp(`event: ${event}\\ndata: (.*)`, 'g'))].join()
  expect([named('noticed').includes('notice'), named('changed').includes('notice')]).toEqual([true, false])
  expect(named('changed')).toContain('"task"')
})

describe('who gets to know what', () => {
  test('whom a comment mentions, once, however often it is changed; its author does not', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const task = await make.task({ name: 'Hooks' })
    const comment = await make.comment(task.id, `@${ada.name} and @${bob.name}, look`, { token: bob.token })
    expect(await kindsOf(bob)).toEqual([])
    const [notice] = await noticesOf(ada)
    expect(notice).toMatchObject({
      ...{ kind: 'mentioned', unread: true, task_id: task.id, excerpt: comment.text },
      ...{ sentence: `${bob.name} mentioned you on #${task.number} “Hooks”`, path: `/tasks/${task.id}#comments` },
    })
    await mark({}, ada)
    await service.patch(`/api/v1/comments/${comment.id}`, { text: `@${ada.name} again` }, { token: bob.token })
    expect(await noticesOf(ada)).toMatchObject([{ unread: false, excerpt: `@${ada.name} again` }])
    await make.deleted(`/api/v1/comments/${comment.id}`)
    expect(await noticesOf(ada)).toEqual([])
  })

  test('who is made responsible for a task, by a creation, a patch, or in bulk; not whom it was before', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const task = await make.task({ assignee_id: ada.id })
    await make.patched(task.id, { task_owner_id: bob.id })
    await make.patched(task.id, { priority: 1 })
    expect([await kindsOf(ada), await kindsOf(bob)]).toEqual([['assigned'], ['assigned']])
    const more = [await make.task(), await make.task()].map(({ id }) => id)
    await service.post('/api/v1/tasks/bulk', { ids: more, patch: { assignee_id: ada.id } })
    expect(await kindsOf(ada)).toEqual(['assigned', 'assigned', 'assigned'])
    await make.task({ assignee_id: ada.id }, { token: ada.token })
    expect(await unreadOf(ada)).toBe(3)
  })

  test('who is to decide about creatives, who is addressed there, and whose work is to be changed', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const task = await make.task({ assignee_id: bob.id })
    const file = await make.file('a picture', 'image/png')
    const { id, name } = await make.creative(task.id, { file })
    await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [ada.id] })
    await service.post(`/api/v1/creatives/${id}/review-comments`, { text: 'Warmer?', mentions: [ada.id] })
    expect(await kindsOf(ada)).toEqual(['mentioned_in_review', 'review_asked'])
    const decision = { file, decision: 'changes_wanted' }
    await service.post(`/api/v1/creatives/${id}/decisions`, decision, { token: ada.token })
    const [wanted] = await noticesOf(bob)
    expect(wanted).toMatchObject({ kind: 'changes_wanted', creative_id: id, path: `/tasks/${task.id}#creatives/${id}` })
    expect(wanted.sentence).toContain(`wants changes to “${name}”`)
    await make.deleted(`/api/v1/creatives/${id}`)
    expect([await kindsOf(ada), await kindsOf(bob)]).toEqual([['review_asked'], ['assigned']])
    await make.restored(`/api/v1/creatives/${id}`)
    expect(await kindsOf(bob)).toEqual(['changes_wanted', 'assigned'])
  })

  test('why changes are wanted, as the last decision says it, whether a member or a guest decides', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const task = await make.task({ assignee_id: bob.id })
    const file = await make.file('a picture', 'image/png')
    const { id } = await make.creative(task.id, { file })
    const wanted = { file, decision: 'changes_wanted' }
    const decide = (note?: string) =>
      service.post(`/api/v1/creatives/${id}/decisions`, { ...wanted, note }, { token: ada.token })
    const told = async () => (await noticesOf(bob)).filter(({ kind }: Body) => kind === 'changes_wanted')
    await decide('  Too cold\n')
    expect(await told()).toMatchObject([{ unread: true, excerpt: 'Too cold' }])
    await mark({}, bob)
    await decide('Still too cold')
    expect(await told()).toMatchObject([{ unread: true, excerpt: 'Still too cold' }])
    await decide()
    expect(await told()).toMatchObject([{ excerpt: null }])

    const link = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client', may_decide: true })
    const body = { link: new URL(link.data.url, 'http://localhost').hash.slice(1), name: 'Grace' }
    const grace = (await service.post('/api/v1/guest/enter', body, { token: null })).data
    await service.post(`/api/v1/guest/creatives/${id}/decisions`, { ...wanted, note: 'The logo is cut off' }, grace)
    const [notice] = await told()
    expect(notice).toMatchObject({ excerpt: 'The logo is cut off' })
    expect(notice.sentence).toContain('Grace (guest) wants changes to')
  })

  test('a gate waits for the owner of the run and the assignee of its task, until it has its answer', async () => {
    const ada = await someone()
    const task = await make.task({ assignee_id: ada.id })
    const gate = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
    const { id } = await makeRun(service, gate, { pinned_task_id: task.id })
    await service.rows('update runs set task_id = $2 where id = $1', [id, task.id])
    await runThrough(service, id)
    const waiting = async (person: { token: string }) =>
      (await noticesOf(person))
        .filter(({ run_id }: Body) => run_id === id)
        .map(({ kind, unread }: Body) => [kind, unread])
    for (const person of [ada, service.owner]) expect(await waiting(person)).toEqual([['gate_waits', true]])
    expect((await noticesOf(ada))[0]).toMatchObject({ path: `/runs/${id}`, sentence: expect.stringContaining('waits') })
    const answered = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
    expect(answered.status).toBe(200)
    for (const person of [ada, service.owner]) expect(await waiting(person)).toEqual([['gate_waits', false]])
  })

  test('a run that failed concerns its owner, and comes back each time it fails', async () => {
    const { id } = await makeRun(service, failing())
    const failures = async () => (await noticesOf(service.owner)).filter(({ run_id }: Body) => run_id === id)
    await runThrough(service, id)
    const [failed] = await failures()
    expect(failed).toMatchObject({ kind: 'run_failed', unread: true, path: `/runs/${id}` })
    expect(failed.excerpt).not.toBe('')
    await mark({ ids: [failed.id] }, service.owner)
    await runThrough(service, id)
    expect(await failures()).toMatchObject([{ id: failed.id, unread: true }])
    await make.deleted(`/api/v1/runs/${id}`)
    expect(await failures()).toEqual([])
  })

  test('a deadline that comes near, and one that has passed, once for each, however many look', async () => {
    const ada = await someone()
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const near = await make.task({ task_owner_id: ada.id, deadline_at: inHours(5) })
    const late = await make.task({ assignee_id: ada.id, deadline_at: inHours(-5) })
    for (const other of [
      { deadline_at: inHours(48) },
      { deadline_at: inHours(-24 * 9) },
      { deadline_at: inHours(1), status: 'done' },
    ])
      await make.task({ assignee_id: ada.id, ...other })
    const look = () => service.database.tx(writeDeadlines)
    await Promise.all([look(), look(), look()])
    const deadlines = async () =>
      (await noticesOf(ada))
        .filter(({ kind }: Body) => kind !== 'assigned')
        .map(({ kind, task_id }: Body) => [kind, task_id])
    const expected = [
      ['deadline_near', near.id],
      ['deadline_passed', late.id],
    ]
    expect((await deadlines()).toSorted()).toEqual(expected)
    await make.patched(near.id, { deadline_at: inHours(6) })
    await look()
    expect((await deadlines()).filter(([, id]: Body) => id === near.id)).toHaveLength(2)
  })

  test('a deadline whose assignee is not active, the owner of the task', async () => {
    const [gone, owner] = [await someone(), await someone()]
    const deadline_at = new Date(Date.now() + 3_600_000).toISOString()
    const task = await make.task({ assignee_id: gone.id, task_owner_id: owner.id, deadline_at })
    await service.patch(`/api/v1/users/${gone.id}`, { active: false })
    await service.database.tx(writeDeadlines)
    expect((await noticesOf(owner)).map(({ kind, task_id }: Body) => [kind, task_id])).toContainEqual([
      'deadline_near',
      task.id,
    ])
  })

  test('nobody who is not active, and no integration', async () => {
    const gone = await someone()
    await service.patch(`/api/v1/users/${gone.id}`, { active: false })
    await make.comment((await make.task()).id, `@${gone.name} look`)
    expect(await service.rows('select 1 from notices where user_id = $1', [gone.id])).toEqual([])
    const integration = await service.integration(['read'])
    expect([await noticesOf(integration), await unreadOf(integration)]).toEqual([[], 0])
    expect((await mark({}, integration)).data).toEqual({ unread: 0 })
  })
})

describe('reading', () => {
  test('is a page at a time, newest first, all or the unread ones', async () => {
    const reader = await someone()
    const tasks: Body[] = []
    for (let at = 0; at < 3; at++) tasks.push(await make.task({ assignee_id: reader.id }))
    const newestFirst = tasks.map(({ id }) => id).toReversed()
    const page = async (query: string) => (await service.get(`/api/v1/notices?${query}`, reader)).data
    const first = await page('limit=2')
    const rest = await page(`limit=2&cursor=${first.meta.next_cursor}`)
    expect([...first.items, ...rest.items].map(({ task_id }) => task_id)).toEqual(newestFirst)
    expect(rest.meta.next_cursor).toBeNull()
    expect((await mark({ ids: [first.items[0].id, 'no id'] }, reader)).data).toEqual({ unread: 2 })
    expect((await noticesOf(reader, '&unread=true')).map(({ task_id }: Body) => task_id)).toEqual(newestFirst.slice(1))
    expect((await mark({ ids: [first.items[0].id], read: false }, reader)).data).toEqual({ unread: 3 })
    expect((await mark({ read: false }, reader)).data).toEqual({ unread: 3 })
    expect((await mark({}, reader)).data).toEqual({ unread: 0 })
  })

  test('marks nobody else’s', async () => {
    const [ada, bob] = [await someone(), await someone()]
    await make.task({ assignee_id: ada.id })
    const [notice] = await noticesOf(ada)
    await mark({ ids: [notice.id] }, bob)
    await mark({}, bob)
    expect(await unreadOf(ada)).toBe(1)
  })
})

test('a notice is hidden while its task is deleted, comes back with it, and is purged with it', async () => {
  const ada = await someone()
  const task = await make.task({ assignee_id: ada.id })
  await make.comment(task.id, `@${ada.name}, look`)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  expect([await unreadOf(ada), await kindsOf(ada)]).toEqual([0, []])
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect(await kindsOf(ada)).toEqual(['mentioned', 'assigned'])
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await purgeAtOnce(service)
  expect(await service.rows('select 1 from notices where user_id = $1', [ada.id])).toEqual([])
})

test('a watcher is told of notices that a deletion, a restore or an edit hides, shows or makes read', async () => {
  const ada = await someone()
  const task = await make.task({ assignee_id: ada.id })
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const run = await makeRun(service, definition, { task_id: task.id })
  await runThrough(service, run.id)
  const creative = await make.creative(task.id, { file: await make.file('a picture', 'image/png') })
  await service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'Warmer?', mentions: [ada.id] })
  expect(await kindsOf(ada)).toEqual(['mentioned_in_review', 'gate_waits', 'assigned'])
  const graph = `/api/v1/graphs/${run.graph_id}`
  await service.rows(
    `insert into notices (id, user_id, kind, place, graph_id, words) values (gen_random_uuid(), $1, 'model_ends', 'x', $2, 'x')`,
    [ada.id, run.graph_id],
  )
  const watching = await watchEvents(base, ada.token)
  const told = async (act: () => Promise<unknown>) => {
    const since = await fence(service, [watching])
    await act()
    await expect.poll(() => since()[0]).toContain(`notice/${ada.id}`)
  }
  await told(() => make.deleted(`/api/v1/runs/${run.id}`))
  await told(() => service.post(`/api/v1/runs/${run.id}/undelete`))
  await told(() => service.patch(`/api/v1/runs/${run.id}`, { definition: definitionOf({}) }))
  await told(() => make.deleted(`/api/v1/creatives/${creative.id}`))
  await told(() => make.restored(`/api/v1/creatives/${creative.id}`))
  await told(() => make.deleted(`/api/v1/tasks/${task.id}`))
  await told(() => make.restored(`/api/v1/tasks/${task.id}`))
  await told(() => make.deleted(graph))
  await told(() => make.restored(graph))
  watching.close()
})

test('a write that is refused leaves no notice', async () => {
  const ada = await someone()
  const refused = await service.post('/api/v1/tasks', { name: 'x', assignee_id: ada.id, priority: 99 })
  expect(refused.status).toBe(422)
  expect(await kindsOf(ada)).toEqual([])
})
