// In charge of creating a task, either from a template or with nothing but a name.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { call } from '../lib/api.ts'

/**
 * `template`: the id of the template whose brief is copied into the task; null to use no template. `key`: the idempotency key, so
 * that a repeated request creates no second task.
 */
type NewTask = { name: string; status: TaskStatus; template: string | null; key: string }

export async function createTask({ name, status, template, key }: NewTask) {
  const { brief } = template ? await call('getTaskTemplate', { params: { template_id: template } }) : { brief: {} }
  return call('createTask', { body: { ...brief, name, status }, headers: { 'idempotency-key': key } })
}
