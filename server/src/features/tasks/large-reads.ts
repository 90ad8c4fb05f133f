// In charge of limiting how many large tasks a process reads at the same time. Forty requests for a task of megabytes took all
// connections to the database, and other requests waited for seconds until one was free.
import { sql } from 'kysely'
import { type Db, kept } from '../../platform/db.ts'
import { inRetention } from '../../platform/retention.ts'
import { createTurns, type EndTurn, type Turns } from '../../platform/turns.ts'
import { storedBytes } from './large-tasks.ts'
import { readTask, recordText, type TaskText } from './store.ts'

/**
 * A task counts as large from this many bytes on, as the database stores them. Planned names are stored in a tenth of their bytes,
 * and nothing in less than a ninetieth, so the record of a task below has some 200 KB, and never more than 1.5 MB.
 */
const largeBytes = 16_384
/** If its creatives are to be included, a task counts as large from this many of them on. Each has some 250 bytes. */
const manyCreatives = 1000

/** How many large tasks are read at the same time. */
export const largeReadsAtOnce = 2

/** A turn ends after ten seconds even if the caller has not read everything: slow callers must not keep others from reading. */
export const turnsOfReads = (): Turns =>
  createTurns({
    ...{ most: largeReadsAtOnce, mostWaiting: 200, waitMs: 30_000, turnMs: 10_000 },
    what: 'large tasks are being read',
  })

type Asked = {
  id: string
  /** Whether the task's creatives will be read too. */
  included: boolean
  /** Called with the end of the turn if the task is large. */
  onceSent(end: EndTurn): void
}

/** As `readTask`. Waits for a turn if the task is large. */
export async function readTaskInTurn(turns: Turns, db: Db, asked: Asked): Promise<TaskText | undefined> {
  const task = await readUsualTask(db, asked)
  if (task === undefined || task.text !== null) return task
  asked.onceSent(await turns())
  return readTask(db, asked.id)
}

type UsualText = TaskText | (Omit<TaskText, 'text'> & { text: null })

/** As `readTask`, but of a large task the text is null. One statement, so that usual tasks are read in one round trip. */
async function readUsualTask(db: Db, { id, included }: Asked): Promise<UsualText | undefined> {
  const many = included ? manyCreatives : null
  const found = await sql<UsualText>`${sql.raw(kept('usual_task_record'))}
    select t.id, t.revision,
      case when ${storedBytes} < ${largeBytes} and (${many}::integer is null or t.creatives_total < ${many}) then ${recordText} end as text
    from tasks t where t.id = ${id} and ${inRetention(db, 't')}`.execute(db)
  return found.rows[0]
}
