// In charge of creating a task, from a template or with a name alone.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { call } from '../lib/api.ts'

/** `template`: id of the template whose brief the task gets. `key`: idempotency key, so that a repeated request adds no task. */
type NewTask = { name: string; status: TaskStatus; template: string | null; key: string }

export async function createTask({ name, status, template, key }: NewTask) {
  const { brief } = template ? await call('getTaskTemplate', { params: { template_id: template } }) : { brief: {} }
  return call('createTask', { body: { ...brief, name, status }, headers: { 'idempotency-key': key } })
}
