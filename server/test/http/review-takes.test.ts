// Facts about takes (new versions of a picture): a comment can have a run make its picture again, and the result is proposed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeRuns } from '../../src/engine/store/purge.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../support/runs.ts'

let service: Service
let other: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  other = await service.another()
  make = makers(service)
  await service.app.worker.start()
})
afterAll(async () => {
  await other.close()
  await service.close()
})

const drawn = { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' } }
const three = definitionOf(
  {
    list: { type: 'list.collect', inputs: { values: ['tea', 'jam', 'ink'] } },
    image: { ...drawn, each: ['prompt'] },
  },
  'list.list > image.prompt',
)
/** A picture that a person must approve before the next node uses it. */
const approved = definitionOf(
  {
    image: { ...drawn, inputs: { prompt: 'salt' } },
    ok: { type: 'gate.approve' },
    crop: { type: 'image.crop', params: { ratio: '4:5' } },
  },
  'image.image > ok.value',
  'ok.approved > crop.image',
)

/** A picture that cannot be made once a change is requested: the filter `shuffle` does not exist. */
const failing = definitionOf({
  image: { ...drawn, params: { ...drawn.params, prompt: 'tea {% if changes %}{{ changes | shuffle }}{% endif %}' } },
})

/** A task with a creative that was exported from a node of a run. */
async function exported(definition: object, node: string, answer = false) {
  const task = await make.task()
  const { id } = await makeRun(service, definition, { pinned_task_id: task.id })
  let run = await runThrough(service, id)
  if (answer) run = await approve(id)
  expect(run.status, run.error).toBe('succeeded')
  const put = await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: node }] })
  expect(put.status, put.text).toBe(200)
  const creatives: Body[] = (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  return { task, run, creatives, creative: creatives[0] as Body }
}
async function approve(id: string): Promise<Body> {
  const { status, text } = await service.post(`/api/v1/runs/${id}/answers`, {
    node_id: 'ok',
    answer: { approved: true },
  })
  expect(status, text).toBe(200)
  return untilStatus(service, id, 'succeeded')
}
const say = async (creative: Body, text: string, members: object = {}): Promise<Body> =>
  (await service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text, ...members })).data
const plan = (comment: Body): Promise<Body> => make.read(`/api/v1/review-comments/${comment.id}/take-plan`)
const start = (comment: Body) => service.post(`/api/v1/review-comments/${comment.id}/takes`)
const decide = (take: Body, verdict: string) => service.post(`/api/v1/review-takes/${take.id}/verdict`, { verdict })
const commentOf = async (creative: Body, { id }: Body): Promise<Body> =>
  (await make.read(`/api/v1/creatives/${creative.id}/review-comments`)).items.find((one: Body) => one.id === id)
const untilTake = (creative: Body, comment: Body, state: string): Promise<Body> =>
  eventually(async () => {
    const { take } = await commentOf(creative, comment)
    if (take.state !== state) throw new Error(`The take is not ${state}: ${JSON.stringify(take)}`)
    return take
  })
/** The owner's notices about takes of a creative, newest first. */
const noticesOf = async ({ id }: Body): Promise<Body[]> =>
  (await make.read('/api/v1/notices?limit=100')).items.filter(
    ({ creative_id, kind }: Body) => creative_id === id && kind.startsWith('take_'),
  )
const versionsOf = async (creative: Body): Promise<Body[]> =>
  (await make.read(`/api/v1/creatives/${creative.id}/versions`)).items

test('a take whose run is over is proposed once, by whichever process looks first', async () => {
  const { creative } = await exported(three, 'image')
  const comment = await say(creative, 'Make this warmer')
  const { data } = await start(comment)
  await untilStatus(service, data.take.run_id, 'succeeded')
  // The state after a process was killed between the end of the run and the proposal.
  expect((await commentOf(creative, comment)).take).toMatchObject({ state: 'under_way', version: null })
  for (const { app } of [service, other]) app.takes.start()
  await untilTake(creative, comment, 'proposed')
  expect(await versionsOf(creative)).toHaveLength(2)
  const notices = await noticesOf(creative)
  expect(notices).toMatchObject([{ kind: 'take_proposed', unread: true, excerpt: 'Make this warmer' }])
  expect(notices[0]?.path).toBe(`/tasks/${creative.task_id}#creatives/${creative.id}`)
  expect(notices[0]?.sentence).toMatch(/^The take that you asked for of “.*” is proposed$/)
})

