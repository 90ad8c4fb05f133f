// In charge of the SQL columns of a task's card and of its full record. Alias `t` is the task. Each column becomes a member of the
// JSON in responses.
import { angleNames, Task } from '@atelier/contract/tasks.ts'

const plain = (names: string[]) => names.map((name) => `t.${name}`)
const stamps = (names: string[]) => names.map((name) => `iso(t.${name}) as ${name}`)

const shared = [
  ...plain([
    'id',
    'name',
    'number',
    'generated_name',
    'status',
    'test_status',
    'task_type',
    'work_stream',
    'product_id',
  ]),
  ...plain(['media_type', 'source', 'creation_complexity', 'execution_complexity', 'priority', 'assignee_id']),
  ...plain(['task_owner_id']),
  ...stamps(['deadline_at']),
  ...plain(['manual_launch']),
  ...stamps(['launched_at']),
  ...plain([
    'count',
    'resolution',
    'geo',
    'language',
    'varied_elements',
    'subject',
    'topic',
    ...angleNames,
    'traffic_flow',
  ]),
  ...stamps(['started_at', 'submitted_at', 'completed_at']),
  ...plain(['comment_count']),
]

/** The columns of a TaskCard. Their order is fixed, since the database stores cards as text. Migration 0017 has the same list. */
export const cardColumns = [
  ...shared,
  ...plain(['creatives_total', 'creatives_done', 'creation_points', 'execution_points']),
  `json_build_object('state', t.automation_state, 'error', t.automation_error,
    'started_at', iso(t.automation_started_at)) as automation`,
  ...stamps(['created_at', 'updated_at', 'deleted_at']),
].join(', ')

/**
 * Members of the full record that are not columns. `derived_task_count` is counted at each read, since storing it would require
 * locks on other tasks. The ids of the task's creatives are compared as one array, so that PostgreSQL uses the indexes on
 * `origin_creative_id` and `source_creative_ids`: without the array it read every task (1.9 s with 30,000 tasks, now 0.5 ms). For a
 * task without creatives nothing is counted, since a lookup in the second index may have to scan a list of pending entries, which
 * takes up to 2 ms after some thousand writes.
 */
const made: Readonly<Record<string, string>> = {
  rollups: `json_build_object(
    'derived_task_count', case when not exists (select from creatives c where c.task_id = t.id) then 0 else (
      select count(*) from tasks d
      where d.deleted_at is null and d.id <> t.id and (
        d.origin_creative_id = any(array(select c.id from creatives c where c.task_id = t.id))
        or d.source_creative_ids && array(select c.id from creatives c where c.task_id = t.id)
      )
    ) end,
    'creation_points', t.creation_points, 'execution_points', t.execution_points, 'return_count', t.return_count
  ) as rollups`,
  automation: `json_build_object('state', t.automation_state, 'error', t.automation_error, 'ran_at', iso(t.automation_ran_at),
    'started_at', iso(t.automation_started_at)) as automation`,
}

/** Whether a schema describes a date and time; an `anyOf` counts if one of its schemas does. */
const isInstant = (schema: object): boolean =>
  'format' in schema
    ? schema.format === 'date-time'
    : 'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.some((one: object) => isInstant(one))

/** The columns of the full record: all its members, in the order of the contract. */
export const taskColumns = Object.entries(Task.properties)
  .flatMap(([name, schema]) => made[name] ?? (isInstant(schema) ? stamps([name]) : plain([name])))
  .join(', ')

/** The columns of a CreativeItem. Alias `c` is the creative. */
export const creativeItemColumns =
  'c.id, c.name, c.variation_num, iso(c.in_work_at) as in_work_at, c.assignee_id, c.task_owner_id'
