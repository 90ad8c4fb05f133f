// In charge of which queries of a page a change elsewhere makes outdated. Pure.
import type { Change } from '@atelier/contract/wire/events.ts'
import type { QueryKey } from '@tanstack/react-query'

/** The query keys of a change, except those of the board's columns, which handle changes themselves. */
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
      // The graph itself is not among them: an editor that shows it reports the change in its own way.
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
      // When an approval is asked for or decided, only a notice reports it.
      return [
        ['notices', id],
        ['money', 'approvals'],
      ]
  }
}

/** Queries that are not read again after missed changes: their data never changes, or the user is editing a copy of it. */
const kept: readonly unknown[] = ['graph', 'node-types', 'file-head', 'plan', 'sign-in', 'schema']
export const mayHaveChanged = (key: QueryKey): boolean => !kept.includes(key[0])

/** Whether a list holds one of the records. Needed for deleted comments: a report of one does not name its task. */
export const holdsOneOf = (data: unknown, ids: ReadonlySet<string>): boolean =>
  Array.isArray(data) &&
  data.some(
    (entry: unknown) => typeof entry === 'object' && entry !== null && 'id' in entry && ids.has(String(entry.id)),
  )
