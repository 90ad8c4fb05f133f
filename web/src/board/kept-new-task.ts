// In charge of the name of a new task while it is typed: it is kept when its row moves to another column, and when the user goes to
// another page or loads this one again.
import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { createStore, useStore } from '../lib/store.ts'
import { uniqueName } from '../lib/unique.ts'

/**
 * `template`: the id of the template, or null. `column`: where the row is. `key`: the idempotency key of the request that creates this
 * task; kept too, so that no second task is created if the page is loaded again before the answer has come.
 */
type KeptNewTask = { name: string; template: string | null; column: string; key: string }

const place = 'new-task'
/** Counts the changes, so that the row shows them. */
const changes = createStore(0)

const isKept = (value: unknown): value is KeptNewTask =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'column' in value &&
  typeof value.column === 'string' &&
  'key' in value &&
  typeof value.key === 'string' &&
  'template' in value &&
  (value.template === null || typeof value.template === 'string')

export const keptNewTask = (): KeptNewTask | null => keptDraft(place, isKept)?.typed ?? null
export const useKeptNewTask = (): KeptNewTask | null => useStore(changes, keptNewTask)

/** Keeps what is typed. What was kept before is another task, also in another column only: it gets another idempotency key. */
export function keepNewTask(task: Omit<KeptNewTask, 'key'>): void {
  const typed = { ...task, key: uniqueName() }
  if (task.name === '') forgetDraft(place)
  else keepDraft(place, { typed, base: typed, left: false })
  changes.set(changes.get() + 1)
}

export function forgetNewTask(): void {
  forgetDraft(place)
  changes.set(changes.get() + 1)
}

/** Notes that the row is in this column now. */
export function moveNewTask(column: string): void {
  const kept = keptNewTask()
  if (kept !== null && kept.column !== column) keepNewTask({ ...kept, column })
}
