// In charge of answering with a page of a list whose rows may be large. A row may have a megabyte, so the texts of a large page are
// read and sent part by part: as one text, a page of 100 MB held the thread for a quarter of a second, on the embedded database for
// 0.8 s.
import { chunksOf } from '../chunks.ts'
import type { Cursors, Position } from '../cursor.ts'
import { type Answer, type Closing, JsonStream, json } from './answer.ts'
import { type ListQuery, pageBeginning, readPage } from './list.ts'

/** How many bytes of rows one statement of a list reads at most, if it reads more than one row. */
export const bytesOfRead = 1024 * 1024

/** `bytes`: about how long the text is. `text` is null if the rows of the page up to this one exceed `bytesOfRead`. */
export type LargeRow = { id: string; bytes: number; text: string | null }

/** Returns the texts of those of the rows that still exist, by id. */
type ReadTexts = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** As `listPage`. `readTexts` is called for rows that were listed without a text. */
export async function largeListPage<Row extends LargeRow>(
  asked: { cursors: Cursors; scope: string; query: ListQuery },
  read: (after: Position | null, take: number) => Promise<Row[]>,
  { position, readTexts }: { position: (row: Row) => Position; readTexts: ReadTexts },
): Promise<Answer> {
  const { page, ending } = await readPage(asked, read, position)
  const texts = page.flatMap(({ text }) => text ?? [])
  if (texts.length === page.length) return { data: json(`${pageBeginning}${texts.join(',')}${ending}`) }
  return { data: new JsonStream(parts(texts, page.slice(texts.length), { ending, readTexts })) }
}

/** What one statement reads at most, if it reads more than one row. */
const ofOneRead = { count: Number.POSITIVE_INFINITY, bytes: bytesOfRead }

/** A row that is deleted while the page is being sent is left out. */
async function* parts(
  read: readonly string[],
  unread: readonly LargeRow[],
  { ending, readTexts }: { ending: string; readTexts: ReadTexts },
): AsyncGenerator<string, Closing> {
  yield `${pageBeginning}${read.join(',')}`
  let separator = read.length === 0 ? '' : ','
  for (const batch of chunksOf(unread, ofOneRead, ({ bytes }) => ({ count: 1, bytes }))) {
    const ids = batch.map(({ id }) => id)
    const texts = await readTexts(ids)
    for (const id of ids) {
      const text = texts.get(id)
      if (text === undefined) continue
      yield `${separator}${text}`
      separator = ','
    }
  }
  yield ending
  return {}
}
