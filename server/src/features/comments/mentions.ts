// In charge of notices for people whom a comment mentions.
import { mentionedIn } from '@atelier/contract/mentions.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { writeNotices } from '../../platform/notices.ts'
import { readActivePeople } from './store.ts'

/** People who were already mentioned in the same comment are not notified again. */
export async function noteMentions(
  tx: Db,
  { id, task_id, text }: { id: string; task_id: string; text: string },
  actor: Actor,
): Promise<void> {
  if (!text.includes('@')) return
  const people = mentionedIn(text, await readActivePeople(tx))
  await writeNotices(tx, [{ kind: 'mentioned', people, place: id, task_id, comment_id: id, by: authorOf(actor) }])
}
