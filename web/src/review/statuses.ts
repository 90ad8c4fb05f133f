// In charge of telling the status of a task from other text.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'

export const isTaskStatus = (value: string | null): value is TaskStatus =>
  taskStatuses.some((status) => status === value)
