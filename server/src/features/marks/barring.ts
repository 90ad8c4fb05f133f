// In charge of refusing to move a task to the status done while one of its creatives lacks a label that its market requires.
import { type LabelRule, rulesOf } from '@atelier/contract/label-rules.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Barring } from '../tasks/store.ts'
import { readMarkedOf } from './store.ts'
import { missingOf, missingWords } from './wire.ts'

/** How many creatives a refusal lists at most. */
const most = 100

/**
 * Returns the function that checks moves to the status done. It skips tasks whose market has no label rule, so that moving them
 * needs no additional query.
 */
export const barringOf =
  (rules: readonly LabelRule[]): Barring =>
  async (tx, tasks, { status, geo: newGeo }) => {
    const geoOf = new Map(tasks.map((task) => [task.id, newGeo === undefined ? task.geo : newGeo]))
    const entering = tasks.filter(
      ({ id, status: now }) => status === 'done' && now !== 'done' && rulesOf(rules, geoOf.get(id) ?? null).length > 0,
    )
    if (entering.length === 0) return new Map()
    const rows = Map.groupBy(
      await readMarkedOf(
        tx,
        entering.map(({ id }) => id),
      ),
      ({ task_id }) => task_id,
    )
    return new Map(
      entering.flatMap(({ id, number }) => {
        const missing = (rows.get(id) ?? []).flatMap((row) => missingOf(rules, row, geoOf.get(id) ?? null))
        if (missing.length === 0) return []
        const members = { creatives: missing.slice(0, most) }
        return [[id, new Refusal('label_missing', missingWords(number, missing), members)] as const]
      }),
    )
  }
