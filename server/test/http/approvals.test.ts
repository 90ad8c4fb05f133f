// Facts about approvals: who is notified, that a declined or used approval must be requested again, and approvals of takes.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let make: ReturnType<typeof makers>
let admin: Body
let writer: Body
const provider = createProvider()
const types = testNodes(provider)
/** What the calls of `test.repriced` cost now. */
let price = 40_000
let isPriceKnown = true
/** Called when the cost of such a call is asked for. */
let onCost = (): void => undefined
const repriced = types.flatMap((type) =>
  type.type !== 'test.priced_picture' || type.gate !== null
    ? []
    : [
        {
          ...type,
          type: 'test.repriced',
          cost: () => {
            onCost()
            return { model: 'test:painter', currency: 'USD', least: price, most: price, isKnown: isPriceKnown }
          },
        },
      ],
)
beforeAll(async () => {
  service = await startService({}, undefined, [...types, ...repriced])
  make = makers(service)
  await service.app.worker.start()
  service.app.takes.start()
  ;[admin, writer] = [await service.person('admin'), await service.person('writer')]
})
beforeEach(() => setAbove(picture - 1))
afterAll(() => service.close())

const picture = 40_000
const setAbove = (above: number | null) => service.patch('/api/v1/money', { approval_above: above })
const asking = (prompt: string) => definitionOf({ image: { type: 'test.priced_picture', inputs: { prompt } } })
const asWriter = () => ({ token: writer.token })
const ask = (id: string) => service.post(`/api/v1/runs/${id}/approvals`, {}, asWriter())
const start = (id: string) => service.post(`/api/v1/runs/${id}/start`, {}, asWriter())
const decide = ({ id }: Body, approved: boolean) =>
  service.post(`/api/v1/approvals/${id}/decision`, { approved }, { token: admin.token })
const noticesOf = async ({ token }: Body): Promise<Body[]> =>
  (await service.get('/api/v1/notices?limit=20', { token })).data.items
const newestOf = async (person: Body): Promise<Body> => (await noticesOf(person))[0] ?? {}

test('admins get to know that one is asked for, once, and the one who asked what was decided', async () => {
  const { id } = await makeRun(service, asking('a flask'))
  const before = (await noticesOf(admin)).length
  const { data: asked } = await ask(id)
  expect(asked).toMatchObject({ run_id: id, graph_name: expect.any(String), review_comment_id: null, approved: null })
  await ask(id)
  expect(await noticesOf(admin)).toHaveLength(before + 1)
  expect(await newestOf(admin)).toMatchObject({
    ...{ kind: 'approval_asked', run_id: id, unread: true, path: '/money', excerpt: 'It may cost USD 0.04.' },
    sentence: `A writer asks you to approve a start of “${asked.graph_name}”`,
  })
  expect(await noticesOf(writer)).toEqual([])

  await decide(asked, true)
  expect(await newestOf(admin)).toMatchObject({ kind: 'approval_asked', unread: false })
  const approved = { kind: 'start_approved', unread: true, path: `/runs/${id}` }
  expect(await noticesOf(writer)).toMatchObject([approved])
  await decide(asked, true)
  await service.post('/api/v1/notices/read', { read: true }, asWriter())
  expect((await decide(asked, false)).data).toMatchObject({ approved: false })
  expect(await newestOf(writer)).toMatchObject({ kind: 'start_declined', unread: true })
})

test('a decision that an admin takes back is not unread beside the one that holds', async () => {
  const { id } = await makeRun(service, asking('a jug'))
  const asked = (await ask(id)).data
  const unread = async () => {
    const notices = await noticesOf(writer)
    return notices.flatMap(({ kind, run_id, unread }) => (run_id === id && unread ? [kind] : []))
  }
  for (const [approved, kind] of [
    [true, 'start_approved'],
    [false, 'start_declined'],
    [true, 'start_approved'],
  ] as const) {
    await decide(asked, approved)
    expect(await unread()).toEqual([kind])
  }
})

