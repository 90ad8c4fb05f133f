// In charge of filling a service of any version over its API with every kind of record in every lasting state. Afterwards the
// service is killed while one run is running and another is queued, so its settings must allow only one run at a time.
import { taskStatuses } from '@atelier/contract/enums.ts'
import { Webhook } from 'standardwebhooks'
import { choice, copy, failing, interrupted, slow, unpaid } from './definitions.ts'
import { fillMoney } from './fill-money.ts'
import { fillReview } from './fill-review.ts'
import { until, untilStatus } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the code that fills a service reads arbitrary members of responses
type Body = any

export type Ids = Record<string, string>

/** A client for a service of any version. */
export type Speaker = {
  /** Sends a request that must succeed; returns the `data` of the response. */
  ask(method: string, path: string, body?: unknown): Promise<Body>
  send(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response>
  /** The same client with another token. */
  as(token: string): Speaker
}

export function speakerOf(url: string, token: string): Speaker {
  const send: Speaker['send'] = (method, path, options) => fetch(url + path, { method, redirect: 'manual', ...options })
  return {
    send,
    as: (other) => speakerOf(url, other),
    async ask(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await send(method, `/api/v1${path}`, { headers, ...sent })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? null : JSON.parse(text).data
    },
  }
}

/**
 * Fills the service; returns the ids that tests look for, and the result of `read`. The last two runs, which are unfinished when
 * the service is killed, start only after `read` has returned, so that nothing changes while `read` reads.
 */
export async function fill<T>(
  speaker: Speaker,
  webhookSecret: string,
  token: string,
  read: (ids: Ids) => Promise<T>,
): Promise<{ ids: Ids; reads: T }> {
  const people = await fillPeople(speaker, webhookSecret)
  const board = await fillBoard(speaker, people, token)
  const runs = await fillRuns(speaker, board)
  const newer = (await knows(speaker, '/api/v1/approvals'))
    ? { ...(await fillReview(speaker, people, token)), ...(await fillMoney(speaker, people)) }
    : {}
  const ids = { ...people, ...board, ...runs, ...newer }
  const reads = await read(ids)
  return { ids: { ...ids, ...(await leaveUnderWay(speaker)) }, reads }
}

/** Whether the service has a route with this path. */
async function knows({ send }: Speaker, path: string): Promise<boolean> {
  const document: Body = await (await send('GET', '/openapi.json', {})).json()
  return document.paths[path] !== undefined
}

async function fillPeople({ ask, send }: Speaker, webhookSecret: string): Promise<Ids> {
  const writer = await ask('POST', '/users', { name: 'Maren Okafor', email: 'maren@example.com', role: 'writer' })
  const gone = await ask('POST', '/users', { name: 'Left in spring', role: 'reader' })
  await ask('PATCH', `/users/${gone.id}`, { active: false })
  await ask('POST', '/tokens', { name: 'Ad server', scopes: ['read', 'launches:write'] })
  const revoked = await ask('POST', '/tokens', { name: 'Old script', scopes: ['read'], user_id: writer.id })
  await ask('DELETE', `/tokens/${revoked.id}`)
  const link = await ask('POST', '/sign-in-links', { user_id: writer.id })
  await ask('POST', '/sign-in-links', {}) // this link stays unused
  const { pathname, search } = new URL(link.url)
  await send('GET', pathname + search, { headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' } })

  const tell = async (id: string, body: object): Promise<void> => {
    const raw = JSON.stringify(body)
    const at = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(webhookSecret).sign(id, at, raw),
    }
    const answer = await send('POST', '/webhooks/identity-provider', { headers, body: raw })
    if (!answer.ok) throw new Error(`The webhook: ${answer.status} ${await answer.text()}`)
  }
  const organization = { id: 'org_1', name: 'Quiltern' }
  for (const [id, name, role] of [
    ['user_1', 'Ada', 'org:admin'],
    ['user_2', 'Grace', 'org:member'],
  ]) {
    const data = { id, first_name: name, last_name: 'Example', email_addresses: [], updated_at: 1_700_000_000_000 }
    await tell(`msg_${id}`, { type: 'user.created', object: 'event', data })
    const member = {
      id: `mem_${id}`,
      role,
      organization,
      public_user_data: { user_id: id },
      updated_at: 1_700_000_000_001,
    }
    await tell(`msg_mem_${id}`, { type: 'organizationMembership.created', object: 'event', data: member })
  }
  await tell('msg_deleted', { type: 'user.deleted', data: { object: 'user', id: 'user_2', deleted: true } })
  return { writer: writer.id, gone: gone.id }
}

async function fillBoard({ ask, send }: Speaker, { writer }: Ids, token: string): Promise<Ids> {
  const product = await ask('POST', '/products', { name: 'Cooling duvet' })
  const uploaded = await send('POST', '/api/v1/files', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'video/mp4' },
    body: 'the film',
  })
  const { data: file }: Body = await uploaded.json()
  const tasks: Ids = {}
  for (const [index, status] of taskStatuses.entries()) {
    const task = await ask('POST', '/tasks', {
      ...{ name: `Größe “ß” ${status}`, status, product_id: product.id, assignee_id: writer, count: 2 },
      ...{ subtopics: ['a, b', '"quoted"'], landing: { url: 'https://example.com/?a=1&b=2', deep: [null, 1.5] } },
      ...{ deadline_at: '2027-03-04T05:06:07.089Z', priority: 1 + (index % 3), hypothesis: 'Curiosity beats claims.' },
      variants: [{ key: 'a', variation_num: 1, tag_slugs: ['hook'], description: 'the calm one' }],
    })
    tasks[status] = task.id
    await ask('POST', `/tasks/${task.id}/creatives`, { variation_num: 1, completed: index % 2 === 0 })
    await ask('POST', `/tasks/${task.id}/creatives`, { file: file.digest, name: `FILM_${index}` })
    await ask('POST', `/tasks/${task.id}/comments`, { text: `The second hook reads better.\n${index}` })
  }
  const { items: filmed } = await ask('GET', `/tasks/${tasks.archived}/creatives`)
  await ask('PATCH', `/creatives/${filmed[0].id}`, { name: 'RENAMED' })
  await ask('PATCH', `/creatives/${filmed[0].id}/marks`, { deepfake: false, label: true })
  const { items: comments } = await ask('GET', `/tasks/${tasks.done}/comments`)
  await ask('DELETE', `/comments/${comments[0].id}`)

  const deleted = await ask('POST', '/tasks', { name: 'Deleted by mistake', status: 'in_progress' })
  for (const name of ['TAKEN', 'FREE']) await ask('POST', `/tasks/${deleted.id}/creatives`, { name })
  await ask('DELETE', `/tasks/${deleted.id}`)
  await ask('POST', `/tasks/${tasks.backlog}/creatives`, { name: 'TAKEN' })
  const whole = await ask('POST', '/tasks', { name: 'Comes back whole', source_creative_ids: [filmed[0].id] })
  await ask('POST', `/tasks/${whole.id}/creatives`, { name: 'WHOLE' })
  await ask('DELETE', `/tasks/${whole.id}`)

  const at = '/integrations/creative-tests'
  const ad = (number: number) => `2385215040447000${number}`
  await ask('POST', `${at}/creatives/launches`, {
    launches: [
      { name: 'FILM_5', ad_id: ad(1), launched_at: '2026-10-11T12:13:14.150Z' },
      { name: 'NAMED_BY_NOBODY_YET', ad_id: ad(2) },
    ],
  })
  await ask('POST', `${at}/packs/launches`, { launches: [{ task_id: tasks.done, ad_id: ad(3) }] })
  await ask('POST', '/tasks/bulk', { ids: [tasks.archived, tasks.done], patch: { test_status: 'tested' } })
  const named = Object.entries(tasks).map(([status, id]) => [`task_${status}`, id])
  return { ...Object.fromEntries(named), deleted: deleted.id, whole: whole.id, file: file.digest }
}

