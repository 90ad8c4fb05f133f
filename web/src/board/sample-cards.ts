// In charge of creating complete cards for tests, so that a test has to state only the members that matter for it.
import type { Card } from '../lib/types.ts'
import type { Feed } from './feed-edits.ts'

const empty: Card = {
  id: '',
  name: 'A task',
  number: 1,
  generated_name: null,
  status: 'backlog',
  test_status: 'not_tested',
  task_type: null,
  work_stream: null,
  product_id: null,
  media_type: null,
  source: 'META',
  creation_complexity: null,
  execution_complexity: null,
  priority: null,
  assignee_id: null,
  task_owner_id: null,
  deadline_at: null,
  manual_launch: false,
  launched_at: null,
  count: null,
  resolution: null,
  geo: null,
  language: null,
  varied_elements: [],
  subject: null,
  topic: null,
  primary_anchor: null,
  audience: null,
  awareness_stage: null,
  messaging_angle: null,
  hook_trigger: null,
  hook_type: null,
  ad_format: null,
  traffic_flow: null,
  started_at: null,
  submitted_at: null,
  completed_at: null,
  comment_count: 0,
  creatives_total: 0,
  creatives_done: 0,
  automation: { state: null, error: null, started_at: null },
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-03-01T00:00:00.000Z',
  deleted_at: null,
  creation_points: null,
  execution_points: null,
}

export const sampleCard = (id: string, members: Partial<Card> = {}): Card => ({ ...empty, ...members, id })

/** A feed that consists of these pages; with `more`, the last page has a `next_cursor`, as if there were further pages. */
export function sampleFeed(pages: Card[][], { total, more = false }: { total: number | null; more?: boolean }): Feed {
  return {
    pageParams: pages.map((_, index) => (index === 0 ? '' : `c${index}`)),
    pages: pages.map((tasks, index): Feed['pages'][number] => ({
      tasks,
      last: tasks.at(-1) ?? null,
      included: { users: {}, products: {}, creatives: {}, task_creatives: [] },
      meta: {
        next_cursor: index < pages.length - 1 || more ? `c${index + 1}` : null,
        total: index === 0 ? total : null,
      },
    })),
  }
}
