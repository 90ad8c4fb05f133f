// In charge of the brief of a task, which templates keep, and of the content of a copy of a task. Pure.
import { briefNames, type Task, type TaskBrief, type TaskCreate } from '@atelier/contract/tasks.ts'

const suffix = ' (copy)'
const longest = 255

const startOf = (text: string, length: number): string => Array.from(text).slice(0, length).join('')

/** The brief and the variants, without results such as creatives. */
export const briefOf = (task: Task): TaskBrief => ({
  ...Object.fromEntries(briefNames.map((name) => [name, task[name]])),
  variants: task.variants.map((variant) => ({ ...variant, completed: false })),
})

export function copyOfTask(task: Task): TaskCreate {
  const { deadline_at, origin_creative_id, source_creative_ids } = task
  const name = `${startOf(task.name, longest - suffix.length)}${suffix}`
  return { ...briefOf(task), name, deadline_at, origin_creative_id, source_creative_ids }
}

/** The longest name that a template may have. */
const longestOfTemplate = 120

export const templateName = (task: Task): string => startOf(task.name, longestOfTemplate).trim()
