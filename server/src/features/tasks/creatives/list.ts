// In charge of answering with a page of a task's creatives. A creative may have a megabyte, so the texts of a large page are read and
// sent part by part: as one text, a page of 100 MB held the thread for a quarter of a second, on the embedded database for 0.8 s.
import type { Cursors } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db.ts'
import { type Answer, type Closing, JsonStream, json } from '../../../platform/http/answer.ts'
import { type ListQuery, pageBeginning, readPage } from '../../../platform/http/list.ts'
import { bytesOfRead, type ListedCreative, listCreatives, readTexts } from './store.ts'

export async function answerList(db: Db, cursors: Cursors, taskId: string, query: ListQuery): Promise<Answer> {
  const { page, ending } = await readPage(
    { cursors, scope: `creatives/${taskId}`, query },
    (after, take) => listCreatives(db, taskId, after && { name: after.key ?? '', id: after.id }, take),
    ({ id, name }) => ({ key: name, id }),
  )
  const read = page.flatMap(({ text }) => text ?? [])
  if (read.length === page.length) return { data: json(`${pageBeginning}${read.join(',')}${ending}`) }
  return { data: new JsonStream(parts(db, read, page.slice(read.length), ending)) }
}

/** A creative that is purged while the page is being sent is left out. */
async function* parts(
  db: Db,
  read: readonly string[],
  unread: readonly ListedCreative[],
  ending: string,
): AsyncGenerator<string, Closing> {
  yield `${pageBeginning}${read.join(',')}`
  let separator = read.length === 0 ? '' : ','
  for (const batch of batchesOf(unread)) {
    const texts = await readTexts(
      db,
      batch.map(({ id }) => id),
    )
    for (const { id } of batch) {
      const text = texts.get(id)
      if (text === undefined) continue
      yield `${separator}${text}`
      separator = ','
    }
  }
  yield ending
  return {}
}

/** Splits creatives into batches that one statement reads: each of at most `bytesOfRead`, or of a single creative. */
function batchesOf(creatives: readonly ListedCreative[]): ListedCreative[][] {
  const batches: ListedCreative[][] = []
  let room = 0
  for (const creative of creatives) {
    room -= creative.bytes
    if (room >= 0) batches.at(-1)?.push(creative)
    else {
      batches.push([creative])
      room = bytesOfRead - creative.bytes
    }
  }
  return batches
}
