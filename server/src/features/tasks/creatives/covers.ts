// In charge of covers: pictures that represent tasks or creatives. A client requests all covers of a screen at once.
import type { Cover } from '@atelier/contract/files.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { Bind } from '../../../platform/http/bind.ts'
import { isUuid } from '../../../platform/ids.ts'
import { inRetention } from '../../../platform/retention.ts'
import type { Services } from '../../../platform/services.ts'

type Pictured = Pick<Cover, 'task_id' | 'creative_id' | 'name' | 'digest' | 'media_type' | 'size'>

export function bindCovers(bind: Bind, { fileLinks }: Pick<Services, 'fileLinks'>): void {
  bind(routes.creativeCovers, async ({ db, actor, body: { task_ids = [], creative_ids = [] } }) => {
    const tasks = task_ids.filter(isUuid)
    const creatives = creative_ids.filter(isUuid)
    const found = [
      ...(tasks.length === 0 ? [] : await firstPictures(db, tasks)),
      ...(creatives.length === 0 ? [] : await picturesOf(db, creatives)),
    ]
    const links = await fileLinks.sign(
      db,
      actor,
      found.map(({ digest }) => digest),
    )
    return { data: found.flatMap((row, index): Cover[] => (links[index] ? [{ ...row, ...links[index] }] : [])) }
  })
}

const columns = sql.raw('c.task_id, c.id as creative_id, c.name, c.file as digest, f.media_type, f.size')
const isPicture = sql.raw(`f.media_type like 'image/%'`)

/**
 * Returns the cover of each task: the first of the task's creatives, by name, that has a picture. For a deleted task, only
 * creatives that would be restored together with it are considered.
 */
async function firstPictures(db: Db, taskIds: readonly string[]): Promise<Pictured[]> {
  const found = await sql<Pictured>`
    select cover.* from tasks t
    cross join lateral (
      select ${columns} from creatives c join files f on f.digest = c.file
      where c.task_id = t.id and c.delete_id is not distinct from t.delete_id and ${isPicture}
      order by c.name collate "C", c.id limit 1
    ) as cover
    where t.id = any(${[...taskIds]}::uuid[]) and ${inRetention(db, 't')}`.execute(db)
  return found.rows
}

async function picturesOf(db: Db, creativeIds: readonly string[]): Promise<Pictured[]> {
  const found = await sql<Pictured>`
    select ${columns} from creatives c join tasks t on t.id = c.task_id join files f on f.digest = c.file
    where c.id = any(${[...creativeIds]}::uuid[]) and ${isPicture}
      and ${inRetention(db, 'c')} and ${inRetention(db, 't')}`.execute(db)
  return found.rows
}
