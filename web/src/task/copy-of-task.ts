// In charge of what a copy of a task is created with: the brief and its variants, and nothing of what became of it. Pure.
import type { Task, TaskCreate } from '@atelier/contract/tasks.ts'

const suffix = ' (copy)'
const longest = 255

export function copyOfTask(task: Task): TaskCreate {
  const { task_type, work_stream, product_id, media_type, source, creation_complexity, execution_complexity } = task
  const { priority, assignee_id, task_owner_id, deadline_at, count, geo, language, varied_elements } = task
  const { var_description, origin_creative_id, source_creative_ids, hypothesis, subject, topic, subtopics } = task
  const { primary_anchor, audience, awareness_stage, messaging_angle, hook_trigger, hook_type, ad_format } = task
  const { notes, traffic_flow, landing, funnel, cpp } = task
  return {
    name: `${Array.from(task.name)
      .slice(0, longest - suffix.length)
      .join('')}${suffix}`,
    ...{ task_type, work_stream, product_id, media_type, source, creation_complexity, execution_complexity },
    ...{ priority, assignee_id, task_owner_id, deadline_at, count, geo, language, varied_elements },
    ...{ var_description, origin_creative_id, source_creative_ids, hypothesis, subject, topic, subtopics },
    ...{ primary_anchor, audience, awareness_stage, messaging_angle, hook_trigger, hook_type, ad_format },
    ...{ notes, traffic_flow, landing, funnel, cpp },
    variants: task.variants.map((variant) => ({ ...variant, completed: false })),
  }
}
