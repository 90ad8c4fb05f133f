// In charge of the SQL for graphs. A caller that changes a graph has locked the graph's row before it decides what to change.
import { foldText } from '@atelier/contract/fold.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeGraph } from '@atelier/contract/graphs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { type Selectable, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { filesOf } from '../../engine/model/issues.ts'
import { signatureOf } from '../../engine/model/signature.ts'
import { writeCheckpoint } from '../../engine/store/checkpoints.ts'
import { useFiles } from '../../engine/store/unit-store.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { tellReadersAbout } from '../../platform/notices.ts'
import { inRetention } from '../../platform/retention.ts'
import type { GraphsTable, Stamp } from '../../platform/tables.ts'
import type { GraphContent, Reason } from './changes.ts'

export type GraphRow = Selectable<GraphsTable>
/**
 * A graph that is locked until the transaction ends. `now` is the present time of the database. `in_retention` is false if the
 * graph was deleted longer ago than the retention window.
 */
export type LockedGraph = GraphRow & { now: Stamp; in_retention: boolean }

export async function lockGraph(tx: Db, id: string): Promise<LockedGraph | undefined> {
  return tx
    .selectFrom('graphs as g')
    .selectAll('g')
    .select([sql<Stamp>`now_ms()`.as('now'), inRetention(tx, 'g').as('in_retention')])
    .where('g.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Locks a graph against changes until this transaction ends. The lock is a shared one, so that several transactions can create runs
 * of the graph at the same time.
 */
export async function shareGraph(tx: Db, id: string): Promise<(GraphRow & { now: Stamp }) | undefined> {
  return tx
    .selectFrom('graphs')
    .selectAll()
    .select(sql<Stamp>`now_ms()`.as('now'))
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}

/** Returns a graph, unless it was deleted longer ago than the retention window. */
export async function readGraph(db: Db, id: string): Promise<GraphRow | undefined> {
  return db
    .selectFrom('graphs as g')
    .selectAll('g')
    .where('g.id', '=', id)
    .where(inRetention(db, 'g'))
    .executeTakeFirst()
}

/** Converts a row to the form of the contract. */
export function toWire(row: GraphRow): NodeGraph {
  const { id, name, description, definition, ui_state, forked_from, template, owner_id } = row
  const { created_at, updated_at, deleted_at } = row
  return {
    ...{ id, name, description, definition, ui_state, forked_from, template, owner_id },
    ...{ created_at, updated_at, deleted_at },
  }
}

/** Returns the values of the columns that hold a graph's content, and of the columns that are derived from it. */
function contentColumns({ name, description, definition, ui_state }: GraphContent) {
  return {
    name,
    name_folded: foldText(name),
    description,
    definition: JSON.stringify(definition),
    node_count: Object.keys(readDefinition(definition).nodes).length,
    ui_state: JSON.stringify(ui_state),
    signature: signatureOf(definition),
  }
}

export type NewGraph = { content: GraphContent; template: boolean; ownerId: string; forkedFrom: string | null }

/** Creates a graph and its first checkpoint. */
export async function insertGraph(tx: Db, given: NewGraph, actor: Actor, reason: Reason): Promise<GraphRow> {
  const { content, template, ownerId, forkedFrom } = given
  const id = uuidv7()
  const at = await writeCheckpoint(tx, { ...reason, subjectId: id, lastAt: null, actor, content })
  await useFiles(tx, 'graph', id, filesOf(content.definition))
  tellChanged(tx, 'graph', id)
  return tx
    .insertInto('graphs')
    .values({
      id,
      ...contentColumns(content),
      forked_from: forkedFrom,
      template,
      owner_id: ownerId,
      checkpoint_at: at,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Replaces the content of a locked graph, and saves a checkpoint unless `reason` is null. */
export async function saveGraph(
  tx: Db,
  graph: LockedGraph,
  { content, template = graph.template }: { content: GraphContent; template?: boolean },
  actor: Actor | null,
  reason: Reason | null,
): Promise<GraphRow> {
  const written =
    reason &&
    (await writeCheckpoint(tx, { ...reason, subjectId: graph.id, lastAt: graph.checkpoint_at, actor, content }))
  // References to files of earlier definitions are kept, since the history can restore those definitions.
  await useFiles(tx, 'graph', graph.id, filesOf(content.definition))
  tellChanged(tx, 'graph', graph.id)
  return tx
    .updateTable('graphs')
    .set({
      ...contentColumns(content),
      template,
      checkpoint_at: written ?? graph.checkpoint_at,
      revision: sql`revision + 1`,
      updated_at: written ?? graph.now,
    })
    .where('id', '=', graph.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a locked graph, or restores it if `deletedAt` is null. */
export async function setDeleted(tx: Db, graph: LockedGraph, deletedAt: Stamp | null): Promise<GraphRow> {
  tellChanged(tx, 'graph', graph.id)
  await tellReadersAbout(tx, 'graph_id', graph.id)
  return tx
    .updateTable('graphs')
    .set({ deleted_at: deletedAt, revision: sql`revision + 1`, updated_at: graph.now })
    .where('id', '=', graph.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type GraphFilter = { template?: boolean; search?: string; owner_id?: string; deleted?: boolean }

const cardText = sql<string>`json_build_object('id', g.id, 'name', g.name, 'description', g.description,
  'forked_from', g.forked_from, 'template', g.template, 'owner_id', g.owner_id, 'node_count', g.node_count,
  'created_at', iso(g.created_at), 'updated_at', iso(g.updated_at), 'deleted_at', iso(g.deleted_at))::text`

/** Lists graphs as JSON text, without their definitions; the most recently changed graph comes first. */
export async function listGraphs(
  db: Db,
  { template, search = '', owner_id, deleted = false }: GraphFilter,
  { after, take }: { after: Position | null; take: number },
): Promise<{ id: string; at: Stamp; text: string }[]> {
  if (owner_id !== undefined && !isUuid(owner_id)) return []
  const found = await sql<{ id: string; at: Stamp; text: string }>`
    select g.id, g.updated_at as at, ${cardText} as text from graphs g
    where ${deleted ? sql`g.deleted_at is not null and ${inRetention(db, 'g')}` : sql`g.deleted_at is null`}
      ${template === undefined ? sql`` : sql`and g.template = ${template}`}
      ${owner_id === undefined ? sql`` : sql`and g.owner_id = ${owner_id}`}
      ${search === '' ? sql`` : sql`and position(${foldText(search)}::text in g.name_folded) > 0`}
      ${after ? sql`and (g.updated_at, g.id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by g.updated_at desc, g.id desc limit ${take}`.execute(db)
  return found.rows
}

/** Whether the id is that of a user or a token, both of which can own graphs. */
export async function canOwn(db: Db, id: string): Promise<boolean> {
  const found =
    await sql`select id from users where id = ${id} union all select id from tokens where id = ${id}`.execute(db)
  return found.rows.length > 0
}

export async function isActivePerson(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Makes `to` the owner of all graphs of `from`, except graphs that were deleted longer ago than the retention window. Returns how
 * many graphs got the new owner.
 */
export async function handOver(tx: Db, from: string, to: string): Promise<number> {
  const changed = await sql<{ id: string }>`
    with own as materialized (
      select g.id from graphs g where g.owner_id = ${from} and ${inRetention(tx, 'g')}
      order by g.id for no key update
    )
    update graphs set owner_id = ${to}, revision = revision + 1, updated_at = now_ms()
    where id in (select id from own) returning id`.execute(tx)
  tellChanged(
    tx,
    'graph',
    changed.rows.map(({ id }) => id),
  )
  return changed.rows.length
}

/**
 * Returns the id of the owner of what the caller creates: the id of the caller's user or, for an integration, of its token. Throws
 * for the token of the operator, which has neither id.
 */
export function ownerOf(actor: Actor): string {
  const id = actor.userId ?? actor.tokenId
  if (id === null) throw new Refusal('not_owner', 'The token of the operator owns no graphs; use a token of a person.')
  return id
}
