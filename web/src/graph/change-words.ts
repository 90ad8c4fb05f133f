// In charge of saying who has changed a graph or run elsewhere, and when. Pure.
import { agoWords } from '../lib/dates.ts'
import type { Caller } from '../lib/types.ts'
import type { HistoryEntry } from './queries.ts'

/** `change`: the newest entry of the history; null if it is not known, or not yet. */
export function changeWords(
  what: 'graph' | 'run',
  change: HistoryEntry | null,
  caller: Pick<Caller, 'user'>,
  now: number,
): string {
  if (change === null) return `This ${what} was changed elsewhere`
  const id = change.by?.user_id ?? null
  const isMe = id !== null && id === caller.user?.id
  const who = isMe ? 'You' : (change.by?.name ?? 'Somebody')
  return `${who} changed this ${what}${isMe ? ' elsewhere' : ''} ${agoWords(change.at, now)}`
}