describe('a take', () => {
  test('rolls the one item with the words of the comment, in a fork, and pays no sibling again', async () => {
    const { creatives, run } = await exported(three, 'image')
    const [, creative] = creatives as [Body, Body]
    const comment = await say(creative, 'Make this warmer', { mark: { kind: 'pin', lines: [[[0.25, 0.5]]] } })
    expect(comment.take).toBeNull()
    expect(await plan(comment)).toMatchObject({
      ...{ why_not: null, run_id: run.id, node_id: 'image', item: 1 },
      credits: { least: 1, most: 1 },
    })
    const started = await start(comment)
    expect(started.data.take).toMatchObject({ state: 'under_way', by: { user_id: service.owner.id } })
    const take = await untilTake(creative, comment, 'proposed')
    const fork = await readRun(service, take.run_id)
    expect(fork).toMatchObject({ copied_from: run.id, credits_consumed: 1 })
    expect(fork.exported_at).not.toBeNull()
    const pictures = (of: Body) => of.nodes.image.outputs.image.map(({ digest }: Body) => digest)
    expect(pictures(fork).map((digest: string, at: number) => digest === pictures(run)[at])).toEqual([
      true,
      false,
      true,
    ])
    const [second, first] = await versionsOf(creative)
    expect(second).toMatchObject({ number: 2, current: false, made_by: { run_id: fork.id, node_id: 'image', item: 1 } })
    expect(first).toMatchObject({ number: 1, current: true, file: creative.file })
    const { inputs } = await make.read(`/api/v1/runs/${fork.id}/nodes/image/takes?item=1`)
    expect(inputs).toEqual({ changes: 'Make this warmer (at 25 % from the left and 50 % from the top)' })
  })

  test('that is used becomes the current version, which the comment is addressed in; the next one goes on from it', async () => {
    const { creative, run } = await exported(three, 'image')
    const comment = await say(creative, 'Make this warmer')
    await start(comment)
    const take = await untilTake(creative, comment, 'proposed')
    const used = await decide(take, 'use')
    expect(used.data).toMatchObject({ resolved: { version: 2 }, take: { state: 'used', version: 2 } })
    expect((await decide(take, 'use')).data.take.state).toBe('used')
    expect(refusal(await decide(take, 'dismiss'))).toEqual([409, 'take_not_proposed'])
    const versions = await versionsOf(creative)
    expect(versions.map(({ number, current, made_by }) => [number, current, made_by.run_id])).toEqual([
      [2, true, take.run_id],
      [1, false, run.id],
    ])
    expect(await make.read(`/api/v1/creatives/${creative.id}/provenance`)).toMatchObject({
      ...{ run_id: take.run_id, file: versions[0]?.file },
      inputs: { changes: 'Make this warmer' },
    })
    const next = await say(creative, 'And darker')
    await start(next)
    const again = await untilTake(creative, next, 'proposed')
    const { copied_from } = await readRun(service, again.run_id)
    expect(copied_from).toBe(take.run_id)
    const { inputs } = await make.read(`/api/v1/runs/${again.run_id}/nodes/image/takes?item=0`)
    expect(inputs).toEqual({ changes: 'Make this warmer\nAnd darker' })
    const { items } = await make.read(`/api/v1/tasks/${creative.task_id}/activity`)
    const kinds = items.map(({ kind }: Body) => kind).filter((kind: string) => kind.startsWith('review_take'))
    expect(kinds.toReversed()).toEqual([
      'review_take_started',
      'review_take_ended',
      'review_take_decided',
      'review_take_started',
      'review_take_ended',
    ])
  })

  test('whose version, or the one before it, is made current again has with it how that file was made', async () => {
    const { creative, run } = await exported(definitionOf({ image: { ...drawn, inputs: { prompt: 'mint' } } }), 'image')
    const comment = await say(creative, 'Greener')
    await start(comment)
    const made = () => make.read(`/api/v1/creatives/${creative.id}/provenance`)
    const take = await untilTake(creative, comment, 'proposed')
    await decide(take, 'use')
    expect(await made()).toMatchObject({ run_id: take.run_id })
    const choose = (number: number) => service.post(`/api/v1/creatives/${creative.id}/versions/current`, { number })
    expect((await choose(1)).status).toBe(200)
    expect(await made()).toMatchObject({ run_id: run.id })
    await choose(2)
    expect(await made()).toMatchObject({ run_id: take.run_id })
    // An uploaded file has no provenance.
    const upload = await service.ask('POST', '/api/v1/files', {
      raw: Buffer.from('a'),
      headers: { 'content-type': 'text/plain' },
    })
    await service.patch(`/api/v1/creatives/${creative.id}`, { file: upload.data.digest })
    expect(await made()).toBeNull()
    await choose(1)
    expect(await made()).toMatchObject({ run_id: run.id })
    await choose(3)
    expect(await made()).toBeNull()
    await choose(2)
    expect(await made()).toMatchObject({ run_id: take.run_id })
  })

  test('that is dismissed leaves all as it was, and another may be made', async () => {
    const { creative } = await exported(three, 'image')
    const comment = await say(creative, 'Make this warmer')
    await start(comment)
    const take = await untilTake(creative, comment, 'proposed')
    expect((await start(comment)).data.take.id).toBe(take.id)
    expect((await decide(take, 'dismiss')).data).toMatchObject({ resolved: null, take: { state: 'dismissed' } })
    expect((await versionsOf(creative)).map(({ current }) => current)).toEqual([false, true])
    expect((await start(comment)).data.take).toMatchObject({ state: 'under_way' })
    await untilTake(creative, comment, 'proposed')
  })

  test('is started once by clicks and people at once', async () => {
    const { creative, run } = await exported(three, 'image')
    const comment = await say(creative, 'Make this warmer')
    const person = await service.person('writer')
    const path = `/api/v1/review-comments/${comment.id}/takes`
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => start(comment)),
      ...[1, 2].map(() => other.post(path, {}, { token: person.token })),
    ])
    expect(new Set(replies.map(({ data, text }) => data?.take?.id ?? text)).size).toBe(1)
    const forks = await service.rows('select id from runs where copied_from = $1', [run.id])
    expect(forks).toHaveLength(1)
    await untilTake(creative, comment, 'proposed')
  })

  test('waits at a gate after what is rolled, keeps its comment meanwhile, fails with a cancelled run, and may be tried again', async () => {
    const { creative, run } = await exported(approved, 'crop', true)
    const comment = await say(creative, 'Make this warmer')
    expect(await plan(comment)).toMatchObject({ why_not: null, node_id: 'image', item: null, run_id: run.id })
    const { take } = (await start(comment)).data
    await untilStatus(service, take.run_id, 'awaiting_input')
    expect((await commentOf(creative, comment)).take).toMatchObject({
      ...{ state: 'under_way', run_status: 'awaiting_input' },
    })
    const remove = () => service.del(`/api/v1/review-comments/${comment.id}`)
    expect(refusal(await remove())).toEqual([409, 'take_under_way'])
    await service.post(`/api/v1/runs/${take.run_id}/cancel`)
    expect(await untilTake(creative, comment, 'failed')).toMatchObject({
      error: 'Its run was cancelled.',
      version: null,
    })
    await service.del(`/api/v1/runs/${take.run_id}`)
    expect(await noticesOf(creative)).toMatchObject([{ kind: 'take_failed', excerpt: 'Its run was cancelled.' }])
    const second = (await start(comment)).data.take
    await untilStatus(service, second.run_id, 'awaiting_input')
    await approve(second.run_id)
    expect(await untilTake(creative, comment, 'proposed')).toMatchObject({ version: 2 })
    expect((await noticesOf(creative)).map(({ kind }) => kind)).toEqual(['take_proposed', 'take_failed'])
    expect((await remove()).status).toBe(200)
  })
})

