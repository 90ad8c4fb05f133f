// Facts about moves between statuses: timestamps, accumulated times, returns and reopening.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const move = (task: Body, status: TaskStatus): Promise<Body> => make.patched(task.id, { status })

/** Moves all timestamps of the task one hour back, as if the task had been in its status one hour longer. */
async function age(task: Body): Promise<void> {
  const stamps = ['status_entered_at', 'started_at', 'submitted_at', 'completed_at', 'updated_at', 'created_at']
  const older = stamps.map((stamp) => `${stamp} = ${stamp} - interval '1 hour'`).join(', ')
  await service.rows(`update tasks set ${older} where id = $1`, [task.id])
}

const hour = 3600
/** Whole hours, ignoring the seconds that the test itself takes. */
const hours = (seconds: number): number => {
  expect(seconds % hour).toBeLessThan(30)
  return Math.floor(seconds / hour)
}
const times = (task: Body) => [hours(task.time_in_progress_seconds), hours(task.time_on_check_seconds)]

const pairs = taskStatuses.flatMap((from) => taskStatuses.filter((to) => to !== from).map((to) => ({ from, to })))
const isCheck = (status: TaskStatus) => status === 'tech_check' || status === 'creative_check'

/** Every possible move, each with a task that had been in its status for an hour. */
let moves: { from: TaskStatus; to: TaskStatus; created: Body; aged: Body; moved: Body }[]
beforeAll(async () => {
  moves = []
  for (const { from, to } of pairs) {
    const created = await make.task({ status: from })
    await age(created)
    const aged = await make.patched(created.id, { notes: 'x', status: from })
    moves.push({ from, to, created, aged, moved: await move(created, to) })
  }
})

test('any status may follow any other', () => {
  expect(moves).toHaveLength(42)
  for (const { from, to, created, moved } of moves) {
    expect(created.status).toBe(from)
    expect(moved.status, `${from} → ${to}`).toBe(to)
  }
})

test('entering a status stamps status_entered_at, and nothing else does', () => {
  for (const { from, to, created, aged, moved } of moves) {
    expect(created.status_entered_at).toBe(created.created_at)
    expect(Date.parse(aged.updated_at) - Date.parse(aged.status_entered_at), `${from} again`).toBeGreaterThan(
      hour * 1000 - 1,
    )
    expect(moved.status_entered_at, `${from} → ${to}`).toBe(moved.updated_at)
    expect(moved.status_entered_at).toMatch(utc)
  }
})

test('started_at is the first in_progress and stays', async () => {
  const task = await make.task()
  expect(task.started_at).toBeNull()
  const started = await move(task, 'in_progress')
  expect(started.started_at).toBe(started.status_entered_at)
  for (const status of ['done', 'backlog', 'in_progress', 'archived'] as const) {
    expect((await move(task, status)).started_at).toBe(started.started_at)
  }
})

test.each(['tech_check', 'creative_check'] as const)(
  'submitted_at is the first check, here %s, and stays',
  async (status) => {
    const task = await make.task()
    expect((await move(task, 'in_progress')).submitted_at).toBeNull()
    const submitted = await move(task, status)
    expect(submitted.submitted_at).toBe(submitted.status_entered_at)
    for (const next of ['in_progress', 'tech_check', 'creative_check', 'done', 'backlog'] as const) {
      expect((await move(task, next)).submitted_at).toBe(submitted.submitted_at)
    }
  },
)

test('a task that skips in_progress has no started_at, one that skips the checks no submitted_at', async () => {
  const skipped = await move(await make.task(), 'done')
  expect(skipped).toMatchObject({ started_at: null, submitted_at: null, completed_at: skipped.status_entered_at })
})

test('completed_at is stamped by done, kept in the archive, cleared on reopening', async () => {
  const task = await make.task()
  const done = await move(task, 'done')
  expect(done.completed_at).toBe(done.status_entered_at)
  expect((await move(task, 'archived')).completed_at).toBe(done.completed_at)
  for (const status of taskStatuses.filter((status) => status !== 'done' && status !== 'archived')) {
    await move(task, 'done')
    expect((await move(task, status)).completed_at, status).toBeNull()
  }
  await move(task, 'done')
  await move(task, 'archived')
  expect((await move(task, 'backlog')).completed_at).toBeNull()
})

test('done a second time is dated anew', async () => {
  const task = await make.task({ status: 'done' })
  await age(task)
  const first = await make.read(`/api/v1/tasks/${task.id}`)
  await move(task, 'in_progress')
  const second = await move(task, 'done')
  expect(Date.parse(second.completed_at)).toBeGreaterThan(Date.parse(first.completed_at))
})

test('a task archived without being done was not completed', async () => {
  expect((await move(await make.task(), 'archived')).completed_at).toBeNull()
})

test('leaving in_progress adds to time_in_progress, leaving a check to time_on_check, anything else to neither', () => {
  for (const { from, to, moved } of moves) {
    expect(times(moved), `${from} → ${to}`).toEqual([from === 'in_progress' ? 1 : 0, isCheck(from) ? 1 : 0])
  }
})

