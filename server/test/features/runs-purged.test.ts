// Facts about purging a run that has many items: it is deleted part by part, so that nobody waits long for it.
import { expect, test } from 'vitest'
import { purgeRuns } from '../../src/engine/store/purge.ts'
import type { Database } from '../../src/platform/db.ts'
import { definitionOf } from '../support/definitions.ts'
import { startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

const items = 7000
const lines = definitionOf({ line: { type: 'text.template', params: { template: 'a' } } })

test('no transaction deletes more than a few thousand items of a purged run, and nothing of it is left', async () => {
  const service = await startService()
  try {
    const { id } = await makeRun(service, lines)
    await service.rows(
      `insert into run_states (run_id, node_id, item, position, status, generation, change)
        select $1, 'line', i::text, i, 'succeeded', 1, 1 from generate_series(1, $2::int) as i`,
      [id, items],
    )
    await service.rows(
      `insert into checkpoint_units (subject_id, at, node_id, item, status, progress, shown_bytes, credits, duration_seconds,
          attempts, generation, stale)
        select c.subject_id, c.at, 'line', i::text, 'succeeded', 1, 0, 0, 0, 1, 1, false
        from checkpoints c, generate_series(1, $2::int) as i where c.subject_id = $1`,
      [id, items],
    )
    await service.rows(`update runs set deleted_at = now() - interval '40 days' where id = $1`, [id])
    const left = async (): Promise<number> => {
      const [row] = await service.rows<{ count: number }>(
        `select ((select count(*) from run_states where run_id = $1)
          + (select count(*) from checkpoint_units where subject_id = $1))::int as count`,
        [id],
      )
      return row?.count ?? 0
    }
    const counts = [await left()]
    const watched: Database = {
      ...service.database,
      async tx(work) {
        const result = await service.database.tx(work)
        counts.push(await left())
        return result
      },
    }
    expect(await purgeRuns(watched)).toBe(1)
    const deleted = counts.slice(1).map((count, nth) => (counts[nth] ?? 0) - count)
    expect(Math.max(...deleted)).toBeLessThanOrEqual(3000)
    expect(counts.at(-1)).toBe(0)
    expect(await service.rows('select 1 from checkpoints where subject_id = $1', [id])).toEqual([])
  } finally {
    await service.close()
  }
})