test('an older version that replaces the file meanwhile takes nothing from the take, the comment or a guest', async () => {
  const { creative } = await exported(approved, 'crop', true)
  const comment = await say(creative, 'Make this warmer', { visibility: 'guests' })
  const link = await service.post(`/api/v1/tasks/${creative.task_id}/guest-links`, { name: 'The client' })
  const entered = await service.post('/api/v1/guest/enter', { link: link.data.url.split('#')[1], name: 'Grace' })
  const guest = { token: entered.data.token }
  const { take } = (await start(comment)).data
  await untilStatus(service, take.run_id, 'awaiting_input')
  // Writes as version 0.2.0 of the product does, which knows no versions of files, takes or guests.
  const uploaded = await make.file('uploaded meanwhile', 'image/png')
  await service.rows('update creatives set file = $2, updated_at = now() where id = $1', [creative.id, uploaded])
  await approve(take.run_id)
  expect(await untilTake(creative, comment, 'proposed')).toMatchObject({ version: 3 })
  const versions = await versionsOf(creative)
  expect(versions.map(({ number, current, file }) => [number, current, file])).toEqual([
    [3, false, expect.any(String)],
    [2, true, uploaded],
    [1, false, creative.file],
  ])
  const [seen] = (await service.get('/api/v1/guest/creatives', guest)).data.items
  expect(seen).toMatchObject({ version: 2, file: uploaded })
  const said = (await service.get(`/api/v1/guest/creatives/${creative.id}/comments`, guest)).data.items
  expect(said).toMatchObject([{ text: 'Make this warmer', version: 1, resolved: false }])
})

