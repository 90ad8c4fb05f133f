// In charge of what a write changed, as far as its answer says: the records whose pages are to be read again.
import { isPlainObject } from '@atelier/contract/definition.ts'
import type { Change, ChangeKind } from '@atelier/contract/events.ts'
import type { Route } from '@atelier/contract/route.ts'

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
  ['creative_id', 'creative'],
]

/** Of a write that succeeded. Deleting a comment answers nothing: its task is not known here, and its page reads anew. */
export function changesOf(route: Route, params: Record<string, string>, answer: string): Change[] {
  const body: unknown = answer === '' ? null : JSON.parse(answer)
  const data = isPlainObject(body) && 'data' in body ? body.data : body
  const kind = kinds['$id' in route.data ? String(route.data.$id) : '']
  const found = recordsIn(data).flatMap((record): Change[] => [
    ...(kind && typeof record.id === 'string' ? [{ kind, id: record.id }] : []),
    ...mentions.flatMap(([member, of]) => {
      const id = record[member]
      return typeof id === 'string' ? [{ kind: of, id }] : []
    }),
  ])
  for (const [member, of] of mentions) {
    const id = params[member]
    if (id !== undefined) found.push({ kind: of, id })
  }
  return found
}

/** The answer itself, each of a list, or what a bulk write updated. */
function recordsIn(data: unknown): Record<string, unknown>[] {
  if (Array.isArray(data)) return data.filter(isPlainObject)
  if (!isPlainObject(data)) return []
  return Array.isArray(data.updated) ? data.updated.filter(isPlainObject) : [data]
}
