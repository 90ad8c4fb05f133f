// Facts about the demo workspace.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { taskStatuses } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seed } from '../support/demo.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

/** Milliseconds that a busy machine may need to start a service and its demo; one or two seconds is usual. */
const patience = 120_000

/** All tasks of a feed; every page is checked against the contract and the vocabulary of the service. */
async function readFeed(service: Service, feed: 'board' | 'deleted'): Promise<Body[]> {
  const tasks: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data } = await service.get(`/api/v1/tasks/${feed}?limit=20${cursor && `&cursor=${cursor}`}`)
    tasks.push(...data.tasks)
    cursor = data.meta.next_cursor
  }
  return tasks
}

describe('a seeded demo', () => {
  let service: Service
  let outcomes: boolean[]
  beforeAll(async () => {
    service = await startService()
    outcomes = await Promise.all([1, 2, 3].map(() => seed(service)))
  }, patience)
  afterAll(() => service.close())

  const offenders = (statement: string) => service.rows(statement)

  test('has tasks in every column, deleted ones, and about ninety creatives', async () => {
    const board = await readFeed(service, 'board')
    expect(new Set(board.map(({ status }) => status))).toEqual(new Set(taskStatuses))
    expect(board.length).toBeGreaterThanOrEqual(36)
    expect(await readFeed(service, 'deleted')).toHaveLength(3)
    const [creatives] = await service.rows(
      'select count(*) as live, count(*) filter (where done) as done from creatives',
    )
    expect(creatives.live).toBeGreaterThanOrEqual(80)
    expect(creatives.done).toBeGreaterThan(40)
    expect(creatives.done).toBeLessThan(creatives.live)
  })

  test('has records that the contract allows', async () => {
    for (const { id } of [...(await readFeed(service, 'board')), ...(await readFeed(service, 'deleted'))]) {
      for (const path of [`tasks/${id}?included=true`, `tasks/${id}/comments`, `tasks/${id}/activity`]) {
        expect((await service.get(`/api/v1/${path}`)).status).toBe(200)
      }
      expect((await service.get(`/api/v1/tasks/${id}/creatives`)).status).toBe(200)
    }
  })

  test('has counters that equal a recount', async () => {
    const drifted = await offenders(`
      select t.number from tasks t
      where (t.creatives_total, t.creatives_done, t.comment_count) is distinct from (
        (select count(*) from creatives c where c.task_id = t.id and c.deleted_at is null),
        (select count(*) from creatives c where c.task_id = t.id and c.deleted_at is null and c.done),
        (select count(*) from comments c where c.task_id = t.id))`)
    expect(drifted).toEqual([])
    const counted = `select status, deleted_at is not null as deleted, count(*) as total from tasks
      group by 1, 2 order by 1, 2`
    const summed = `select status, deleted, sum(delta) as total from task_counts
      group by 1, 2 having sum(delta) <> 0 order by 1, 2`
    expect(await service.rows(summed)).toEqual(await service.rows(counted))
  })

  test('has creatives that say what their tasks and variants say', async () => {
    const drifted = await offenders(`
      select c.name from creatives c join creative_rollup r on r.id = c.id
      where c.deleted_at is null and (c.done, c.locale, c.geo, c.subject, c.hook_type, c.ad_format, c.audience, c.tags)
        is distinct from (r.done, r.locale, r.geo, r.subject, r.hook_type, r.ad_format, r.audience, r.tags)`)
    expect(drifted).toEqual([])
  })

  test('has no two live creatives of one name', async () => {
    const twins = 'select name from creatives where deleted_at is null group by name having count(*) > 1'
    expect(await offenders(twins)).toEqual([])
  })

  test('has launches that the lookup answers, by name and by campaign id', async () => {
    const launched = await service.rows('select distinct ad_id from launches order by 1')
    expect(launched.length).toBeGreaterThanOrEqual(10)
    const adIds = launched.map(({ ad_id }) => ad_id)
    const { body } = await service.post('/api/v1/integrations/creative-tests/creatives/lookup', {
      names: ['T4_QTN_video_ugc_en-US_US_1080x1920_Night-sweats_V1_01'],
      ad_ids: adIds,
    })
    const [byName, ...byAdId] = body
    expect(byName.creatives).toMatchObject([{ ad_id: '120216239968820875', tags: ['hook-flip', 'no-voice'] }])
    for (const { creatives } of byAdId) expect(creatives.length).toBeGreaterThan(0)
  })

  test('was lived in: nothing happened in the future, out of order, or all at once', async () => {
    const impossible = await offenders(`
      select number from tasks
      where created_at > updated_at or updated_at > now() or status_entered_at not between created_at and now()
        or started_at < created_at or submitted_at < started_at or completed_at < submitted_at
        or launched_at < completed_at or deleted_at < created_at
        or (completed_at is null) <> (status not in ('done', 'archived'))
        or time_in_progress_seconds < 0 or time_on_check_seconds < 0`)
    expect(impossible).toEqual([])
    const disordered = await offenders(`
      select kind from (
        select kind, at, lag(at) over (partition by task_id order by a.id) as before, t.created_at, t.updated_at
        from activity a join tasks t on t.id = task_id) as told
      where at < before or at < created_at or at > now()
        or (kind in ('task_created', 'task_changed', 'task_moved', 'task_deleted') and at > updated_at)`)
    expect(disordered).toEqual([])
    const [days] = await service.rows('select count(distinct date(at)) as total from activity')
    expect(days.total).toBeGreaterThan(20)
    const rising = await service.rows('select number from tasks order by created_at')
    expect(rising).toEqual(rising.toSorted((a, b) => a.number - b.number))
  })

  test('has templates that tasks are made from', async () => {
    const { items } = await makers(service).read('/api/v1/task-templates')
    expect(items.length).toBe(2)
    for (const { id, name } of items) {
      const { brief } = await makers(service).read(`/api/v1/task-templates/${id}`)
      expect(Object.entries(brief).filter(([, value]) => value === null)).toEqual([])
      expect((await service.post('/api/v1/tasks', { name, ...brief })).status).toBe(200)
    }
  })

  test('has work that is overdue and work that is due this week', async () => {
    const [due] = await service.rows(`
      select count(*) filter (where deadline_at < now()) as over,
        count(*) filter (where deadline_at between now() and now() + interval '8 days') as soon
      from tasks where deleted_at is null and status not in ('done', 'archived')`)
    expect(due.over).toBeGreaterThanOrEqual(3)
    expect(due.soon).toBeGreaterThanOrEqual(5)
  })

  test('makes nobody an admin', async () => {
    const admins = await service.rows(`select id from users where role = 'admin'`)
    expect(admins).toEqual([{ id: service.owner.id }])
  })

  test('is added once by processes that start together', async () => {
    expect(outcomes.toSorted()).toEqual([false, false, true])
    expect(await offenders('select name from tasks group by name having count(*) > 1')).toEqual([])
  })

  test('is not added to tasks that are there', async () => {
    const before = await service.rows('select id, updated_at from tasks order by id')
    expect(await seed(service)).toBe(false)
    expect(await service.rows('select id, updated_at from tasks order by id')).toEqual(before)
  })
})

