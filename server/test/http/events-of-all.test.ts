// Facts about change events: a write to any kind of record, by any route, is reported to watchers of this and another process.
// It has over 400 lines because each route that writes has its scenario here.
import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adoptWaitingLaunches } from '../../src/features/tasks/launches/adopt.ts'
import { personOf } from '../../src/platform/identities.ts'
import { automations, pictureOf } from '../support/automations.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Reply, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { makers } from '../support/make.ts'
import { memberMessage, ourOrganization, sendMessage, userMessage, webhookSecret } from '../support/provider.ts'
import { makeGraph, makeRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'
import { fence, type Watch, watchEvents } from '../support/watch.ts'

let service: Service
let other: Service
let watching: Watch[] = []
let make: ReturnType<typeof makers>
let door: ReturnType<typeof doors>
const provider = createProvider()
beforeAll(async () => {
  const environment = { ATELIER_WEBHOOK_SECRETS: webhookSecret, ATELIER_ORGANIZATION: ourOrganization }
  // Changes are collected for `changesWindowMs` before they are sent. Each test waits for this twice, for `fence` and for its own
  // write; with the default of 200 ms, the tests would mostly wait.
  service = await startService(environment, undefined, testNodes(provider), { changesWindowMs: 20 })
  other = await service.another()
  make = makers(service)
  door = doors(service)
  await service.app.worker.start()
  service.app.automations.start()
  service.app.takes.start()
  const urls = await Promise.all([service, other].map(({ app }) => app.server.listen({ host: '127.0.0.1', port: 0 })))
  watching = await Promise.all(urls.map((url) => watchEvents(url, service.owner.token)))
})
afterAll(async () => {
  for (const { close } of watching) close()
  await other.close()
  await service.close()
})

/** Waits until all earlier changes were reported, then acts; expects that the changes `expected` are reported to every watcher. */
async function expectTold(act: () => Promise<unknown>, ...expected: string[]): Promise<void> {
  const told = await fence(service, watching)
  await act()
  await expect
    .poll(() => told().map((seen) => expected.filter((change) => !seen.includes(change))))
    .toEqual(watching.map(() => []))
}

const done = async (reply: Promise<Reply>): Promise<Body> => {
  const { status, data, text } = await reply
  expect(status, text).toBeLessThan(300)
  return data
}
const post = (path: string, body?: unknown) => () => done(service.post(`/api/v1${path}`, body))
const patch = (path: string, body: unknown) => () => done(service.patch(`/api/v1${path}`, body))
const del = (path: string) => () => done(service.del(`/api/v1${path}`))

const picture = (prompt: string) =>
  definitionOf({ image: { type: 'sample.image', inputs: { prompt }, params: { width: 64, height: 64 } } })
const question = () => definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
const automation = (graph: Body) => ({ name: 'On done', on_status: 'done', graph_id: graph.id })

/** Creates a record; expects that each watcher gets a change of each kind: of the new record, or of another one for `kind/id`. */
async function expectMade(act: () => Promise<Body>, ...kinds: string[]): Promise<Body> {
  let made: Body = null
  const told = await fence(service, watching)
  made = await act()
  const expected = kinds.map((kind) => (kind.includes('/') ? kind : `${kind}/${made.id}`))
  await expect
    .poll(() => told().map((seen) => expected.filter((change) => !seen.includes(change))))
    .toEqual(watching.map(() => []))
  return made
}

const withFile = async () => make.creative((await make.task()).id, { file: await make.file() })

/** A creative with a picture that a run made, and a comment on this picture. */
async function withTake(definition = picture('taken')) {
  const task = await make.task()
  const { id: run } = await makeRun(service, definition, { pinned_task_id: task.id })
  await runThrough(service, run)
  await post(`/runs/${run}/export`, { outputs: [{ node_id: 'image' }] })()
  const [creative] = (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  return { ...creative, comment: await post(`/creatives/${creative.id}/review-comments`, { text: 'Warmer' })() }
}

/** The token of a guest who may decide about the creatives of a task. */
const asGuest = async (taskId: string): Promise<string> => {
  const link = await post(`/tasks/${taskId}/guest-links`, { name: 'The client', may_decide: true })()
  return (await post('/guest/enter', { link: link.url.split('#')[1], name: 'Grace' })()).token
}

/** Lets each start need an approval while it acts, and a picture that costs money be what is asked for. */
async function withApprovals(act: () => Promise<unknown>): Promise<void> {
  await patch('/money', { approval_above: 0 })()
  await act().finally(patch('/money', { approval_above: null }))
}
const priced = (prompt: string) => definitionOf({ image: { type: 'test.priced_picture', inputs: { prompt } } })
const askedFor = async (prompt: string) => {
  const { id } = await makeRun(service, priced(prompt))
  return { run: id, ...(await post(`/runs/${id}/approvals`, {})()) }
}

/** For each route: prepares a record, calls the route, and expects the reported changes. */
const scenarios: Record<string, () => Promise<unknown>> = {
  createTask: () => expectMade(post('/tasks', { name: 'New' }), 'task'),
  patchTask: async () => {
    const { id } = await make.task()
    await expectTold(patch(`/tasks/${id}`, { priority: 1 }), `task/${id}`)
  },
  deleteTask: async () => {
    const { id } = await make.task()
    await expectTold(del(`/tasks/${id}`), `task/${id}`)
  },
  restoreTask: async () => {
    const { id } = await make.task()
    await make.deleted(`/api/v1/tasks/${id}`)
    await expectTold(post(`/tasks/${id}/restore`), `task/${id}`)
  },
  bulkPatchTasks: async () => {
    const ids = [(await make.task()).id, (await make.task()).id]
    await expectTold(post('/tasks/bulk', { ids, patch: { priority: 2 } }), ...ids.map((id) => `task/${id}`))
  },
  createComment: async () => {
    const { id } = await make.task()
    await expectMade(post(`/tasks/${id}/comments`, { text: 'Good.' }), 'comment', `task/${id}`)
  },
  patchComment: async () => {
    const { id, task_id } = await make.comment((await make.task()).id)
    await expectTold(patch(`/comments/${id}`, { text: 'Better.' }), `comment/${id}`, `task/${task_id}`)
  },
  deleteComment: async () => {
    const { id, task_id } = await make.comment((await make.task()).id)
    await expectTold(del(`/comments/${id}`), `comment/${id}`, `task/${task_id}`)
  },
  createCreative: async () => {
    const { id } = await make.task()
    await expectMade(post(`/tasks/${id}/creatives`, {}), 'creative', `task/${id}`)
  },
  patchCreative: async () => {
    const { id, task_id } = await make.creative((await make.task()).id)
    await expectTold(patch(`/creatives/${id}`, { completed: true }), `creative/${id}`, `task/${task_id}`)
  },
  deleteCreative: async () => {
    const { id, task_id } = await make.creative((await make.task()).id)
    await expectTold(del(`/creatives/${id}`), `creative/${id}`, `task/${task_id}`)
  },
  restoreCreative: async () => {
    const { id, task_id } = await make.creative((await make.task()).id)
    await make.deleted(`/api/v1/creatives/${id}`)
    await expectTold(post(`/creatives/${id}/restore`), `creative/${id}`, `task/${task_id}`)
  },
  patchCreativeMarks: async () => {
    const { id, task_id } = await make.creative((await make.task()).id, { file: await make.file() })
    await expectTold(patch(`/creatives/${id}/marks`, { deepfake: false }), `creative/${id}`, `task/${task_id}`)
  },
  chooseCreativeVersion: async () => {
    const { id, task_id } = await withFile()
    await done(service.patch(`/api/v1/creatives/${id}`, { file: await make.file('another film') }))
    await expectTold(post(`/creatives/${id}/versions/current`, { number: 1 }), `creative/${id}`, `task/${task_id}`)
  },
  createReviewComment: async () => {
    const { id, task_id } = await withFile()
    await expectTold(post(`/creatives/${id}/review-comments`, { text: 'Warmer' }), `creative/${id}`, `task/${task_id}`)
  },
  patchReviewComment: async () => {
    const { id, task_id } = await withFile()
    const made = await post(`/creatives/${id}/review-comments`, { text: 'Warmer' })()
    await expectTold(patch(`/review-comments/${made.id}`, { resolved: true }), `creative/${id}`, `task/${task_id}`)
  },
  deleteReviewComment: async () => {
    const { id, task_id } = await withFile()
    const made = await post(`/creatives/${id}/review-comments`, { text: 'Warmer' })()
    await expectTold(del(`/review-comments/${made.id}`), `creative/${id}`, `task/${task_id}`)
  },
  startReviewTake: async () => {
    const { id, task_id, comment } = await withTake()
    const fork = post(`/review-comments/${comment.id}/takes`)
    await expectTold(fork, `creative/${id}`, `task/${task_id}`)
  },
  decideReviewTake: async () => {
    const { id, task_id, comment } = await withTake()
    const { take } = await post(`/review-comments/${comment.id}/takes`)()
    await untilStatus(service, take.run_id, 'succeeded')
    await expect
      .poll(() => post(`/review-comments/${comment.id}/takes`)())
      .toMatchObject({ take: { state: 'proposed' } })
    await expectTold(post(`/review-takes/${take.id}/verdict`, { verdict: 'use' }), `creative/${id}`, `task/${task_id}`)
  },
  decideReview: async () => {
    const { id, task_id, file } = await withFile()
    const decide = post(`/creatives/${id}/decisions`, { file, decision: 'accepted' })
    await expectTold(decide, `creative/${id}`, `task/${task_id}`)
  },
  createGuestLink: async () => {
    const { id } = await make.task()
    await expectTold(post(`/tasks/${id}/guest-links`, { name: 'The client' }), `task/${id}`)
  },
  revokeGuestLink: async () => {
    const { task_id } = await withFile()
    const link = await post(`/tasks/${task_id}/guest-links`, { name: 'The client' })()
    await expectTold(del(`/guest-links/${link.id}`), `task/${task_id}`)
  },
  enterAsGuest: async () => {
    const { task_id } = await withFile()
    await expectTold(() => asGuest(task_id), `task/${task_id}`)
  },
  createGuestComment: async () => {
    const { id, task_id } = await withFile()
    const token = await asGuest(task_id)
    const say = () => done(service.post(`/api/v1/guest/creatives/${id}/comments`, { text: 'Warmer' }, { token }))
    await expectTold(say, `creative/${id}`, `task/${task_id}`)
  },
  decideAsGuest: async () => {
    const { id, task_id, file } = await withFile()
    const token = await asGuest(task_id)
    const sent = { file, decision: 'accepted' }
    const decide = () => done(service.post(`/api/v1/guest/creatives/${id}/decisions`, sent, { token }))
    await expectTold(decide, `creative/${id}`, `task/${task_id}`)
  },
  patchTaskReviewers: async () => {
    const { id } = await make.task()
    await expectTold(patch(`/tasks/${id}/reviewers`, { reviewers: [service.owner.id] }), `task/${id}`)
  },
  waiveLabels: async () => {
    const task = await make.task({ geo: 'DE' })
    const { id } = await make.creative(task.id, { file: await make.file() })
    await done(service.patch(`/api/v1/creatives/${id}/marks`, { deepfake: true }))
    const waive = post(`/tasks/${task.id}/label-waiver`, { reason: 'It stands in the caption.' })
    await expectTold(waive, `creative/${id}`, `task/${task.id}`)
  },
  readNotices: async () => {
    const { id, token } = await service.person('writer')
    await make.task({ assignee_id: id })
    await expectTold(() => done(service.post('/api/v1/notices/read', {}, { token })), `notice/${id}`)
  },
  createGraph: () => expectMade(post('/graphs', { name: 'Drawn' }), 'graph'),
  patchGraph: async () => {
    const { id } = await makeGraph(service, picture('a'))
    await expectTold(patch(`/graphs/${id}`, { name: 'Drawn again' }), `graph/${id}`)
  },
  deleteGraph: async () => {
    const { id } = await makeGraph(service, picture('a'))
    await expectTold(del(`/graphs/${id}`), `graph/${id}`)
  },
  restoreGraph: async () => {
    const { id } = await makeGraph(service, picture('a'))
    await make.deleted(`/api/v1/graphs/${id}`)
    await expectTold(post(`/graphs/${id}/restore`), `graph/${id}`)
  },
  forkGraph: async () => {
    const { id } = await makeGraph(service, picture('a'))
    await expectMade(post(`/graphs/${id}/fork`, {}), 'graph')
  },
  restoreGraphHistory: async () => {
    const { id, created_at } = await makeGraph(service, picture('a'))
    await done(service.patch(`/api/v1/graphs/${id}`, { definition: picture('b') }))
    await expectTold(post(`/graphs/${id}/history/restore`, { at: created_at }), `graph/${id}`)
  },
  handOverGraphs: async () => {
    const { id, token } = await service.person('writer')
    const graph = await done(service.post('/api/v1/graphs', { name: 'Theirs' }, { token }))
    await expectTold(post(`/users/${id}/graphs/hand-over`, { to: service.owner.id }), `graph/${graph.id}`)
  },
  recordCreativeLaunches: async () => {
    const { id, name, task_id } = await make.creative((await make.task()).id)
    await expectTold(() => door.creatives({ name, ad_id: freshAdId() }), `creative/${id}`, `task/${task_id}`)
  },
  recordPackLaunches: async () => {
    const { id } = await make.task()
    await expectTold(() => door.packs({ task_id: id, ad_id: freshAdId() }), `task/${id}`)
  },
  correctLaunch: async () => {
    const { id, name, task_id } = await make.creative((await make.task()).id)
    await door.creatives({ name, ad_id: freshAdId() })
    const [launch] = await service.rows<Body>('select id from launches where creative_id = $1', [id])
    await expectTold(post(`/launches/${launch.id}/correction`, { ad_id: null }), `creative/${id}`, `task/${task_id}`)
  },
  createUser: () => expectMade(post('/users', { name: 'Nan' }), 'person'),
  patchUser: async () => {
    const { id } = await service.person('writer')
    await expectTold(patch(`/users/${id}`, { role: 'reader' }), `person/${id}`)
  },
  createProduct: () => expectMade(post('/products', { name: 'Balm' }), 'product'),
  patchProduct: async () => {
    const { id } = await make.product('Lotion')
    await expectTold(patch(`/products/${id}`, { name: 'Lotion, new' }), `product/${id}`)
  },
  createTaskTemplate: () => expectMade(post('/task-templates', { name: 'Told', brief: {} }), 'template'),
  patchTaskTemplate: async () => {
    const { id } = await post('/task-templates', { name: 'Told when renamed', brief: {} })()
    await expectTold(patch(`/task-templates/${id}`, { name: 'Renamed' }), `template/${id}`)
  },
  deleteTaskTemplate: async () => {
    const { id } = await post('/task-templates', { name: 'Told when deleted', brief: {} })()
    await expectTold(del(`/task-templates/${id}`), `template/${id}`)
  },
  patchMoney: () => expectTold(patch('/money', { approval_above: null }), 'money/workspace'),
  setBudget: async () => {
    const { id } = await expectMade(post('/budgets', { period: 'month', amount: 1_000_000_000 }), 'money/workspace')
    await del(`/budgets/${id}`)()
  },
  deleteBudget: async () => {
    const { id } = await post('/budgets', { period: 'always', amount: 1_000_000_000 })()
    await expectTold(del(`/budgets/${id}`), 'money/workspace')
  },
  askApproval: () =>
    withApprovals(async () => {
      const { id } = await makeRun(service, priced('asked for'))
      await expectTold(post(`/runs/${id}/approvals`, {}), 'money/approvals')
    }),
  askTakeApproval: async () => {
    const { comment } = await withTake(priced('asked for a take'))
    await withApprovals(() => expectTold(post(`/review-comments/${comment.id}/take-approvals`, {}), 'money/approvals'))
  },
  decideApproval: () =>
    withApprovals(async () => {
      // The one who asked decides as well, so that nobody gets a notice.
      const { id } = await askedFor('decided')
      for (const approved of [true, false])
        await expectTold(post(`/approvals/${id}/decision`, { approved }), 'money/approvals')
    }),
  createToken: () => expectMade(post('/tokens', { name: 'Told', scopes: ['read'] }), 'token'),
  revokeToken: async () => {
    const { id } = await post('/tokens', { name: 'Told when revoked', scopes: ['read'] })()
    await expectTold(del(`/tokens/${id}`), `token/${id}`)
  },
  createAutomation: async () => {
    const graph = await makeGraph(service, picture('a'))
    await expectMade(post('/automations', automation(graph)), 'automation')
  },
  patchAutomation: async () => {
    const { id } = await post('/automations', automation(await makeGraph(service, picture('a'))))()
    await expectTold(patch(`/automations/${id}`, { enabled: false }), `automation/${id}`)
  },
  deleteAutomation: async () => {
    const { id } = await post('/automations', automation(await makeGraph(service, picture('a'))))()
    await expectTold(del(`/automations/${id}`), `automation/${id}`)
  },
  createRun: async () => {
    const graph = await makeGraph(service, picture('a'))
    await expectMade(post(`/graphs/${graph.id}/runs`, {}), 'run')
  },
  patchRun: async () => {
    const { id } = await makeRun(service, picture('a'))
    await expectTold(patch(`/runs/${id}`, { definition: picture('b') }), `run/${id}`)
  },
  deleteRun: async () => {
    const { id } = await makeRun(service, picture('a'))
    await expectTold(del(`/runs/${id}`), `run/${id}`)
  },
  undeleteRun: async () => {
    const { id } = await makeRun(service, picture('a'))
    await make.deleted(`/api/v1/runs/${id}`)
    await expectTold(post(`/runs/${id}/undelete`), `run/${id}`)
  },
  startRun: async () => {
    const { id } = await makeRun(service, picture('start'))
    await expectTold(post(`/runs/${id}/start`, { execute: false }), `run/${id}`)
  },
  patchRunTake: async () => {
    const { id } = await makeRun(service, picture('pinned'))
    await runThrough(service, id)
    const { data } = await service.get(`/api/v1/runs/${id}/nodes/image/takes`)
    await expectTold(patch(`/runs/${id}/nodes/image/takes/${data.takes[0].id}`, { pinned: true }), `run/${id}`)
  },
  cancelRun: async () => {
    provider.hold()
    const { id } = await makeRun(service, definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'held' } } }))
    await post(`/runs/${id}/start`)()
    await untilStatus(service, id, 'running')
    await expectTold(post(`/runs/${id}/cancel`), `run/${id}`)
    provider.release()
    await untilStatus(service, id, 'cancelled', 'succeeded', 'failed')
  },
  answerRun: async () => {
    const { id } = await makeRun(service, question())
    await runThrough(service, id)
    await expectTold(post(`/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } }), `run/${id}`)
  },
  exportRun: async () => {
    const task = await make.task()
    const { id } = await makeRun(service, picture('export'))
    await runThrough(service, id)
    const act = post(`/runs/${id}/export`, { task_id: task.id, outputs: [{ node_id: 'image' }] })
    const run = await expectMade(act, 'run', `task/${task.id}`)
    for (const { seen } of watching) expect(seen).toContain(`creative/${run.exported_creatives[0]}`)
  },
  restoreRunHistory: async () => {
    const { id, created_at } = await makeRun(service, picture('a'))
    await done(service.patch(`/api/v1/runs/${id}`, { definition: picture('b') }))
    await expectTold(post(`/runs/${id}/history/restore`, { at: created_at }), `run/${id}`)
  },
  promoteRun: async () => {
    const { id, graph_id } = await makeRun(service, picture('a'))
    await done(service.patch(`/api/v1/runs/${id}`, { definition: picture('b') }))
    await expectTold(post(`/runs/${id}/restore`), `graph/${graph_id}`)
  },
}

/** Routes that write only what is not watched: files, sign-in links, settings or keys. */
const ofSettings = ['patchNoticeSettings', 'setWorkspaceChat', 'setProviderKey', 'removeProviderKey']
const silent = ['uploadFile', 'createSignInLink', ...ofSettings]
const table: Record<string, Route> = routes
const writes = Object.values(table).flatMap(({ id, effect }) =>
  effect === 'write' && !silent.includes(id) ? [id] : [],
)

/** Performs the scenario of a route; fails if the route has none. */
async function expectScenario(id: string): Promise<void> {
  const scenario = scenarios[id]
  if (!scenario) throw new Error(`Say in this file what ${id} writes, or that nobody watches it.`)
  await scenario()
}

test.for(writes)('what %s writes is told here and in another process', (id) => expectScenario(id))

test('an approval that a start uses up is told', () =>
  withApprovals(async () => {
    const { id, run } = await askedFor('used up')
    await post(`/approvals/${id}/decision`, { approved: true })()
    await expectTold(post(`/runs/${run}/start`, {}), 'money/approvals', `run/${run}`)
    await untilStatus(service, run, 'succeeded')
  }))

test('a run is told while another process executes it, and when it ends', async () => {
  const { id } = await makeRun(other, picture('elsewhere'))
  await expectTold(() => runThrough(other, id), `run/${id}`)
})

test('a card is told of its automation: started by a move, followed, and ended', async () => {
  const auto = automations(service)
  await auto.add('told', pictureOf('told'))
  const { id } = await auto.task('told')
  provider.hold()
  await expectTold(() => auto.enter(id), `task/${id}`)
  await auto.untilState(id, 'running')
  const [run] = await auto.runsOf(id)
  await expectTold(
    async () => {
      provider.release()
      await auto.untilState(id, 'succeeded')
    },
    `task/${id}`,
    `run/${run?.id}`,
  )
  const [creative] = await auto.creativesOf(id)
  for (const { seen } of watching) expect(seen).toContain(`creative/${creative?.id}`)
})

test('launches that a job adopts are told', async () => {
  const { id, name, task_id } = await make.creative((await make.task()).id)
  await service.rows(`insert into launches (id, ad_id, launched_at, name) values ($1, $2, now_ms(), $3)`, [
    ...[uuidv7(), freshAdId(), name],
  ])
  const adopt = () => adoptWaitingLaunches(service.database)
  await expectTold(adopt, `creative/${id}`, `task/${task_id}`)
})

test('people are told whom the webhook or a first access token makes, describes, or gives a role', async () => {
  const personNamed = async (providerId: string) => {
    const [row] = await service.rows('select user_id from directory_users where provider_id = $1', [providerId])
    return `person/${row?.user_id}`
  }
  const told = await fence(service, watching)
  await sendMessage(service, userMessage('user_told', 1))
  const person = await personNamed('user_told')
  for (const at of [0, 1]) await expect.poll(() => told()[at]).toContain(person)
  await expectTold(() => sendMessage(service, userMessage('user_told', 2, 'Augusta')), person)
  await expectTold(() => sendMessage(service, memberMessage('mem_told', 'user_told', 'org:admin', 3)), person)
  const before = await fence(service, watching)
  const { id } = await personOf(service.database, 'https://issuer.example', 'sub_told')
  for (const at of [0, 1]) await expect.poll(() => before()[at]).toContain(`person/${id}`)
})

test('a write that is refused, or repeated under its key, is told to nobody', async () => {
  const key = { headers: { 'idempotency-key': 'told-once' } }
  const made = await service.post('/api/v1/tasks', { name: 'Once' }, key)
  const told = await fence(service, watching)
  expect((await service.post('/api/v1/tasks', { name: 'Once' }, key)).data.id).toBe(made.data.id)
  expect((await service.patch(`/api/v1/tasks/${made.data.id}`, { priority: 99 })).status).toBe(422)
  expect((await service.patch(`/api/v1/tasks/${made.data.id}`, { assignee_id: uuidv7() })).status).toBe(422)
  const { id } = await make.task()
  for (const at of [0, 1]) await expect.poll(() => told()[at]).toContain(`task/${id}`)
  for (const seen of told()) expect(seen).not.toContain(`task/${made.data.id}`)
})
