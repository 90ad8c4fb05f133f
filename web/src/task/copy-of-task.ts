// In charge of choosing which content of a task a template keeps (the brief), and which a copy of the task gets. Pure.
import { longestTaskName, longestTemplateName } from '@atelier/contract/task-limits.ts'
import { briefNames, type Task, type TaskBrief, type TaskCreate } from '@atelier/contract/tasks.ts'

const suffix = ' (copy)'

const startOf = (text: string, length: number): string => Array.from(text).slice(0, length).join('')

/** Returns the brief of a task with its variants. No variant is marked as completed, and results such as creatives are left out. */
export const briefOf = (task: Task): TaskBrief => ({
  ...Object.fromEntries(briefNames.map((name) => [name, task[name]])),
  variants: task.variants.map((variant) => ({ ...variant, completed: false })),
})

export function copyOfTask(task: Task): TaskCreate {
  const { deadline_at, origin_creative_id, source_creative_ids } = task
  const name = `${startOf(task.name, longestTaskName - suffix.length)}${suffix}`
  return { ...briefOf(task), name, deadline_at, origin_creative_id, source_creative_ids }
}

export const templateName = (task: Task): string => startOf(task.name, longestTemplateName).trim()
