// In charge of making thumbnails of creatives' pictures before anybody requests them: a few in each turn, the newest pictures
// first. Otherwise the first person to open a board after a restore or an import would wait for a screen full of thumbnails.
import type { StoredFile } from '@atelier/contract/files.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Thumbnails } from './thumbnails.ts'

/** How many pictures one turn handles. This is about two seconds of work for one process. */
const perTurn = 25
/** How many pictures a pass, which is a series of turns, handles at most. People rarely scroll further than this many pictures. */
const mostOld = 5000

/**
 * Returns a function that does one turn of the periodic job. A pass takes as many turns as it needs. The first pass goes back from
 * the newest creative; each later pass handles only the creatives that were added since the previous pass began.
 */
export function thumbnailsAhead({ db, thumbnails }: { db: Db; thumbnails: Pick<Thumbnails, 'read'> }) {
  let lookedFrom: string | null = null
  let pass: { newest: string | null; at: string | null; looked: number } | null = null
  return async (stopping: AbortSignal): Promise<void> => {
    // Not the newest picture: what came after it would be looked at in each turn.
    pass ??= { newest: (await newestCreative(db)) ?? lookedFrom, at: null, looked: 0 }
    const found = await readPictures(db, { after: lookedFrom, before: pass.at })
    for (const { file } of found) {
      if (stopping.aborted) return
      await thumbnails.read(file).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    }
    pass.at = found.at(-1)?.id ?? pass.at
    pass.looked += found.length
    if (found.length === perTurn && pass.looked < mostOld) return
    lookedFrom = pass.newest
    pass = null
  }
}

async function newestCreative(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from creatives order by id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/**
 * Returns pictures of creatives, newest creatives first: the ids of creatives rise in the order of creation. `after` and `before`
 * are ids that bound the result; null means that there is no such bound.
 */
async function readPictures(db: Db, { after, before }: { after: string | null; before: string | null }) {
  const { rows } = await sql<{ id: string; file: StoredFile }>`
    select c.id, json_build_object('digest', f.digest, 'size', f.size, 'media_type', f.media_type,
      'created_at', iso(f.created_at)) as file
    from creatives c join files f on f.digest = c.file
    where c.deleted_at is null and f.media_type like 'image/%'
      ${after === null ? sql`` : sql`and c.id > ${after}::uuid`} ${before === null ? sql`` : sql`and c.id < ${before}::uuid`}
    order by c.id desc limit ${perTurn}`.execute(db)
  return rows
}
