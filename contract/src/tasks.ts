// In charge of the wire shapes of tasks: the card, the full record, the bodies of writes, and the pages of feeds.
import Type from 'typebox'
import { Check } from 'typebox/value'
import { AutomationState, TaskStatus, TestStatus } from './enums.ts'
import { longestTaskName, taskLimits } from './task-limits.ts'
import { AnyJson, Closed, Count, DateTime, Id, Line, Nullable, Reference, Text, Vocabulary } from './wire/schema.ts'
import { valueError } from './wire/validation-errors.ts'

const Int = (description: string) => Nullable(Type.Integer({ description }))
const Line255 = (description: string) => Nullable(Line(255, { description }))

// Optional members of a request have no `default` in their schemas. If they had, a generated client would send these defaults in
// every request, and so reset members that the user did not change.

/** Members that tasks, variants and creatives all have; a variant may override the task's values. */
const angleMembers = {
  primary_anchor: Nullable(Vocabulary('PrimaryAnchor', { description: 'What the ad is anchored in.' })),
  audience: Line255('Who it speaks to.'),
  awareness_stage: Nullable(Vocabulary('AwarenessStage', { description: "Schwartz's stage of awareness." })),
  messaging_angle: Nullable(Vocabulary('MessagingAngle')),
  hook_trigger: Nullable(Vocabulary('HookTrigger')),
  hook_type: Nullable(Vocabulary('HookType')),
  ad_format: Nullable(Vocabulary('AdFormat')),
}
export const angleNames = Object.keys(angleMembers) as (keyof typeof angleMembers)[] // Object.keys returns these keys

const VariedElements = Type.Array(Vocabulary('VariedElement'), { maxItems: 50, uniqueItems: true })
const TagSlugs = Type.Array(Line(64), { maxItems: 50, description: 'Tags its creatives carry.' })

const variantMembers = {
  key: Line(64, { description: 'Unique within the task.' }),
  variation_num: Type.Integer({
    minimum: 1,
    maximum: taskLimits.variation_num,
    description: 'Unique within the task.',
  }),
  ...angleMembers,
  notes: Nullable(Text(20_000)),
  tag_slugs: TagSlugs,
  description: Nullable(Text(20_000)),
  completed: Type.Boolean({ description: 'Marks its creatives as done.' }),
}

export const TaskVariant = Closed(
  { ...variantMembers, completed: Type.Boolean({ default: false, description: 'Marks its creatives as done.' }) },
  { $id: 'TaskVariant' },
)
export type TaskVariant = Type.Static<typeof TaskVariant>

/** In a request, only `key` and `variation_num`, which identify a variant, are required. */
const { key, variation_num, ...optionalVariantMembers } = variantMembers
export const TaskVariantWrite = Closed(
  { key, variation_num, ...Type.Partial(Type.Object(optionalVariantMembers)).properties },
  { $id: 'TaskVariantWrite' },
)
export type TaskVariantWrite = Type.Static<typeof TaskVariantWrite>

/** The members of a task that users may write; all other members of the record are derived. */
const writableMembers = {
  name: Line(longestTaskName, { description: 'What people call the task.' }),
  status: TaskStatus,
  test_status: TestStatus,
  task_type: Nullable(Vocabulary('TaskType')),
  work_stream: Nullable(Vocabulary('WorkStream')),
  product_id: Nullable(Reference({ description: 'A product of this workspace.' })),
  media_type: Nullable(Vocabulary('MediaType')),
  source: Vocabulary('Source', { description: 'Where its ads run. META unless said otherwise.' }),
  creation_complexity: Nullable(Type.Integer({ minimum: 0, maximum: 1000 })),
  execution_complexity: Nullable(Type.Integer({ minimum: 0, maximum: 1000 })),
  priority: Nullable(Type.Integer({ minimum: 1, maximum: 5, description: '1 is the highest.' })),
  assignee_id: Nullable(Reference({ description: 'The person who makes it.' })),
  task_owner_id: Nullable(Reference({ description: 'The person who answers for it.' })),
  deadline_at: Nullable(DateTime()),
  manual_launch: Type.Boolean({ description: '`launched_at` is kept by hand. False unless said otherwise.' }),
  launched_at: Nullable(DateTime({ description: 'First launch. Writable only while `manual_launch` is true.' })),
  count: Nullable(
    Type.Integer({ minimum: 0, maximum: taskLimits.count, description: 'Creatives planned for each variant.' }),
  ),
  resolution: Nullable(Vocabulary('Resolution')),
  geo: Nullable(Vocabulary('Geo')),
  language: Nullable(Vocabulary('Language')),
  varied_elements: VariedElements,
  var_description: Nullable(Text(20_000)),
  origin_creative_id: Nullable(Reference({ description: 'Lineage: the creative this task started from.' })),
  source_creative_ids: Type.Array(Reference(), {
    maxItems: taskLimits.sources,
    uniqueItems: true,
    description: 'Lineage: further creatives it draws on.',
  }),
  is_legacy: Type.Boolean({ description: 'False unless said otherwise.' }),
  legacy_remap_list: Nullable(Text(20_000)),
  drive_url: Nullable(
    Type.String({
      maxLength: 2048,
      pattern: '^https?://[^\\s]+$',
      'x-error': valueError('must be an http or https URL'),
    }),
  ),
  drive_folder_id: Line255('Folder of its working files.'),
  hypothesis: Nullable(Text(20_000)),
  subject: Line255('What the ads are about.'),
  topic: Line255('The topic within the subject.'),
  subtopics: Type.Array(Line(255), { maxItems: 50 }),
  ...angleMembers,
  notes: Nullable(Text(20_000)),
  traffic_flow: Nullable(Vocabulary('TrafficFlow')),
  landing: AnyJson('Where the click lands; any JSON.'),
  funnel: AnyJson('Any JSON.'),
  cpp: AnyJson('Any JSON.'),
}

