// Facts about totals: exact if present, returned at once if nothing is filtered, left out if counting takes too long.
import { setImmediate as turn } from 'node:timers/promises'
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countWithin } from '../../src/features/tasks/feed/totals.ts'
import { foldCounts, purge } from '../../src/features/tasks/purge.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { feedPath } from '../support/paging.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const total = async (feed: 'board' | 'deleted', status: TaskStatus | null = null): Promise<number> =>
  (await service.get(feedPath({ feed, status }, { limit: 1 }))).data.meta.total

describe('unfiltered totals', () => {
  type Step = { what: 'create' | 'move' | 'delete' | 'restore' | 'purge' | 'fold'; at: number; status: TaskStatus }
  const steps = fc.sample(
    fc.record({
      what: fc.constantFrom(
        'create',
        'create',
        'create',
        'move',
        'move',
        'delete',
        'delete',
        'restore',
        'purge',
        'fold',
      ),
      at: fc.nat(1_000),
      status: fc.constantFrom(...taskStatuses),
    }),
    { numRuns: 90, seed: 5 },
  )

  test('are right after every create, move, delete, restore, purge and fold', async () => {
    const { task, patched, deleted, restored } = makers(service)
    const live = new Map<string, TaskStatus>()
    const gone = new Map<string, TaskStatus>()
    const pick = (from: Map<string, TaskStatus>, at: number) => [...from][from.size === 0 ? 0 : at % from.size]

    const purgeOne = async (id: string): Promise<void> => {
      await service.rows(`update tasks set deleted_at = now() - interval '31 days' where id = $1::uuid`, [id])
      gone.delete(id)
      // The task is past the retention window but not yet purged: it is no longer shown, so it is no longer counted.
      expect(await total('deleted')).toBe(gone.size)
      expect(await purge(service.database)).toBeGreaterThan(0)
    }
    const takes: Record<Step['what'], (step: Step) => Promise<unknown>> = {
      create: async ({ status }) => live.set((await task({ status })).id, status),
      fold: () => foldCounts(service.database.main),
      move: async ({ at, status }) => {
        const [id] = pick(live, at) ?? []
        if (id) live.set((await patched(id, { status })).id, status)
      },
      delete: async ({ at }) => {
        const [id, held] = pick(live, at) ?? []
        if (!id || !held) return
        await deleted(`/api/v1/tasks/${id}`)
        live.delete(id)
        gone.set(id, held)
      },
      restore: async ({ at }) => {
        const [id, held] = pick(gone, at) ?? []
        if (!id || !held) return
        await restored(`/api/v1/tasks/${id}`)
        gone.delete(id)
        live.set(id, held)
      },
      purge: async ({ at }) => {
        const [id] = pick(gone, at) ?? []
        if (id) await purgeOne(id)
      },
    }

    for (const step of steps) {
      await Promise.all([takes[step.what](step), ...(step.at % 3 === 0 ? [foldCounts(service.database.main)] : [])])
      expect(await total('board')).toBe(live.size)
      expect(await total('deleted')).toBe(gone.size)
      const inColumn = [...live.values()].filter((status) => status === step.status).length
      expect(await total('board', step.status)).toBe(inColumn)
    }
    expect(live.size).toBeGreaterThan(5)
    const { data: columns } = await service.get('/api/v1/tasks/columns')
    for (const { status, total: told } of columns) {
      expect(told, status).toBe([...live.values()].filter((held) => held === status).length)
    }
  })

  test('stay right while writers and several folds run at once', async () => {
    const before = await total('board')
    const { task, patched, deleted } = makers(service)
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        const { id } = await task()
        await patched(id, { status: 'in_progress' })
        if (round % 2 === 0) await deleted(`/api/v1/tasks/${id}`)
      }
    }
    let writing = true
    const folder = async (): Promise<void> => {
      while (writing) {
        await foldCounts(service.database.main)
        expect(await total('board')).toBeGreaterThanOrEqual(before)
        await turn() // lets the writers go on: the embedded database answers without a turn of the event loop
      }
    }
    const folding = Promise.all([folder(), folder()])
    await Promise.all([writer(), writer(), writer(), writer()]).finally(() => {
      writing = false
    })
    await folding
    expect(await total('board')).toBe(before + 8)
    const [counted] = await service.rows('select count(*)::integer as n from tasks where deleted_at is null')
    expect(await total('board')).toBe(counted.n)
  })

  test('a fold leaves at most one row for each column, live and deleted, and none that says nothing', async () => {
    await foldCounts(service.database.main)
    const rows = await service.rows('select status, deleted, delta from task_counts')
    expect(new Set(rows.map(({ status, deleted }) => `${status} ${deleted}`)).size).toBe(rows.length)
    expect(rows.every(({ delta }) => delta > 0)).toBe(true)
  })
})

describe('filtered totals', () => {
  test('leave out deleted tasks past the window', async () => {
    const { task, deleted } = makers(service)
    const { id } = await task({ name: 'Nearly gone' })
    await deleted(`/api/v1/tasks/${id}`)
    const found = async () =>
      (await service.get(feedPath({ feed: 'deleted', status: null }, { search: 'nearly gone' }))).data
    expect((await found()).meta.total).toBe(1)
    await service.rows(`update tasks set deleted_at = now() - interval '30 days 1 second' where id = $1::uuid`, [id])
    const { tasks, meta } = await found()
    expect([tasks, meta.total]).toEqual([[], 0])
  })

  test('are not told where counting takes longer than its bound, which it keeps', async () => {
    // PostgreSQL ends the count at the time limit; the embedded database does not begin it if the planner expects too much work.
    const slow =
      service.database.kind === 'postgres'
        ? '(select count(*) from generate_series(1, 2000) where pg_sleep(0.01) is not null) >= 0'
        : 't.number < (select count(*) from generate_series(1, 100000000))'
    await makers(service).task()
    expect(await countWithin(service.database, slow, [])).toBeNull()
    // A count that ends in time returns its number, even on the connection on which the previous count was stopped.
    expect(await countWithin(service.database, 't.deleted_at is null', [])).toBe(await total('board'))
  })

  test('an error is not taken for the bound', async () => {
    await expect(countWithin(service.database, '1 / 0 = t.number', [])).rejects.toThrow('division by zero')
  })
})