async function fillRuns(speaker: Speaker, board: Ids): Promise<Ids> {
  const { ask } = speaker
  const run = (graph: Body, body: object = {}) => ask('POST', `/graphs/${graph.id}/runs`, body)
  const ended = (id: string, status: string) => untilStatus(speaker, id, status)
  const graph = (name: string, definition: object) =>
    ask('POST', '/graphs', { name, definition, ui_state: { x: 1, y: 2 } })

  const edited = await graph('Edited', copy('pillows'))
  await ask('PATCH', `/graphs/${edited.id}`, { name: 'Headlines', definition: copy('pillows\nduvets') })
  await ask('PATCH', `/graphs/${edited.id}`, { description: 'One for each line.' })
  const gone = await ask('POST', `/graphs/${edited.id}/fork`)
  await ask('DELETE', `/graphs/${gone.id}`)
  const chosen = await graph('Choice', choice('moonlight\nmorning'))

  const succeeded = await run(edited, { execute: true })
  await ended(succeeded.id, 'succeeded')
  const rerolled = await run(edited, { execute: true })
  await ended(rerolled.id, 'succeeded')
  await ask('POST', `/runs/${rerolled.id}/start`, { regenerate: [{ node_id: 'copy', item: 1 }] })
  await ended(rerolled.id, 'succeeded')
  const draft = await run(edited)
  const goneRun = await run(edited)
  await ask('DELETE', `/runs/${goneRun.id}`)
  const failed = await run(await graph('Broken', failing), { execute: true })
  await ended(failed.id, 'failed')
  const cancelled = await run(await graph('Cancelled', slow('one\ntwo', 60_000)), { execute: true })
  await ended(cancelled.id, 'running')
  await ask('POST', `/runs/${cancelled.id}/cancel`)
  await ended(cancelled.id, 'cancelled')

  const card = board.task_in_progress
  const exported = await run(chosen, { execute: true, task_id: card, pinned_task_id: card })
  await ended(exported.id, 'awaiting_input')
  await ask('POST', `/runs/${exported.id}/answers`, { node_id: 'pick', answer: { selected: [1] } })
  await ended(exported.id, 'succeeded')
  await ask('POST', `/runs/${exported.id}/export`, { outputs: [{ node_id: 'picture' }] })
  const forked = await ask('POST', `/runs/${exported.id}/start`)
  await ended(forked.id, 'succeeded')
  const parked = await run(chosen, { execute: true })
  await ended(parked.id, 'awaiting_input')

  const automation = await ask('POST', '/automations', {
    ...{ name: 'Pictures', on_status: 'ready_for_production', graph_id: chosen.id, to_status: 'tech_check' },
    ...{
      query: { combinator: 'and', rules: [{ field: 'topic', operator: '=', value: 'Sleep' }] },
      outputs: [{ node_id: 'picture' }],
    },
  })
  const automated = await ask('POST', '/tasks', { name: 'Made by an automation', topic: 'Sleep' })
  await ask('PATCH', `/tasks/${automated.id}`, { status: 'ready_for_production' })
  await until(async () => (await ask('GET', `/tasks/${automated.id}`)).automation?.state === 'awaiting_input')
  return {
    ...{ graph: edited.id, goneGraph: gone.id, choice: chosen.id, automation: automation.id, automated: automated.id },
    ...{
      succeeded: succeeded.id,
      rerolled: rerolled.id,
      draft: draft.id,
      goneRun: goneRun.id,
      failed: failed.id,
      cancelled: cancelled.id,
    },
    ...{ exported: exported.id, forked: forked.id, parked: parked.id },
  }
}

/** Starts a run and returns once some of its pictures are made and others are not; a second run waits in the queue. */
async function leaveUnderWay(speaker: Speaker): Promise<Ids> {
  const { ask } = speaker
  const graph = async (name: string, definition: object) => (await ask('POST', '/graphs', { name, definition })).id
  const pictures = await graph('Under way', interrupted('one\ntwo\nthree\nfour\nfive\nsix', 500))
  const running = await ask('POST', `/graphs/${pictures}/runs`, { execute: true })
  await untilStatus(speaker, running.id, 'running')
  const queued = await ask('POST', `/graphs/${await graph('Queued', unpaid)}/runs`, { execute: true })
  await until(async () => (await ask('GET', `/runs/${running.id}`)).credits_total >= 6)
  return { running: running.id, queued: queued.id }
}