test('what was declined is asked for anew, and what was used once is not approved twice', async () => {
  const { id } = await makeRun(service, asking('a lamp'))
  const asked = (await ask(id)).data
  await decide(asked, false)
  expect((await start(id)).body.code).toBe('approval_needed')
  expect((await ask(id)).data).toMatchObject({ id: asked.id, approved: null, decided_by: null })
  expect(await newestOf(admin)).toMatchObject({ kind: 'approval_asked', unread: true, run_id: id })
  await decide(asked, true)
  expect((await ask(id)).data).toMatchObject({ id: asked.id, approved: true })
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
  expect((await service.get(`/api/v1/approvals?run_id=${id}`)).data.items).toMatchObject([
    { id: asked.id, approved: true, used_at: expect.any(String) },
  ])
  const refused = await decide(asked, false)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_used'])
  // The same decision again is answered as it stands.
  const again = await decide(asked, true)
  expect([again.status, again.data]).toMatchObject([200, { id: asked.id, approved: true, used_at: expect.any(String) }])
})

test('a start that needs none is not asked for, and nobody hears of it', async () => {
  await setAbove(picture)
  const { id } = await makeRun(service, asking('a spoon'))
  const refused = await ask(id)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_not_needed'])
  expect((await service.get(`/api/v1/approvals?run_id=${id}`)).data.items).toEqual([])
})

test('a request for a deleted run is not among the open ones, until the run is undeleted', async () => {
  const { id } = await makeRun(service, asking('a plate'))
  const asked = (await ask(id)).data
  const idsOf = async (query: string) =>
    (await service.get(`/api/v1/approvals?run_id=${id}${query}`)).data.items.map((one: Body) => one.id)
  expect(await idsOf('&open=true')).toEqual([asked.id])
  expect((await service.del(`/api/v1/runs/${id}`)).status).toBe(200)
  expect(await idsOf('&open=true')).toEqual([])
  expect(await idsOf('')).toEqual([asked.id])
  expect((await service.post(`/api/v1/runs/${id}/undelete`)).status).toBe(200)
  expect(await idsOf('&open=true')).toEqual([asked.id])
})

test('a request whose run is edited or started since waits for nobody; it is back where the edit is undone', async () => {
  const { id, definition } = await makeRun(service, asking('a vase'))
  const asked = (await ask(id)).data
  expect(asked.overtaken).toBe(false)
  const seen = async () => {
    const of = async (query: string) => (await service.get(`/api/v1/approvals?run_id=${id}${query}`)).data.items
    const notice = (await noticesOf(admin)).find(({ run_id }) => run_id === id)
    return [(await of('&open=true')).length, (await of(''))[0].overtaken, notice?.unread]
  }
  const edited = async (changed: object) =>
    expect((await service.patch(`/api/v1/runs/${id}`, { definition: changed })).status).toBe(200)
  expect(await seen()).toEqual([1, false, true])
  const count = async () => (await service.get('/api/v1/notices/count', { token: admin.token })).data.unread
  const unread = await count()
  await edited(asking('a blue vase'))
  expect([await seen(), await count()]).toEqual([[0, true, false], unread - 1])
  const refused = await decide(asked, true)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_overtaken'])
  await edited(definition)
  expect([await seen(), await count()]).toEqual([[1, false, true], unread])
  await setAbove(picture)
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
  expect(await seen()).toEqual([0, true, false])
})

