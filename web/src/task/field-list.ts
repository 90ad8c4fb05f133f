// In charge of the list of the members of a task that can be edited: their groups, order, inputs and help texts. The labels and
// the values to choose from come from the task schema that the service returns.

type FieldKind =
  | 'text'
  | 'long'
  | 'integer'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'person'
  | 'product'
  | 'time'
  | 'flag'
  | 'json'
  | 'test'

export type FieldSpec = {
  name: string
  kind: FieldKind
  /** Only for members that have no label in the task schema. */
  label?: string
  vocabulary?: string
  help?: string
  min?: number
  max?: number
  /** True if users must not empty the member. Most members may be emptied. */
  required?: boolean
  wide?: boolean
}

/** `isFolded`: the group is rarely used, so it is collapsed at first. */
type FieldGroup = { title: string; help?: string; isFolded?: boolean; fields: readonly FieldSpec[] }

const choice = (name: string, vocabulary: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  kind: 'choice',
  vocabulary,
  ...more,
})

/** The fields that are shown first, directly under the name. */
export const leadFields: readonly FieldSpec[] = [
  { name: 'assignee_id', kind: 'person', help: 'The person who makes it.' },
  { name: 'task_owner_id', kind: 'person', help: 'The person who answers for it, and accepts it.' },
  { name: 'deadline_at', kind: 'time' },
  { name: 'priority', kind: 'integer', min: 1, max: 5, help: '1 is the highest, 5 the lowest.' },
]

export const fieldGroups: readonly FieldGroup[] = [
  {
    title: 'Idea',
    help: 'Creatives take these over; a variant may have its own.',
    fields: [
      { name: 'hypothesis', kind: 'long', label: 'Hypothesis', help: 'What this is to find out.', wide: true },
      choice('messaging_angle', 'MessagingAngle', { help: 'The argument it makes.' }),
      choice('hook_type', 'HookType', { help: 'How it opens.' }),
      choice('hook_trigger', 'HookTrigger', { help: 'What makes one stop.' }),
      { name: 'audience', kind: 'text' },
      { name: 'subject', kind: 'text' },
      { name: 'topic', kind: 'text' },
      { name: 'subtopics', kind: 'texts', label: 'Subtopics', help: 'One each; Enter adds it.' },
      choice('primary_anchor', 'PrimaryAnchor', { help: 'What the ad is anchored in.' }),
      choice('awareness_stage', 'AwarenessStage', { help: 'How much its audience knows already, after Schwartz.' }),
      choice('ad_format', 'AdFormat'),
      {
        name: 'varied_elements',
        kind: 'choices',
        vocabulary: 'VariedElement',
        help: 'What differs between the creatives of this task.',
      },
      { name: 'var_description', kind: 'long', label: 'How it varies', wide: true },
      { name: 'notes', kind: 'long', label: 'Notes', wide: true },
    ],
  },
  {
    title: 'Plan',
    fields: [
      {
        name: 'product_id',
        kind: 'product',
        help: 'What is advertised. Its code stands in the names of the creatives.',
      },
      choice('task_type', 'TaskType'),
      choice('work_stream', 'WorkStream'),
      choice('media_type', 'MediaType'),
      choice('source', 'Source', { help: 'Where its ads run.', required: true }),
      choice('resolution', 'Resolution'),
      choice('geo', 'Geo'),
      choice('language', 'Language'),
      {
        name: 'count',
        kind: 'integer',
        min: 0,
        max: 100,
        help: 'Creatives planned, for each variant where there are some.',
      },
      {
        name: 'creation_complexity',
        kind: 'integer',
        min: 0,
        max: 1000,
        help: 'Points to conceive one creative. Times the count they are the creation points.',
      },
      { name: 'execution_complexity', kind: 'integer', min: 0, max: 1000, help: 'Points to produce one creative.' },
    ],
  },
  {
    title: 'Launch',
    isFolded: true,
    help: 'Launches follow from what is recorded: by launch tools over the API, or by “Record the launch” above, once the task is done.',
    fields: [
      { name: 'test_status', kind: 'test' },
      choice('traffic_flow', 'TrafficFlow'),
      {
        name: 'manual_launch',
        kind: 'flag',
        help: 'The launch date is kept by hand, instead of following from recorded launches. No campaign id is recorded.',
      },
      { name: 'launched_at', kind: 'time', help: 'The first launch. By hand only while “Manual launch” is on.' },
      { name: 'landing', kind: 'json', label: 'Landing', help: 'Where the click lands; any JSON.', wide: true },
      { name: 'funnel', kind: 'json', label: 'Funnel', help: 'Any JSON.', wide: true },
      { name: 'cpp', kind: 'json', label: 'Custom product page', help: 'Any JSON.', wide: true },
    ],
  },
  {
    title: 'Files and origin',
    isFolded: true,
    fields: [
      {
        name: 'drive_url',
        kind: 'text',
        label: 'Working files',
        help: 'Address of the folder they are in.',
        wide: true,
      },
      { name: 'drive_folder_id', kind: 'text', label: 'Folder id' },
      {
        name: 'origin_creative_id',
        kind: 'text',
        label: 'Started from creative',
        help: 'Id of the creative this task started from.',
      },
      { name: 'source_creative_ids', kind: 'texts', label: 'Also draws on', help: 'Ids of further creatives.' },
      { name: 'is_legacy', kind: 'flag', label: 'Legacy', help: 'Brought over from before Atelier.' },
      { name: 'legacy_remap_list', kind: 'long', label: 'Former names', wide: true },
    ],
  },
]