test('a run of a take that fails is said once to whoever asked: as the take', async () => {
  const { creative } = await exported(failing, 'image')
  const comment = await say(creative, 'Make this warmer')
  const { take } = (await start(comment)).data
  const { error } = await untilTake(creative, comment, 'failed')
  const notices = async (): Promise<Body[]> => (await make.read('/api/v1/notices?limit=100')).items
  const [newest, ...others] = await notices()
  expect(newest).toMatchObject({ kind: 'take_failed', creative_id: creative.id, excerpt: error.slice(0, 200) })
  expect(others.filter(({ run_id }) => run_id === take.run_id)).toEqual([])
  // The run no longer has an unfinished take, so its next failure is reported as a failed run.
  expect((await runThrough(service, take.run_id)).status).toBe('failed')
  expect((await notices())[0]).toMatchObject({ kind: 'run_failed', run_id: take.run_id })
})

describe('no take is made', () => {
  const expectNone = async (creative: Body, comment: Body, code: string, why: RegExp) => {
    expect((await plan(comment)).why_not).toMatch(why)
    const refused = await start(comment)
    expect(refusal(refused)).toEqual([409, code])
    expect(refused.body.detail).toMatch(why)
    expect((await commentOf(creative, comment))?.take ?? null).toBeNull()
  }

  test('of what was uploaded, nor because of an answer', async () => {
    const task = await make.task()
    const creative = await make.creative(task.id, { file: await make.file('uploaded', 'image/png') })
    const comment = await say(creative, 'Warmer')
    await expectNone(creative, comment, 'take_impossible', /^Version 1 was uploaded/)
    await expectNone(creative, await say(creative, 'Yes', { thread_id: comment.id }), 'take_impossible', /^An answer/)
  })

  test('while the run behind it or its graph is deleted, and where nothing takes words', async () => {
    const { creative, run } = await exported(three, 'image')
    const comment = await say(creative, 'Warmer')
    await service.del(`/api/v1/runs/${run.id}`)
    await expectNone(creative, comment, 'run_deleted', /is deleted: undelete it first/)
    await service.post(`/api/v1/runs/${run.id}/undelete`)
    await service.del(`/api/v1/graphs/${run.graph_id}`)
    await expectNone(creative, comment, 'graph_deleted', /graph of the run .* is deleted/)
    const file = await make.file('a given picture', 'image/png')
    const given = {
      type: 'input.file',
      params: { file: { digest: file, media_type: 'image/png', size: 15, name: 'a.png' } },
    }
    const passed = await exported(definitionOf({ given }), 'given')
    await expectNone(passed.creative, await say(passed.creative, 'Warmer'), 'take_impossible', /takes words/)
  })

  test('of a run that was purged: the words say what to do instead, and the version and the comment stay', async () => {
    const { creative, run } = await exported(three, 'image')
    const comment = await say(creative, 'Warmer')
    await service.del(`/api/v1/runs/${run.id}`)
    await service.rows(`update runs set deleted_at = '2020-01-01' where id = $1`, [run.id])
    await purgeRuns(service.database)
    await expectNone(creative, comment, 'take_impossible', /is gone for good\. Put a changed file on the creative/)
    expect(await versionsOf(creative)).toMatchObject([{ number: 1, current: true, file: creative.file }])
  })

  test('by who may not start runs, and none is decided about that is under way', async () => {
    const { creative } = await exported(approved, 'crop', true)
    const comment = await say(creative, 'Warmer')
    const reader = await service.person('reader')
    const path = `/api/v1/review-comments/${comment.id}/takes`
    expect(refusal(await service.post(path, {}, { token: reader.token }))).toEqual([403, 'insufficient_scope'])
    const { take } = (await start(comment)).data
    expect(refusal(await decide(take, 'use'))).toEqual([409, 'take_not_proposed'])
    await service.del(`/api/v1/creatives/${creative.id}`)
    expect(refusal(await start(comment))).toEqual([409, 'creative_deleted'])
  })
})