type Writable = typeof writableMembers
type NullableName = { [N in keyof Writable]: null extends Type.Static<Writable[N]> ? N : never }[keyof Writable]

/** All writable members that may be null, set to null; a new task and the example task start with these values. */
export const nullMembers = Object.fromEntries(
  Object.entries(writableMembers).flatMap(([name, schema]) => (Check(schema, null) ? [[name, null]] : [])),
) as Record<NullableName, null> // `Check` accepts null exactly where the type includes null

const partialMembers = Type.Partial(
  Type.Object({
    ...writableMembers,
    variants: Type.Array(TaskVariantWrite, { maxItems: taskLimits.variants, description: 'Replaced as a whole.' }),
  }),
).properties

export const TaskPatch = Closed(partialMembers, {
  $id: 'TaskPatch',
  description: 'Members left out stay as they are; null clears a nullable member.',
})
export type TaskPatch = Type.Static<typeof TaskPatch>

export const TaskCreate = Closed({ ...partialMembers, name: writableMembers.name }, { $id: 'TaskCreate' })
export type TaskCreate = Type.Static<typeof TaskCreate>

/** Members of a task that a brief leaves out: name, status, dates, files, result, and the creatives that the task is based on. */
const notInBrief = [
  ...(['name', 'status', 'test_status', 'deadline_at', 'manual_launch', 'launched_at'] as const),
  ...(['origin_creative_id', 'source_creative_ids'] as const),
  ...(['is_legacy', 'legacy_remap_list', 'drive_url', 'drive_folder_id'] as const),
]
const briefMembers = Type.Omit(Type.Object(partialMembers), notInBrief).properties

export const TaskBrief = Closed(briefMembers, {
  $id: 'TaskBrief',
  description:
    'What is asked for: the members of a task that a template keeps and a duplicate copies, with the variants.',
})
export type TaskBrief = Type.Static<typeof TaskBrief>
/** The names of all members of a brief, in the order of the schema. */
export const briefNames = Object.keys(briefMembers) as (keyof TaskBrief)[] // Object.keys returns these keys

const plain = (description: string) => Nullable(Type.String({ description }))
const stamp = (description: string) => Nullable(DateTime({ description }))

/** Members that both the card and the full record of a task have in responses. */
const sharedMembers = {
  id: Id({ description: 'UUIDv7.' }),
  name: Type.String(),
  number: Int('Task number; never reused.'),
  generated_name: plain('Built from the name template.'),
  status: TaskStatus,
  test_status: TestStatus,
  task_type: writableMembers.task_type,
  work_stream: writableMembers.work_stream,
  product_id: plain('A product of this workspace.'),
  media_type: writableMembers.media_type,
  creation_complexity: Int('Points to conceive one creative.'),
  execution_complexity: Int('Points to produce one creative.'),
  priority: Int('1 (highest) to 5.'),
  assignee_id: plain('The person who makes it.'),
  task_owner_id: plain('The person who answers for it.'),
  deadline_at: stamp('When it is due.'),
  manual_launch: Type.Boolean({ default: false, description: '`launched_at` is kept by hand.' }),
  launched_at: stamp('First launch.'),
  count: Int('Creatives planned for each variant.'),
  resolution: writableMembers.resolution,
  geo: writableMembers.geo,
  language: writableMembers.language,
  varied_elements: Type.Array(Vocabulary('VariedElement')),
  subject: plain('What the ads are about.'),
  topic: plain('The topic within the subject.'),
  ...angleMembers,
  audience: plain('Who it speaks to.'),
  traffic_flow: writableMembers.traffic_flow,
  started_at: stamp('First in_progress.'),
  submitted_at: stamp('First check.'),
  completed_at: stamp('Done; cleared when reopened.'),
  comment_count: Count({ default: 0 }),
  created_at: DateTime(),
  updated_at: DateTime(),
  deleted_at: stamp('Set for soft-deleted tasks.'),
}

export const TaskCardAutomation = Closed(
  {
    state: Nullable(AutomationState),
    error: Nullable(Type.String()),
    started_at: stamp('The moment the run was enqueued.'),
  },
  { $id: 'TaskCardAutomation' },
)

