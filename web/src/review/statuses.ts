// In charge of checking whether a string is a valid status of a task.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'

export const isTaskStatus = (value: string | null): value is TaskStatus =>
  taskStatuses.some((status) => status === value)
