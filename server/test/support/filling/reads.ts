// In charge of what a filled service returns for its records; a later version must return the same.
import type { Ids, Speaker } from './fill.ts'

/** The `data` of responses by request path, for everything that a newer version must return unchanged. */
export async function readAll({ ask }: Speaker, ids: Ids): Promise<Record<string, unknown>> {
  const tasks = Object.entries(ids).filter(([name]) => name.startsWith('task_') || name === 'automated')
  const resting = ['draft', 'succeeded', 'rerolled', 'failed', 'cancelled', 'exported', 'forked', 'parked']
  const runs = resting.map((name) => `/runs/${ids[name]}`)
  const paths = [
    '/tasks/board?limit=100',
    '/tasks/deleted?limit=100',
    ...tasks.flatMap(([, id]) => [
      `/tasks/${id}?included=true`,
      `/tasks/${id}/creatives`,
      `/tasks/${id}/comments`,
      `/tasks/${id}/activity`,
    ]),
    ...[ids.graph, ids.choice].flatMap((id) => [`/graphs/${id}`, `/graphs/${id}/history`]),
    ...runs.flatMap((path) => [path, `${path}/history`]),
    ...['/graphs?deleted=true', '/automations', '/products', '/users'],
  ]
  if (ids.reviewed !== undefined) {
    const ofCreative = ['versions', 'review-comments', 'decisions'].map((what) => `/creatives/${ids.reviewed}/${what}`)
    const ofTask = ['review', 'reviewers', 'guest-links'].map((what) => `/tasks/${ids.task_reviewed}/${what}`)
    const spend = ['run', 'task', 'creative', 'model'].map((by) => `/spend?by=${by}&task_id=${ids.task_paid}`)
    paths.push(...ofCreative, ...ofTask, ...spend, '/approvals', '/money', `/task-templates/${ids.template}`)
  }
  const reads: Record<string, unknown> = {}
  for (const path of paths) reads[path] = await ask('GET', path)
  return reads
}
