// In charge of notifying the owners of graphs whose models are withdrawn within 60 days, or have been withdrawn already.

import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { dayOf, hasEndNear, modelEnds } from '@atelier/contract/graph/model-rules.ts'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db.ts'
import { type NoticeGiven, writeNotices } from '../../platform/notices.ts'

type Found = { id: string; definition: Record<string, unknown>; people: string[] }

/** How many graphs one query reads. The number is small, since a definition may be megabytes in size. */
const batch = 20

/**
 * Returns a function that does one turn of the periodic job: it checks every graph once a day, and a changed graph in the next turn
 * as well. Any number of processes may do this, since a person gets only one notice for each graph, model and end date.
 */
export function modelEndNotices({ database, types, clock }: { database: Database; types: NodeTypes; clock: Clock }) {
  let last: { day: string; until: string } | null = null
  return async (stopping: AbortSignal): Promise<void> => {
    const day = dayOf(new Date(clock.now()))
    if (!hasEndNear(types, day)) return
    const { rows } = await sql<{ at: string }>`select now_ms() as at`.execute(database.main)
    const until = rows[0]?.at ?? ''
    const since = last?.day === day ? last.until : null
    for (let after: string | null = null; !stopping.aborted; ) {
      const graphs = await readGraphs(database.main, since, after)
      await tell(database, graphs, types, day)
      after = graphs.at(-1)?.id ?? null
      if (graphs.length < batch) break
    }
    if (!stopping.aborted) last = { day, until }
  }
}

/**
 * Returns graphs that are not deleted; if `since` is not null, only graphs that were changed after `since` or in the minute
 * before it, because a change from that minute may have been committed after the previous read. `after` is the last id of the
 * previous batch, null for the first batch. `people` are the users to notify: the owner if active, otherwise all active admins.
 */
async function readGraphs(db: Db, since: string | null, after: string | null): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select g.id, g.definition, array(select u.id::text from users u where u.active and (u.id = g.owner_id
      or u.role = 'admin' and not exists (select from users o where o.id = g.owner_id and o.active))) as people
    from graphs g
    where g.deleted_at is null ${since === null ? sql`` : sql`and g.updated_at >= ${since}::timestamptz - interval '1 minute'`}
      ${after === null ? sql`` : sql`and g.id > ${after}::uuid`}
    order by g.id limit ${batch}`.execute(db)
  return rows
}

async function tell(database: Database, graphs: readonly Found[], types: NodeTypes, day: string): Promise<void> {
  const given = graphs.flatMap(({ id, definition, people }): NoticeGiven[] => {
    const ends = new Map(
      modelEnds(readDefinition(definition), types, day).map((one) => [
        `${one.model.id}/${one.model.ends_on}`,
        one.words,
      ]),
    )
    return [...ends].map(([end, words]) => ({
      ...{ kind: 'model_ends' as const, people, place: `${id}/${end}` },
      ...{ graph_id: id, words },
    }))
  })
  if (given.length > 0) await database.tx((tx) => writeNotices(tx, given))
}