test('where prices have changed since, a request is not approved, as its start would be refused; it can be declined, and asked for anew', async () => {
  const { id } = await makeRun(
    service,
    definitionOf({ image: { type: 'test.repriced', inputs: { prompt: 'a bowl' } } }),
  )
  const asked = (await ask(id)).data
  const before = (await noticesOf(writer)).length
  price = 50_000
  const refused = await decide(asked, true)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_overtaken'])
  expect(await noticesOf(writer)).toHaveLength(before)
  expect((await decide(asked, false)).data).toMatchObject({ approved: false })
  const anew = (await ask(id)).data
  expect([anew.id === asked.id, anew.most]).toEqual([false, 50_000])
  await decide(anew, true)
  price = 60_000
  // What is approved already is answered as it stands; the start says that it needs another approval.
  expect((await decide(anew, true)).data).toMatchObject({ id: anew.id, approved: true })
  expect((await start(id)).body).toMatchObject({ code: 'approval_needed', most: 60_000 })
  price = 50_000
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

test.each([
  ['nobody can then say what it costs at most', {}],
  ['it then has another most', { max_cost: 1_000_000 }],
])('where time runs out for the plan, so that %s, the request is approved, and its start made', async (_, body) => {
  price = 40_000
  const bowl = (prompt: string) => ({ type: 'test.repriced', inputs: { prompt } })
  const names = Object.keys(body).join()
  const { id } = await makeRun(service, definitionOf({ one: bowl(`one ${names}`), other: bowl(`other ${names}`) }))
  const asked = (await service.post(`/api/v1/runs/${id}/approvals`, body, asWriter())).data
  expect(asked.most).toBe(80_000)
  const now = performance.now.bind(performance)
  let late = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + late)
  const reset = () => {
    onCost = () => undefined
    clock.mockRestore()
  }
  onTestFinished(reset)
  onCost = () => {
    late = 2000
  }
  const decided = await decide(asked, true)
  reset()
  expect([late, decided.status, decided.data]).toMatchObject([2000, 200, { id: asked.id, approved: true }])
  expect((await service.post(`/api/v1/runs/${id}/start`, body, asWriter())).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

test('where a price is not known any more, a request can be approved, and its start says in its own words what stops it', async () => {
  const { id } = await makeRun(
    service,
    definitionOf({ image: { type: 'test.repriced', inputs: { prompt: 'a dish' } } }),
  )
  const asked = (await ask(id)).data
  isPriceKnown = false
  onTestFinished(() => {
    isPriceKnown = true
  })
  expect((await decide(asked, true)).data).toMatchObject({ id: asked.id, approved: true })
  const refused = await start(id)
  expect([refused.status, refused.body.code]).toEqual([409, 'price_unknown'])
  isPriceKnown = true
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

test('a request whose run gets an answer at a gate since is overtaken; asked for again, an approved plan that the answer is no part of stays approved', async () => {
  await setAbove(null)
  const ok = { type: 'gate.approve', inputs: { value: 'this' } }
  const picture = { type: 'test.priced_picture', inputs: { prompt: 'a mug' } }
  const { id } = await makeRun(service, definitionOf({ ok, picture }))
  await runThrough(service, id)
  await setAbove(1)
  const askFor = async (body: object): Promise<Body> =>
    (await service.post(`/api/v1/runs/${id}/approvals`, body, asWriter())).data
  const rolled = { regenerate: [{ node_id: 'picture' }] }
  const alone = { ...rolled, targets: ['picture'] }
  const [whole, part] = [await askFor(rolled), await askFor(alone)]
  await decide(part, true)
  const open = async () => (await service.get(`/api/v1/approvals?run_id=${id}&open=true`)).data.items
  expect(await open()).toMatchObject([{ id: whole.id, overtaken: false }])
  const answered = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
  expect(answered.status).toBe(200)
  await untilStatus(service, id, 'succeeded')
  expect(await open()).toEqual([])
  const refused = await decide(whole, true)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_overtaken'])
  const { items } = (await service.get(`/api/v1/approvals?run_id=${id}`)).data
  expect(items.map(({ overtaken }: Body) => overtaken)).toEqual([true, true])
  expect(await askFor(alone)).toMatchObject({ id: part.id, approved: true, overtaken: false })
  expect((await service.post(`/api/v1/runs/${id}/start`, alone, asWriter())).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

test('an approved start that is made is used; one whose run was started otherwise is overtaken, and no longer said to be ready', async () => {
  const { id } = await makeRun(service, asking('a cup'))
  await decide((await ask(id)).data, true)
  expect(await newestOf(writer)).toMatchObject({ kind: 'start_approved', run_id: id, unread: true })
  await setAbove(picture)
  const again = { regenerate: [{ node_id: 'image' }] }
  await service.post(`/api/v1/runs/${id}/start`, again, asWriter())
  await untilStatus(service, id, 'succeeded')
  expect(await newestOf(writer)).toMatchObject({ kind: 'start_approved', run_id: id, unread: false })
  await setAbove(picture - 1)
  const asked = (await service.post(`/api/v1/runs/${id}/approvals`, again, asWriter())).data
  await decide(asked, true)
  await service.post(`/api/v1/runs/${id}/start`, again, asWriter())
  await untilStatus(service, id, 'succeeded')
  const { items } = (await service.get(`/api/v1/approvals?run_id=${id}`)).data
  expect(items).toMatchObject([
    { id: asked.id, used_at: expect.any(String), overtaken: false },
    { used_at: null, overtaken: true },
  ])
})

test('an approved start stays approved where its nodes, two of which share a call, are written in another order', async () => {
  const node = { type: 'test.priced_picture', inputs: { prompt: 'a jar' } }
  const { id } = await makeRun(service, definitionOf({ a: node, b: node }))
  const { data: asked } = await ask(id)
  expect(asked.most).toBe(2 * picture)
  await decide(asked, true)
  const { headers } = await service.get(`/api/v1/runs/${id}`)
  const body = { definition: definitionOf({ b: node, a: node }) }
  const edited = await service.patch(`/api/v1/runs/${id}`, body, { headers: { 'if-match': String(headers.etag) } })
  expect(edited.status).toBe(200)
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

test('of a run that is not there, none is listed, whatever its id looks like', async () => {
  for (const nothing of [service.owner.id, 'zz']) {
    expect((await service.get(`/api/v1/approvals?run_id=${nothing}`)).data.items).toEqual([])
  }
})

test('a new take of a picture is approved, once for each, and its notices lead to the picture', async () => {
  await setAbove(null)
  const task = await make.task()
  const { id } = await makeRun(service, asking('tea'), { pinned_task_id: task.id })
  await runThrough(service, id)
  await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] })
  const [creative] = (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  const comment = (await service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'Warmer' })).data
  await setAbove(picture - 1)
  const takes = `/api/v1/review-comments/${comment.id}`
  const take = () => service.post(`${takes}/takes`, { max_cost: picture }, asWriter())
  const askTake = async () => (await service.post(`${takes}/take-approvals`, { max_cost: picture }, asWriter())).data

  const calls = provider.calls.length
  expect((await take()).body.code).toBe('approval_needed')
  const asked = await askTake()
  expect(asked).toMatchObject({ run_id: id, review_comment_id: comment.id, most: picture })
  const named = `a new take of “${creative.name}” of #${task.number} “${task.name}”`
  expect((await newestOf(admin)).sentence).toBe(`A writer asks you to approve ${named}`)
  await decide(asked, true)
  expect(await newestOf(writer)).toMatchObject({
    kind: 'start_approved',
    sentence: `A admin approved ${named}: it can be started now`,
    path: `/tasks/${task.id}#creatives/${creative.id}`,
  })
  expect(provider.calls).toHaveLength(calls)

  expect((await take()).status).toBe(200)
  const proposed = await eventually(async () => {
    const [now] = (await make.read(`/api/v1/creatives/${creative.id}/review-comments`)).items
    if (now.take.state !== 'proposed') throw new Error(`The take is ${now.take.state}.`)
    return now.take
  })
  await service.post(`/api/v1/review-takes/${proposed.id}/verdict`, { verdict: 'dismiss' })
  expect((await take()).body.code).toBe('approval_needed')
  expect((await askTake()).id).not.toBe(asked.id)
  expect(provider.calls).toHaveLength(calls + 1)

  await service.del(`/api/v1/review-comments/${comment.id}`)
  expect((await service.get(`/api/v1/approvals?run_id=${id}`)).data.items).toEqual([])
})
