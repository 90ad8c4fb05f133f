// In charge of the SQL for task templates.
import type { TaskBrief } from '@atelier/contract/tasks.ts'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf } from '../../../platform/actor.ts'
import type { Position } from '../../../platform/cursor.ts'
import { type Db, isUniqueViolation, Retry, tellChanged } from '../../../platform/db.ts'
import { isUuid } from '../../../platform/ids.ts'

const head = `'id', x.id, 'name', x.name,
  'by', (select json_build_object('user_id', x.by_user, 'token_id', x.by_token, 'name', coalesce(u.name, k.name))
    from (select) as one left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token),
  'created_at', iso(x.created_at), 'updated_at', iso(x.updated_at)`
const headText: RawBuilder<string> = sql.raw(`json_build_object(${head})::text`)
const wholeText: RawBuilder<string> = sql.raw(`json_build_object(${head}, 'brief', x.brief)::text`)

type Written = { id: string; text: string }

/** Lists templates, sorted by name. Briefs are left out, since they can be long. */
export async function listTemplates(
  db: Db,
  after: Position | null,
  take: number,
): Promise<{ id: string; name: string; text: string }[]> {
  const found = await sql<{ id: string; name: string; text: string }>`
    select x.id, x.name, ${headText} as text from task_templates x
    ${after ? sql`where (x.name collate "C", x.id) > (${after.key}::text collate "C", ${after.id}::uuid)` : sql``}
    order by x.name collate "C", x.id limit ${take}`.execute(db)
  return found.rows
}

/** Returns a template as JSON text; null if no template has this id. */
export async function readTemplate(db: Db, id: string): Promise<string | null> {
  if (!isUuid(id)) return null
  const found = await sql<{ text: string }>`
    select ${wholeText} as text from task_templates x where x.id = ${id}`.execute(db)
  return found.rows[0]?.text ?? null
}

/** Adds a template and returns it as JSON text; null if another template has the name. */
export async function insertTemplate(
  tx: Db,
  { name, brief }: { name: string; brief: TaskBrief },
  actor: Actor,
): Promise<string | null> {
  const { by_user, by_token } = authorOf(actor)
  const added = await sql<Written>`
    insert into task_templates as x (id, name, brief, by_user, by_token)
    values (${uuidv7()}, ${name}, ${JSON.stringify(brief)}::json, ${by_user}, ${by_token})
    on conflict do nothing returning x.id, ${wholeText} as text`.execute(tx)
  return tellIfThere(tx, added.rows[0])
}

/**
 * Changes a template's name and brief; what is undefined is kept. Returns the template as JSON text; `taken` if another template
 * has the name; null if no template has this id.
 */
export async function changeTemplate(
  tx: Db,
  id: string,
  { name, brief }: { name?: string | undefined; brief?: TaskBrief | undefined },
): Promise<string | 'taken' | null> {
  if (!isUuid(id)) return null
  if (name !== undefined) {
    const holder = await tx.selectFrom('task_templates').select('id').where('name', '=', name).executeTakeFirst()
    if (holder && holder.id !== id.toLowerCase()) return 'taken'
  }
  try {
    const changed = await sql<Written>`
      update task_templates x set name = coalesce(${name ?? null}::text, x.name),
        brief = coalesce(${brief === undefined ? null : JSON.stringify(brief)}::json, x.brief), updated_at = now_ms()
      where x.id = ${id} returning x.id, ${wholeText} as text`.execute(tx)
    return tellIfThere(tx, changed.rows[0])
  } catch (error) {
    if (isUniqueViolation(error, 'task_templates_name'))
      throw new Retry('the name was taken meanwhile', { cause: error })
    throw error
  }
}

/** Deletes a template and returns its last state as JSON text; null if no template has this id. */
export async function deleteTemplate(tx: Db, id: string): Promise<string | null> {
  if (!isUuid(id)) return null
  const deleted = await sql<Written>`
    delete from task_templates x where x.id = ${id} returning x.id, ${wholeText} as text`.execute(tx)
  return tellIfThere(tx, deleted.rows[0])
}

/** Returns the text of the template that a statement has written, and reports the change; null if it has written none. */
function tellIfThere(tx: Db, row: Written | undefined): string | null {
  if (!row) return null
  tellChanged(tx, 'template', row.id)
  return row.text
}