test('a delete takes versions, comments, decisions, takes and links along, a restore brings back exactly these, a purge all', async () => {
  const { creative, task } = await exported(three, 'image')
  const reader = await service.person('reader')
  const comment = await say(creative, 'Make this warmer', { mentions: [reader.id] })
  await say(creative, 'Yes', { thread_id: comment.id })
  await start(comment)
  await untilTake(creative, comment, 'proposed')
  const decision = { file: creative.file, decision: 'changes_wanted', note: 'Too cold' }
  await service.post(`/api/v1/creatives/${creative.id}/decisions`, decision)
  const link = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  await service.post('/api/v1/guest/enter', { link: link.data.url.split('#')[1], name: 'Grace' })
  const about = { creative_id: creative.id, task_id: task.id, link_id: link.data.id, user_key: creative.id }
  const tables = {
    creative_versions: 'creative_id',
    review_comments: 'creative_id',
    review_decisions: 'creative_id',
    review_takes: 'creative_id',
    guest_links: 'task_id',
    guests: 'link_id',
    notices: 'task_id',
    file_uses: 'user_key',
  } as const
  const all = async () => {
    const found = Object.entries(tables).map(async ([table, column]) => {
      const rows = await service.rows(`select to_json(x)::text as row from ${table} x where ${column} = $1`, [
        about[column],
      ])
      return [table, rows.map(({ row }) => row).toSorted()] as const
    })
    return Object.fromEntries(await Promise.all(found))
  }
  const before = await all()
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
  for (const path of [`/api/v1/tasks/${task.id}`, `/api/v1/creatives/${creative.id}`]) {
    await make.deleted(path)
    await make.restored(path)
    expect(await all()).toEqual(before)
  }
  // Purging a single creative keeps the guest links and guests of its task.
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await purgeAtOnce(service)
  const { guest_links, guests, ...ofCreative } = await all()
  expect([guest_links, guests]).toEqual([before.guest_links, before.guests])
  expect(Object.values(ofCreative).flat()).toEqual([])
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await purgeAtOnce(service)
  expect(Object.values(await all()).flat()).toEqual([])
})
