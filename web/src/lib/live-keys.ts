// In charge of which of the things a page reads are touched by a change elsewhere. Pure.
import type { Change } from '@atelier/contract/wire/events.ts'
import type { QueryKey } from '@tanstack/react-query'

/** The keys of a change; the board's columns are not among them, they see to themselves. */
export function keysOf({ kind, id }: Change): QueryKey[] {
  switch (kind) {
    case 'task':
      return [
        ...['task', 'creatives', 'marks', 'comments', 'activity', 'review', 'reviewers', 'guest-links'].map((name) => [
          name,
          id,
        ]),
        ['runs', 'of-task', id],
      ]
    case 'creative':
      return ['provenance', 'versions', 'review-comments', 'decisions'].map((name) => [name, id])
    case 'comment':
      return []
    case 'graph':
      // Not the graph itself: an editor that is open on it has words of its own for that.
      return [['graphs'], ['graph-history', id]]
    case 'run':
      return [['run', id], ['runs'], ['run-history', id]]
    case 'automation':
      return [['automations']]
    case 'person':
      return [['people'], ['caller']]
    case 'product':
      return [['products']]
    case 'notice':
      // An approval that was asked for or decided says so by a notice alone.
      return [
        ['notices', id],
        ['money', 'approvals'],
      ]
  }
}

/** What is not read again when changes were missed: it does not change, or its reader has begun to work on it. */
const kept: readonly unknown[] = ['graph', 'node-types', 'file-head', 'plan', 'sign-in', 'schema']
export const mayHaveChanged = (key: QueryKey): boolean => !kept.includes(key[0])

/** Whether a list that was read holds one of the records: a comment that is gone says no more whose it was. */
export const holdsOneOf = (data: unknown, ids: ReadonlySet<string>): boolean =>
  Array.isArray(data) &&
  data.some(
    (entry: unknown) => typeof entry === 'object' && entry !== null && 'id' in entry && ids.has(String(entry.id)),
  )
