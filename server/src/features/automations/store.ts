// In charge of the SQL for automations, and of finding the person or token for whom an automation acts.
import { roleScopes } from '@atelier/contract/enums.ts'
import { type Selectable, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import type { Position } from '../../platform/cursor.ts'
import { type Db, kept, tellChanged } from '../../platform/db.ts'
import type { AutomationsTable, Stamp } from '../../platform/tables.ts'

export type AutomationRow = Selectable<AutomationsTable>
export type AutomationContent = Pick<
  AutomationRow,
  'name' | 'enabled' | 'on_status' | 'query' | 'graph_id' | 'targets' | 'outputs' | 'to_status' | 'owner_id'
>

const columns = `id, name, enabled, on_status, query, graph_id, targets, outputs, to_status, owner_id,
  iso(created_at) as created_at, iso(updated_at) as updated_at`
const wireText = sql<string>`(select row_to_json(record)::text from (select ${sql.raw(columns)}) as record)`

/** Lists automations, oldest first. When a task enters a status, the automations of that status are tried in the same order. */
export async function listAutomations(
  db: Db,
  after: Position | null,
  take: number,
): Promise<{ id: string; at: Stamp; text: string }[]> {
  const found = await sql<{ id: string; at: Stamp; text: string }>`
    select id, created_at as at, ${wireText} as text from automations
    ${after ? sql`where (created_at, id) > (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at, id limit ${take}`.execute(db)
  return found.rows
}

/** Returns an automation as JSON text; null if there is none with this id. */
export async function readAutomation(db: Db, id: string): Promise<string | null> {
  const found = await sql<{ text: string }>`select ${wireText} as text from automations where id = ${id}`.execute(db)
  return found.rows[0]?.text ?? null
}

export async function lockAutomation(tx: Db, id: string): Promise<AutomationRow | undefined> {
  return tx.selectFrom('automations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Converts an automation to column values: the database drivers need JSON values as text. */
const forColumns = ({ query, outputs, ...rest }: AutomationContent) => ({
  ...rest,
  query: query === null ? null : JSON.stringify(query),
  outputs: JSON.stringify(outputs),
})

export async function insertAutomation(tx: Db, content: AutomationContent): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('automations')
    .values({ id, ...forColumns(content) })
    .execute()
  tellChanged(tx, 'automation', id)
  return id
}

export async function updateAutomation(tx: Db, id: string, content: AutomationContent): Promise<void> {
  await tx
    .updateTable('automations')
    .set({ ...forColumns(content), updated_at: sql<Stamp>`now_ms()` })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'automation', id)
}

export async function deleteAutomation(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('automations').where('id', '=', id).execute()
  tellChanged(tx, 'automation', id)
}

/**
 * Returns the enabled automations of a status, in the order in which they are tried. The database keeps the statement prepared,
 * since it is executed whenever a task is created or moved.
 */
export async function enabledFor(tx: Db, status: AutomationRow['on_status']): Promise<AutomationRow[]> {
  const found = await sql<AutomationRow>`${sql.raw(kept('automations_on'))}
    select id, name, enabled, on_status, query, graph_id, targets, outputs, to_status, owner_id, created_at, updated_at
    from automations where enabled and on_status = ${status}::task_status
    order by created_at, id`.execute(tx)
  return found.rows
}

/** Returns the person or token for whom an automation acts, with their present rights; undefined if their access has ended. */
export async function readOwner(db: Db, id: string): Promise<Actor | undefined> {
  const person = await db
    .selectFrom('users')
    .select(['name', 'role'])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  if (person) return { tokenId: null, userId: id, ...person, scopes: new Set(roleScopes[person.role]) }
  const token = await db
    .selectFrom('tokens')
    .select(['name', 'scopes'])
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Stamp>`now()`)]))
    .executeTakeFirst()
  return token && { tokenId: id, userId: null, role: null, name: token.name, scopes: new Set(token.scopes) }
}
