// In charge of what a write changed, as far as its answer says: the records whose pages are to be read again.
import { isPlainObject } from '@atelier/contract/definition.ts'
import type { Change, ChangeKind } from '@atelier/contract/events.ts'
import type { Route } from '@atelier/contract/route.ts'
import { type Answer, JsonText } from './answer.ts'

/** The record an answer is, by the name of its schema. */
const kinds: Record<string, ChangeKind> = {
  Task: 'task',
  Creative: 'creative',
  Comment: 'comment',
  NodeGraph: 'graph',
  GraphRun: 'run',
  Automation: 'automation',
  User: 'person',
  Product: 'product',
}

/** Other records that a record names, whose counts or lists change with it. */
const mentions: [member: string, kind: ChangeKind][] = [
  ['task_id', 'task'],
  ['pinned_task_id', 'task'],
  ['creative_id', 'creative'],
  ['comment_id', 'comment'],
]

/**
 * Of a write that succeeded; `given` are its parameters and its body, which name what the answer may not: the comment that is
 * deleted, the card that files are put on.
 */
export function changesOf(route: Route, given: readonly unknown[], answer: Answer): Change[] {
  const data: unknown = answer.data instanceof JsonText ? JSON.parse(answer.data.text) : answer.data
  const kind = kinds['$id' in route.data ? String(route.data.$id) : '']
  const found = recordsIn(data).flatMap((record): Change[] => [
    ...(kind && typeof record.id === 'string' ? [{ kind, id: record.id }] : []),
    ...mentionedBy(record),
  ])
  return [...found, ...given.filter(isPlainObject).flatMap(mentionedBy)]
}

const mentionedBy = (record: Record<string, unknown>): Change[] =>
  mentions.flatMap(([member, kind]) => {
    const id = record[member]
    return typeof id === 'string' ? [{ kind, id }] : []
  })

/** The answer itself, each of a list, or what a bulk write updated. */
function recordsIn(data: unknown): Record<string, unknown>[] {
  if (Array.isArray(data)) return data.filter(isPlainObject)
  if (!isPlainObject(data)) return []
  return Array.isArray(data.updated) ? data.updated.filter(isPlainObject) : [data]
}
