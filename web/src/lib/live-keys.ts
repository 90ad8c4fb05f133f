// In charge of deciding which queries of a page become outdated by a reported change. Pure.
import type { Change } from '@atelier/contract/wire/events.ts'
import { approvalsChangeId } from '@atelier/contract/wire/money-changes.ts'
import type { QueryKey } from '@tanstack/react-query'

/** The keys of the queries that a change makes outdated. The board's queries are left out: the board processes changes itself. */
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
      return ['creative', 'provenance', 'versions', 'review-comments', 'decisions'].map((name) => [name, id])
    case 'comment':
      return []
    case 'graph':
      // The query of the graph itself is left out, because an open editor shows a message about the change instead.
      return [['graphs'], ['graph-history', id], ['theirs', 'graph', id]]
    case 'run':
      // An editor that could not save because the run was at work reads by `theirs` whether it still is.
      return [['run', id], ['runs'], ['run-history', id], ['theirs', 'run', id]]
    case 'automation':
      return [['automations']]
    case 'person':
      // The tokens of a person whose access ends are shown as revoked.
      return [['people'], ['caller'], ['tokens']]
    case 'product':
      return [['products']]
    case 'notice':
      // A process of version 0.3.0 reports the request of an approval, or a decision about it, by the notice alone.
      return [
        ['notices', id],
        ['money', 'approvals'],
      ]
    case 'template':
      return [['task-templates']]
    case 'money':
      // The sums of what was spent are left out: pages read them every `sumsMs`. A process of version 0.3.0 reports the use of an
      // approval as a change of budgets.
      return id === approvalsChangeId
        ? [['money', 'approvals']]
        : [
            ['money', 'budgets'],
            ['money', 'approvals'],
          ]
    case 'token':
      return [['tokens']]
    default:
      // A newer service may report kinds that this page does not know. `satisfies` makes the compiler find a known kind without a case.
      kind satisfies never
      return []
  }
}

/** First members of query keys. Such queries are not read again after a gap: the data never changes, or the user edits a copy. */
const kept: readonly unknown[] = ['graph', 'node-types', 'file-head', 'plan', 'sign-in', 'schema']
export const mayHaveChanged = (key: QueryKey): boolean => !kept.includes(key[0])

/** Whether a list contains one of these records. Used for comments: a reported change of a comment does not name its task. */
export const holdsOneOf = (data: unknown, ids: ReadonlySet<string>): boolean =>
  Array.isArray(data) &&
  data.some(
    (entry: unknown) => typeof entry === 'object' && entry !== null && 'id' in entry && ids.has(String(entry.id)),
  )

/** Whether a record belongs to one of these tasks. Used for creatives: one that is deleted with its task is not reported itself. */
export const isOfOneOf = (data: unknown, taskIds: ReadonlySet<string>): boolean =>
  typeof data === 'object' && data !== null && 'task_id' in data && taskIds.has(String(data.task_id))
