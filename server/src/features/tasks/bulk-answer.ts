// In charge of answering a bulk change with the tasks that it has changed. A hundred tasks may have hundreds of megabytes, so those of
// a large answer are read and sent part by part, once the change has been committed.
import { Invalid } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { turn } from '../../engine/model/turns.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { type Answer, type Closing, JsonStream, json } from '../../platform/http/answer.ts'
import { bytesOfRead } from '../../platform/http/large-list.ts'
import { partsToRead } from './large-tasks.ts'
import { readTasks } from './store.ts'
import type { Failure } from './write.ts'

/** An answer that is kept with an Idempotency-Key has at most this many characters, since all of it is in memory at once. */
const mostMegabytes = 32
const mostKept = mostMegabytes * 1024 * 1024

type Done = { updated: readonly string[]; failed: readonly Failure[] }

/**
 * Called in the transaction of the change, which reads tasks until they have a megabyte. `main`: the handle for those that are read
 * after its commit; by then a task may have been changed once more, and one that was removed for good is left out.
 */
export async function answerOfBulk(tx: Db, main: Db, { updated, failed }: Done): Promise<Answer> {
  const [beginning, ending] = ['{"updated":[', `],"failed":${JSON.stringify(failed)}}`]
  const unread = [...(await partsToRead(tx, updated))]
  const read: string[] = []
  let length = 0
  while (length <= bytesOfRead) {
    const part = unread.shift()
    if (part === undefined) return { data: json(`${beginning}${read.join(',')}${ending}`) }
    if (read.length > 0) await turn()
    for (const { text } of await readTasks(tx, part)) {
      read.push(text)
      length += text.length
    }
  }
  let db = tx
  afterCommit(tx, () => {
    db = main
  })
  const texts = async function* (): AsyncGenerator<string> {
    yield* read.splice(0)
    for (const part of unread) {
      await turn()
      for (const { text } of await readTasks(db, part)) yield text
    }
  }
  const parts = async function* (): AsyncGenerator<string, Closing> {
    let sent = 0
    yield beginning
    for await (const text of texts()) {
      yield sent === 0 ? text : `,${text}`
      sent += text.length
      if (db === tx && sent > mostKept) throw tooLargeToKeep
    }
    yield ending
    return {}
  }
  return { data: new JsonStream(parts()) }
}

const tooLargeToKeep = new Invalid([
  errorAt(
    ['header', 'idempotency-key'],
    valueError(
      `the changed tasks have more than ${mostMegabytes} MB, and an answer as large is not kept; change fewer tasks at a time, or without a key`,
    ),
    null,
  ),
])
