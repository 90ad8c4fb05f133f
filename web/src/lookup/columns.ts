// In charge of defining the columns of the lookup table on the page, and those of the CSV file that has the same lines. Pure.
import type { LookupRow, TaskSchema } from '../lib/types.ts'

type Creative = LookupRow['creatives'][number]
export type LookupLine = { query: string; handle: LookupRow['handle']; creative: Creative | null; first: boolean }

/**
 * Returns one line for each creative of each handle; a handle without creatives gets one line whose `creative` is null. `first` is
 * true for the first line of each handle.
 */
export const linesOf = (rows: readonly LookupRow[]): LookupLine[] =>
  rows.flatMap(({ query, handle, creatives }): LookupLine[] =>
    creatives.length === 0
      ? [{ query, handle, creative: null, first: true }]
      : creatives.map((creative, at) => ({ query, handle, creative, first: at === 0 })),
  )

type Column = { title: string; of: (creative: Creative, label: Labels) => unknown }
type Labels = (vocabulary: string, value: string | null) => string | null

export const labelsOf =
  (schema: TaskSchema | undefined): Labels =>
  (vocabulary, value) =>
    schema?.vocabularies[vocabulary]?.find((entry) => entry.value === value)?.label ?? value

const json = (value: unknown) => (value === null || typeof value === 'string' ? value : JSON.stringify(value))

/** The columns of the table on the page. The CSV file has all of these too. */
export const shownColumns: readonly Column[] = [
  { title: 'Creative', of: ({ name }) => name },
  { title: 'Campaign id', of: ({ ad_id }) => ad_id },
  { title: 'Language', of: ({ locale }, label) => label('Language', locale) },
  { title: 'Geo', of: ({ geo }, label) => label('Geo', geo) },
  { title: 'Format', of: ({ ad_format }, label) => label('AdFormat', ad_format) },
  { title: 'Angle', of: ({ messaging_angle }, label) => label('MessagingAngle', messaging_angle) },
  { title: 'Hook', of: ({ hook_type }, label) => label('HookType', hook_type) },
  { title: 'Subject', of: ({ subject }) => subject },
  { title: 'Assignee', of: ({ assignee }) => assignee?.name },
  { title: 'Task owner', of: ({ task_owner }) => task_owner?.name },
]

/** The columns that only the CSV file has. Users join this file with tables of other tools, which need more properties. */
const furtherColumns: readonly Column[] = [
  { title: 'Topic', of: ({ topic }) => topic },
  { title: 'Subtopics', of: ({ subtopics }) => subtopics.join('; ') },
  { title: 'Audience', of: ({ audience }) => audience },
  { title: 'Primary anchor', of: ({ primary_anchor }, label) => label('PrimaryAnchor', primary_anchor) },
  { title: 'Awareness stage', of: ({ awareness_stage }, label) => label('AwarenessStage', awareness_stage) },
  { title: 'Hook trigger', of: ({ hook_trigger }, label) => label('HookTrigger', hook_trigger) },
  { title: 'Traffic flow', of: ({ traffic_flow }, label) => label('TrafficFlow', traffic_flow) },
  {
    title: 'Varied elements',
    of: ({ varied_elements }, label) => varied_elements.map((value) => label('VariedElement', value)).join('; '),
  },
  { title: 'Tags', of: ({ tags }) => tags.join('; ') },
  { title: 'Landing', of: ({ landing }) => json(landing) },
  { title: 'Funnel', of: ({ funnel }) => json(funnel) },
  { title: 'Custom product page', of: ({ cpp }) => json(cpp) },
  { title: 'Created', of: ({ created_at }) => created_at },
  { title: 'Id', of: ({ id }) => id },
]

export function csvRows(lines: readonly LookupLine[], label: Labels): unknown[][] {
  const columns = [...shownColumns, ...furtherColumns]
  return [
    ['Asked', 'Handle', ...columns.map(({ title }) => title)],
    ...lines.map(({ query, handle, creative }) => [
      query,
      handle,
      ...columns.map(({ of }) => (creative ? of(creative, label) : null)),
    ]),
  ]
}
