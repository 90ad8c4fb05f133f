// Facts about how automations end: with files on the task and a status change, or with an error message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automations, chosenPicture, pictureOf } from '../support/automations.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { utc } from '../support/make.ts'
import { untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let on: ReturnType<typeof automations>
const provider = createProvider()

beforeAll(async () => {
  service = await startService({ ATELIER_AUTOMATION_RUN_TIMEOUT: 'PT10M' }, undefined, testNodes(provider))
  on = automations(service)
  service.app.automations.start()
  await service.app.worker.start()
})
afterAll(() => service.close())

/** A task that has just entered the automation's status, and the run that this started. */
async function entered(topic: string, definition: object = pictureOf(topic), members: object = {}) {
  await on.add(topic, definition, { ...members })
  const { id } = await on.task(topic)
  const task = await on.enter(id)
  const [run] = await on.runsOf(id)
  return { id, task, run: run.id }
}

/** Changes the task's row as if its automation had started `minutes` minutes earlier. */
const age = (id: string, minutes: number) =>
  service.rows(
    `update tasks set automation_started_at = automation_started_at - interval '${minutes} minutes' where id = '${id}'`,
  )

describe('an automation whose run succeeds', () => {
  test('puts its files on the card and moves it, in the name of its owner, and says who did what', async () => {
    const { id, run } = await entered('Success')
    const done = await on.untilState(id, 'succeeded')
    expect(done).toMatchObject({ status: 'tech_check', automation: { error: null } })
    expect(done.automation.ran_at >= done.automation.started_at).toBe(true)
    const [creative] = await on.creativesOf(id)
    expect(creative).toMatchObject({ done: true, file: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const provenance = await on.make.read(`/api/v1/creatives/${creative.id}/provenance`)
    expect(provenance).toMatchObject({ run_id: run, node_id: 'picture', exported_by: service.owner.id })
    const told = await on.told(id, 'creative', 'task_moved', 'automation')
    const by = { user_id: service.owner.id, token_id: null, name: 'Automation “On Success”' }
    expect(told.map(({ kind, by: { name } }) => [kind, name])).toEqual([
      ['task_moved', 'Owner'],
      ['automation_started', 'Owner'],
      ['creative_created', by.name],
      ['task_moved', by.name],
      ['automation_ended', by.name],
    ])
    expect(told.at(-1)).toMatchObject({ by, subject_id: run, changes: { state: { from: null, to: 'succeeded' } } })
  })

  test('changes no ETag by what it tells, only by its move', async () => {
    provider.hold()
    const { id } = await entered('Tags', pictureOf('tags'), { to_status: null })
    const before = (await service.get(`/api/v1/tasks/${id}`)).headers.etag
    await on.untilState(id, 'running')
    provider.release()
    await on.untilState(id, 'succeeded')
    expect((await service.get(`/api/v1/tasks/${id}`)).headers.etag).toBe(before)
    const conditional = await service.get(`/api/v1/tasks/${id}`, { headers: { 'if-none-match': String(before) } })
    expect(conditional.data.automation.state).toBe('succeeded')
  })

  test('leaves a task where somebody moved it meanwhile, and one that came back, too', async () => {
    for (const moves of [['creative_check'], ['backlog', 'ready_for_production']]) {
      const topic = `Moved to ${moves.at(-1)}`
      provider.hold()
      const { id } = await entered(topic)
      for (const status of moves) await on.make.patched(id, { status })
      provider.release()
      const done = await on.untilState(id, 'succeeded')
      expect(done.status).toBe(moves.at(-1))
      expect(await on.creativesOf(id)).toHaveLength(1)
    }
  })

  test('moves a task that was deleted and restored meanwhile, unless somebody had moved it before', async () => {
    for (const moves of [[], ['backlog', 'ready_for_production']]) {
      const topic = `Restored after ${moves.length} moves`
      provider.hold()
      const { id } = await entered(topic)
      for (const status of moves) await on.make.patched(id, { status })
      await on.make.deleted(`/api/v1/tasks/${id}`)
      const restored = await service.post(`/api/v1/tasks/${id}/restore`)
      expect(restored.data.status).toBe('ready_for_production')
      provider.release()
      const done = await on.untilState(id, 'succeeded')
      expect(done.status).toBe(moves.at(-1) ?? 'tech_check')
      expect(await on.creativesOf(id)).toHaveLength(1)
    }
  })

  test('starts no other by its move, so that none goes in circles', async () => {
    await on.add('Circle', pictureOf('circle back'), { on_status: 'tech_check', to_status: 'ready_for_production' })
    const { id } = await entered('Circle')
    const done = await on.untilState(id, 'succeeded')
    expect(done.status).toBe('tech_check')
    expect(await on.runsOf(id)).toHaveLength(1)
  })

  test('ends once, with one creative and one move, however many processes look', async () => {
    const others = [await service.another(), await service.another()]
    for (const { app } of others) app.automations.start()
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) ids.push((await on.task('Many eyes')).id)
    await on.add('Many eyes', pictureOf('many eyes'))
    await service.post('/api/v1/tasks/bulk', { ids, patch: { status: 'ready_for_production' } })
    for (const id of ids) {
      await on.untilState(id, 'succeeded')
      expect(await on.creativesOf(id)).toHaveLength(1)
      expect(await on.told(id, 'automation_ended')).toHaveLength(1)
      expect(await on.told(id, 'task_moved')).toHaveLength(2)
    }
    for (const other of others) await other.close()
  })

  test('tells what was refused where the result cannot be put on the card, and does none of it', async () => {
    const words = definitionOf({
      note: { type: 'input.text', params: { value: 'no file' } },
      picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg', prompt: 'a file' } },
    })
    const { id } = await entered('No file', words, { outputs: [{ node_id: 'picture' }, { node_id: 'note' }] })
    const failed = await on.untilState(id, 'failed')
    expect(failed.automation.error).toMatch(
      /^The run of “On No file” succeeded, but its result was refused\. .*made no file/,
    )
    expect(failed.status).toBe('ready_for_production')
    expect(await on.creativesOf(id)).toEqual([])

    provider.hold()
    const deleted = await entered('Deleted meanwhile')
    await on.make.deleted(`/api/v1/tasks/${deleted.id}`)
    provider.release()
    const told = await on.untilState(deleted.id, 'failed')
    expect(told.automation.error).toContain('was deleted meanwhile: restore it.')
  })
})

describe('an automation whose run does not succeed', () => {
  test('is stopped by a failing provider, and the card says what it said', async () => {
    provider.failOn('no luck')
    const { id } = await entered('Failing', pictureOf('no luck'))
    const failed = await on.untilState(id, 'failed')
    expect(failed.automation.error).toBe(
      'The run of “On Failing” failed. “copy”: The provider refused it. Once that is mended, move the task out of this column and into it again.',
    )
    expect(failed).toMatchObject({ status: 'ready_for_production', automation: { ran_at: expect.stringMatching(utc) } })
    expect(await on.creativesOf(id)).toEqual([])
    await on.make.patched(id, { status: 'backlog' })
    expect((await on.enter(id)).automation).toMatchObject({ state: 'pending', error: null })
  })

  test('says so where the run is cancelled, deleted, or changed by hand', async () => {
    provider.hold()
    const cancelled = await entered('Cancelled')
    await on.untilState(cancelled.id, 'running')
    await service.post(`/api/v1/runs/${cancelled.run}/cancel`)
    expect((await on.untilState(cancelled.id, 'failed')).automation.error).toContain('was cancelled')
    provider.release()

    const deleted = await entered('Deleted', chosenPicture('deleted'))
    await on.untilState(deleted.id, 'awaiting_input')
    await service.del(`/api/v1/runs/${deleted.run}`)
    expect((await on.untilState(deleted.id, 'failed')).automation.error).toContain('was deleted')

    const changed = await entered('Changed', chosenPicture('changed'))
    await on.untilState(changed.id, 'awaiting_input')
    await service.patch(`/api/v1/runs/${changed.run}`, { definition: chosenPicture('another') })
    expect((await on.untilState(changed.id, 'failed')).automation.error).toContain('Somebody changed the run')

    const purged = await entered('Purged', chosenPicture('purged'))
    await on.untilState(purged.id, 'awaiting_input')
    await service.rows(`delete from runs where id = '${purged.run}'`)
    expect((await on.untilState(purged.id, 'failed')).automation.error).toContain('is gone')
  })
})

describe('an automation at a gate', () => {
  test('waits as long as it takes, and goes on by what a person answers and re-rolls', async () => {
    const { id, run } = await entered('Gate', chosenPicture('gate a', 'gate b'))
    await on.untilState(id, 'awaiting_input')
    await age(id, 60 * 24)
    await on.make.patched(id, { status: 'backlog' })
    expect((await on.enter(id)).automation.state).toBe('awaiting_input')
    const person = await service.person('writer')
    const regenerate = [{ node_id: 'copy', item: 1 }]
    await service.post(`/api/v1/runs/${run}/start`, { regenerate }, { token: person.token })
    await untilStatus(service, run, 'awaiting_input')
    const parked = await on.untilState(id, 'awaiting_input')
    expect(parked.automation.ran_at).toBeNull()
    provider.hold()
    const answer = { node_id: 'pick', answer: { selected: [1] } }
    expect((await service.post(`/api/v1/runs/${run}/answers`, answer, { token: person.token })).status).toBe(200)
    provider.release()
    const done = await on.untilState(id, 'succeeded')
    expect(await on.creativesOf(id)).toHaveLength(1)
    expect(done.status).toBe('ready_for_production')
  })

  test('has its time anew from an answer on', async () => {
    const held = definitionOf(
      {
        ok: { type: 'gate.approve', inputs: { value: 'held after the gate' } },
        copy: { type: 'test.paid' },
        picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' } },
      },
      'ok.approved > copy.prompt',
      'copy.text > picture.prompt',
    )
    const { id, run, task } = await entered('Anew', held)
    await on.untilState(id, 'awaiting_input')
    await age(id, 60)
    provider.hold()
    await service.post(`/api/v1/runs/${run}/answers`, { node_id: 'ok', answer: { approved: true } })
    const running = await on.untilState(id, 'running')
    expect(running.automation.started_at > task.automation.started_at).toBe(true)
    provider.release()
    expect((await on.untilState(id, 'succeeded')).status).toBe('tech_check')
  })
})

describe('an automation past its time', () => {
  test('is given up on the card; what it still makes is not exported, and moves nothing', async () => {
    provider.hold()
    const { id, run } = await entered('Overdue')
    await on.untilState(id, 'running')
    await age(id, 11)
    const failed = await on.untilState(id, 'failed')
    expect(failed.automation.error).toMatch(/^“On Overdue” was given up: its run had not ended 10 minutes after/)
    provider.release()
    const late = await untilStatus(service, run, 'succeeded')
    expect(late.exported_at).toBeNull()
    expect(await on.read(id)).toMatchObject({ status: 'ready_for_production', automation: failed.automation })
    const byHand = await service.post(`/api/v1/runs/${run}/export`, { outputs: [{ node_id: 'picture' }] })
    expect(byHand.data.exported_creatives).toHaveLength(1)
  })

  test('leaves its place to a new one, which alone exports', async () => {
    const quiet = await startService({ ATELIER_AUTOMATION_RUN_TIMEOUT: 'PT10M' }, undefined, testNodes(provider))
    const its = automations(quiet)
    await its.add('Replaced', pictureOf('replaced'))
    const { id } = await its.task('Replaced')
    await its.enter(id)
    await quiet.rows(`update tasks set automation_started_at = now() - interval '11 minutes' where id = '${id}'`)
    await its.make.patched(id, { status: 'backlog' })
    const again = await its.enter(id)
    expect(again.automation).toMatchObject({ state: 'pending', error: null })
    const [second, first] = await its.runsOf(id)
    expect((await its.told(id, 'automation')).map(({ kind, subject_id }: Body) => [kind, subject_id])).toEqual([
      ['automation_started', first.id],
      ['automation_ended', first.id],
      ['automation_started', second.id],
    ])
    quiet.app.automations.start()
    await quiet.app.worker.start()
    await its.untilState(id, 'succeeded')
    expect((await untilStatus(quiet, first.id, 'succeeded')).exported_at).toBeNull()
    expect((await untilStatus(quiet, second.id, 'succeeded')).exported_at).not.toBeNull()
    expect(await its.creativesOf(id)).toHaveLength(1)
    await quiet.close()
  })
})

test('an automation past its time does not come back where its place was taken by one that cannot start', async () => {
  const quiet = await startService({ ATELIER_AUTOMATION_RUN_TIMEOUT: 'PT10M' }, undefined, testNodes(provider))
  const its = automations(quiet)
  await its.add('Given up', pictureOf('given up'))
  const { id } = await its.task('Given up')
  await its.enter(id)
  const [first] = await its.runsOf(id)
  await quiet.rows(`update tasks set automation_started_at = now() - interval '11 minutes' where id = '${id}'`)
  for (const name of ['One', 'Two']) {
    const broken = await its.add('Given up', pictureOf(name), { name, on_status: 'backlog' })
    await quiet.del(`/api/v1/graphs/${broken.graph_id}`)
  }
  const moved = await its.make.patched(id, { status: 'backlog' })
  expect(moved.automation).toMatchObject({ state: 'failed', error: expect.stringContaining(' could not start') })
  expect(await its.told(id, 'automation_ended')).toHaveLength(1)
  quiet.app.automations.start()
  await quiet.app.worker.start()
  await untilStatus(quiet, first.id, 'succeeded')
  // This other automation has ended after the first run, so that the automations have been settled since then.
  await its.add('Afterwards', pictureOf('afterwards'))
  const later = await its.task('Afterwards')
  await its.enter(later.id)
  await its.untilState(later.id, 'succeeded')
  expect(await its.read(id)).toMatchObject({ status: 'backlog', automation: moved.automation })
  expect(await its.creativesOf(id)).toEqual([])
  await quiet.close()
})

describe('an automation whose worker is lost', () => {
  test('goes on with another, and says so where the run is given up', async () => {
    const quiet = await startService({}, undefined, testNodes(provider))
    const its = automations(quiet)
    quiet.app.automations.start()
    await its.add('Lost', pictureOf('lost'))
    const [once, thrice] = [await its.task('Lost'), await its.task('Lost')]
    for (const { id } of [once, thrice]) await its.enter(id)
    // Simulates a worker that died while it had the run; `before`: how many workers in a row had died on the run before.
    const die = (id: string, before: number) =>
      quiet.rows(`update runs set status = 'running', worker = 'gone', lease = lease + 1, deaths = ${before},
        heartbeat_at = now() - interval '1 minute', started_at = now() where task_id = '${id}'`)
    await die(once.id, 0)
    await die(thrice.id, 2)
    await its.untilState(once.id, 'running')
    await quiet.app.worker.start()
    const failed = await its.untilState(thrice.id, 'failed')
    expect(failed.automation.error).toContain('The run was given up: 3 workers in a row were lost')
    expect((await its.untilState(once.id, 'succeeded')).status).toBe('tech_check')
    await quiet.close()
  })
})
