// In charge of answering with a page of a task's creatives. A creative may have a megabyte, so the texts of a large page are read and
// sent part by part: as one text, a page of 100 MB held the thread for a quarter of a second, on the embedded database for 0.8 s.
import { chunksOf } from '../../../engine/model/chunks.ts'
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

/** What one statement reads at most, if it reads more than one creative. */
const ofOneRead = { count: Number.POSITIVE_INFINITY, bytes: bytesOfRead }

/** A creative that is purged while the page is being sent is left out. */
async function* parts(
  db: Db,
  read: readonly string[],
  unread: readonly ListedCreative[],
  ending: string,
): AsyncGenerator<string, Closing> {
  yield `${pageBeginning}${read.join(',')}`
  let separator = read.length === 0 ? '' : ','
  for (const batch of chunksOf(unread, ofOneRead, ({ bytes }) => ({ count: 1, bytes }))) {
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