export const TaskCard = Closed(
  {
    ...sharedMembers,
    source: Nullable(Vocabulary('Source')),
    creatives_total: Count({ default: 0, description: 'Live creatives.' }),
    creatives_done: Count({ default: 0, description: 'Live creatives with a file, or marked completed.' }),
    automation: TaskCardAutomation,
    creation_points: Nullable(Type.Number()),
    execution_points: Nullable(Type.Number()),
  },
  { $id: 'TaskCard', description: 'A task trimmed for a feed.' },
)
export type TaskCard = Type.Static<typeof TaskCard>

export const TaskRollups = Closed(
  {
    derived_task_count: Int('Tasks whose lineage names a creative of this one.'),
    creation_points: Nullable(Type.Number({ description: 'creation_complexity × max(count, 1)' })),
    execution_points: Nullable(Type.Number({ description: 'execution_complexity × max(count, 1)' })),
    return_count: Int('How often it came back from a check.'),
  },
  { $id: 'TaskRollups' },
)

export const TaskAutomation = Closed(
  {
    state: Nullable(AutomationState),
    error: Nullable(Type.String()),
    ran_at: stamp('Its last end.'),
    started_at: stamp('The moment the run was enqueued.'),
  },
  { $id: 'TaskAutomation' },
)

export const Task = Closed(
  {
    ...sharedMembers,
    schema_version: Type.Integer({ default: 3 }),
    planned_creative_names: Type.Array(Type.String()),
    planned_creatives_done: Type.Array(Type.String(), { description: 'Planned names that have a finished creative.' }),
    source: writableMembers.source,
    var_description: writableMembers.var_description,
    rollups: TaskRollups,
    automation: TaskAutomation,
    time_in_progress_seconds: Type.Number({ default: 0 }),
    time_on_check_seconds: Type.Number({ default: 0 }),
    status_entered_at: stamp('When it entered its status.'),
    ad_id: plain('Campaign id of its pack launch. A string: 17 or more digits.'),
    origin_creative_id: plain('Lineage.'),
    source_creative_ids: Type.Array(Type.String(), { description: 'Lineage.' }),
    is_legacy: Type.Boolean({ default: false }),
    legacy_remap_list: writableMembers.legacy_remap_list,
    drive_url: plain('Its working files.'),
    drive_folder_id: plain('Folder of its working files.'),
    hypothesis: writableMembers.hypothesis,
    subtopics: Type.Array(Type.String()),
    notes: writableMembers.notes,
    landing: writableMembers.landing,
    funnel: writableMembers.funnel,
    cpp: writableMembers.cpp,
    variants: Type.Array(TaskVariant),
  },
  { $id: 'Task', description: 'The full record of a task.' },
)
export type Task = Type.Static<typeof Task>

export const CreativeItem = Closed(
  {
    id: Id(),
    name: Type.String(),
    variation_num: Int('The variant it belongs to.'),
    in_work_at: stamp("Its task's first in_progress after it exists."),
    assignee_id: plain('The person who makes it.'),
    task_owner_id: plain('The person who answers for it.'),
  },
  { $id: 'CreativeItem', description: 'A creative as feeds and records include it.' },
)

export const TaskIncludes = Closed(
  {
    users: Type.Record(
      Type.String(),
      Closed({
        id: Id(),
        name: plain('As the directory has it.'),
        email: plain('Personal data; an opaque string.'),
        image_url: plain('Picture.'),
      }),
      { description: 'People the tasks name, by id.' },
    ),
    products: Type.Record(Type.String(), Closed({ id: Id(), name: Type.String() }), { description: 'By id.' }),
    creatives: Type.Record(Type.String(), CreativeItem, { description: 'Lineage creatives by id; empty in feeds.' }),
    task_creatives: Type.Array(CreativeItem, { description: "The task's own creatives; empty in feeds." }),
  },
  { $id: 'TaskIncludes' },
)

export const TaskBoardMeta = Closed(
  {
    next_cursor: Nullable(Type.String({ description: 'Opaque; hand it back as `cursor`. Null on the last page.' })),
    total: Nullable(Type.Integer({ description: 'First page only; null where counting took too long.' })),
  },
  { $id: 'TaskBoardMeta' },
)

export const TasksBoardPage = Closed(
  { tasks: Type.Array(TaskCard), included: TaskIncludes, meta: TaskBoardMeta },
  { $id: 'TasksBoardPage' },
)

export const TaskWithIncludes = Closed({ task: Task, included: TaskIncludes }, { $id: 'TaskWithIncludes' })

export const BulkPatch = Closed(
  {
    ids: Type.Array(Reference(), { minItems: 1, maxItems: taskLimits.bulk, uniqueItems: true }),
    patch: TaskPatch,
  },
  { $id: 'BulkPatch' },
)

export const BulkResult = Closed(
  {
    updated: Type.Array(Task),
    failed: Type.Array(Closed({ id: Id(), code: Type.String(), detail: Type.String() })),
  },
  { $id: 'BulkResult' },
)
