// In charge of notifying the people whom a comment mentions.
import { mentionedIn } from '@atelier/contract/mentions.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { writeNotices } from '../../platform/notices.ts'
import { readActivePeople } from './store.ts'

/** Notifies the people whom a comment mentions, except its author and those whom an earlier version of the comment mentioned. */
export async function noteMentions(
  tx: Db,
  { id, task_id, text }: { id: string; task_id: string; text: string },
  actor: Actor,
): Promise<void> {
  if (!text.includes('@')) return
  const people = mentionedIn(text, await readActivePeople(tx))
  await writeNotices(tx, [{ kind: 'mentioned', people, place: id, task_id, comment_id: id, by: authorOf(actor) }])
}