test('times add up over every visit', async () => {
  const task = await make.task()
  const visits = ['in_progress', 'tech_check', 'in_progress', 'tech_check', 'creative_check', 'done'] as const
  for (const status of visits) {
    await move(task, status)
    await age(task)
  }
  expect(times(await move(task, 'archived'))).toEqual([2, 3])
})

test('the time of the present status is not told before the task leaves it', async () => {
  const task = await make.task({ status: 'in_progress' })
  await age(task)
  expect(times(await make.patched(task.id, { notes: 'x' }))).toEqual([0, 0])
})

test('back from a check to the work counts a return; forward, or to another check, does not', () => {
  for (const { from, to, moved } of moves) {
    const back = isCheck(from) && ['backlog', 'ready_for_production', 'in_progress'].includes(to)
    expect(moved.rollups.return_count, `${from} → ${to}`).toBe(back ? 1 : 0)
  }
})

test('returns add up', async () => {
  const task = await make.task()
  for (const status of ['tech_check', 'in_progress', 'creative_check', 'in_progress', 'tech_check'] as const) {
    await move(task, status)
  }
  expect((await move(task, 'ready_for_production')).rollups.return_count).toBe(3)
})

test('a task created in a status is stamped as one that was moved there', async () => {
  expect(await make.task({ status: 'backlog' })).toMatchObject({ started_at: null, submitted_at: null })
  const started = await make.task({ status: 'in_progress' })
  expect(started).toMatchObject({ started_at: started.created_at, submitted_at: null, completed_at: null })
  const submitted = await make.task({ status: 'creative_check' })
  expect(submitted).toMatchObject({ started_at: null, submitted_at: submitted.created_at, completed_at: null })
  const done = await make.task({ status: 'done' })
  expect(done).toMatchObject({ started_at: null, submitted_at: null, completed_at: done.created_at })
})

test('delete settles the time, restore stamps the status anew', async () => {
  for (const [status, expected] of [
    ['in_progress', [1, 0]],
    ['tech_check', [0, 1]],
    ['backlog', [0, 0]],
  ] as const) {
    const task = await make.task({ status })
    await age(task)
    expect(times(await make.deleted(`/api/v1/tasks/${task.id}`))).toEqual(expected)
    await age(task)
    const restored = await make.restored(`/api/v1/tasks/${task.id}`)
    expect(restored.status).toBe(status)
    expect(restored.status_entered_at).toBe(restored.updated_at)
    expect(times(restored), 'the time it lay deleted does not count').toEqual(expected)
    expect(times(await move(task, 'done')), 'nor is the time before counted twice').toEqual(expected)
  }
})

test('a restore leaves the other stamps alone', async () => {
  const task = await make.task()
  for (const status of ['in_progress', 'tech_check', 'done'] as const) await move(task, status)
  const before = await make.read(`/api/v1/tasks/${task.id}`)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  expect(await make.restored(`/api/v1/tasks/${task.id}`)).toMatchObject({
    started_at: before.started_at,
    submitted_at: before.submitted_at,
    completed_at: before.completed_at,
    rollups: before.rollups,
  })
})

test('in_work_at of a creative is the first in_progress of its task after it exists', async () => {
  const task = await make.task()
  const early = await make.creative(task.id)
  expect(early.in_work_at).toBeNull()
  const started = await move(task, 'in_progress')
  const inWork = async (id: string) => (await make.read(`/api/v1/creatives/${id}`)).in_work_at
  expect(await inWork(early.id)).toBe(started.status_entered_at)
  await age(task)
  const during = await make.creative(task.id)
  expect(during.in_work_at).toBe(during.created_at)
  await move(task, 'tech_check')
  const late = await make.creative(task.id)
  expect(late.in_work_at).toBeNull()
  const again = await move(task, 'in_progress')
  expect(await inWork(late.id)).toBe(again.status_entered_at)
  expect(await inWork(early.id)).toBe(started.status_entered_at)
  expect(await inWork(during.id)).toBe(during.created_at)
})

test('a creative that comes back to a task in progress is in work', async () => {
  const task = await make.task()
  const creative = await make.creative(task.id)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await move(task, 'in_progress')
  const back = await make.restored(`/api/v1/creatives/${creative.id}`)
  expect(back.in_work_at).toMatch(utc)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  expect((await make.restored(`/api/v1/creatives/${creative.id}`)).in_work_at).toBe(back.in_work_at)
})

test('an unknown status is refused with the seven in order', async () => {
  const task = await make.task()
  const { status, body } = await service.patch(`/api/v1/tasks/${task.id}`, { status: 'deleted' })
  expect(status).toBe(422)
  expect(body.detail[0]).toMatchObject({ type: 'enum', loc: ['body', 'status'] })
  const named = [...body.detail[0].ctx.expected.matchAll(/'(\w+)'/g)].map(([, name]: string[]) => name)
  expect(named).toEqual([...taskStatuses])
})