describe('a demo in a deployment with vocabularies of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'atelier-vocabulary-'))
  let service: Service
  beforeAll(async () => {
    const file = path.join(folder, 'vocabulary.json')
    writeFileSync(file, JSON.stringify({ Source: ['META', 'RADIO'], Geo: ['US'], HookType: ['pov'] }))
    service = await startService({ ATELIER_VOCABULARY: file })
    await seed(service)
  }, patience)
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  test('says nothing that they do not have', async () => {
    const tasks = [...(await readFeed(service, 'board')), ...(await readFeed(service, 'deleted'))]
    expect(new Set(tasks.map(({ source }) => source))).toEqual(new Set(['META']))
    expect(new Set(tasks.map(({ geo }) => geo))).toEqual(new Set(['US', null]))
    for (const { id } of tasks) expect((await service.get(`/api/v1/tasks/${id}`)).status).toBe(200)
  })

  test('has a deleted task that comes back once a creative of it gets another name', async () => {
    const refused: Body[] = []
    for (const { id } of await readFeed(service, 'deleted')) {
      const { status, body } = await service.post(`/api/v1/tasks/${id}/restore`)
      if (status !== 200) refused.push({ id, ...body })
    }
    expect(refused).toMatchObject([{ status: 409, code: 'creative_name_taken', conflicts: [{}] }])
    const [{ id, conflicts }] = refused
    const name = `${conflicts[0].name}_original`
    expect((await service.patch(`/api/v1/creatives/${conflicts[0].creative_id}`, { name })).status).toBe(200)
    const { status, data } = await service.post(`/api/v1/tasks/${id}/restore`)
    expect(status).toBe(200)
    expect(data).toMatchObject({ status: 'in_progress', deleted_at: null })
    const { data: creatives } = await service.get(`/api/v1/tasks/${id}/creatives`)
    expect(creatives.items).toHaveLength(3)
  })

  test('has a deleted task that comes back without the creative that was deleted before it', async () => {
    const [task] = await service.rows("select id from tasks where name like 'Raw or cooked%'")
    expect((await service.post(`/api/v1/tasks/${task.id}/restore`)).status).toBe(200)
    const [creatives] = await service.rows(`
      select count(*) filter (where deleted_at is null) as live, count(*) as total
      from creatives where task_id = '${task.id}'`)
    expect(creatives).toEqual({ live: 2, total: 3 })
  })
})
