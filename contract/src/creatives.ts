// In charge of the wire shapes of creatives: the record, the bodies of writes, and the response of the lookup.
import Type from 'typebox'
import { LookupHandle, TestStatus } from './enums.ts'
import { taskLimits } from './task-limits.ts'
import { AnyJson, Closed, DateTime, Digest, Id, Line, Nullable, Reference, Vocabulary } from './wire/schema.ts'
import { valueError } from './wire/validation-errors.ts'

/** Members of the rollup: a creative takes each of them from its variant, or from its task if the variant has no value. */
const rollupMembers = {
  locale: Nullable(Vocabulary('Language', { description: "The task's language." })),
  geo: Nullable(Vocabulary('Geo')),
  subject: Nullable(Type.String()),
  topic: Nullable(Type.String()),
  subtopics: Type.Array(Type.String()),
  primary_anchor: Nullable(Vocabulary('PrimaryAnchor')),
  audience: Nullable(Type.String()),
  awareness_stage: Nullable(Vocabulary('AwarenessStage')),
  messaging_angle: Nullable(Vocabulary('MessagingAngle')),
  hook_trigger: Nullable(Vocabulary('HookTrigger')),
  hook_type: Nullable(Vocabulary('HookType')),
  ad_format: Nullable(Vocabulary('AdFormat')),
  tags: Type.Array(Type.String(), { description: "Its own tags, or its variant's." }),
  traffic_flow: Nullable(Vocabulary('TrafficFlow')),
  landing: AnyJson('Where the click lands; any JSON.'),
  funnel: AnyJson('Any JSON.'),
  cpp: AnyJson('Any JSON.'),
}
export const rollupNames = Object.keys(rollupMembers) as (keyof typeof rollupMembers)[] // Object.keys returns these keys

export const CreativeName = Line(255, { description: 'Canonical name; unique among live creatives.' })

export const Creative = Closed(
  {
    id: Id({ description: 'UUIDv7.' }),
    task_id: Id(),
    name: Type.String(),
    variation_num: Nullable(Type.Integer({ description: 'The variant it belongs to.' })),
    file: Nullable(Type.String({ description: 'SHA-256 of its file, hexadecimal.' })),
    completed: Type.Boolean({ description: 'Marked as done by hand.' }),
    done: Type.Boolean({ description: 'Has a file, is marked completed, or its variant is.' }),
    assignee_id: Nullable(Type.String()),
    task_owner_id: Nullable(Type.String()),
    in_work_at: Nullable(DateTime({ description: "Its task's first in_progress after it exists." })),
    ad_id: Nullable(Type.String({ description: 'Campaign id: its own latest launch, else its pack.' })),
    launched_at: Nullable(DateTime({ description: 'First launch.' })),
    test_status: TestStatus,
    ...rollupMembers,
    created_at: DateTime(),
    updated_at: DateTime(),
    deleted_at: Nullable(DateTime()),
  },
  { $id: 'Creative', description: 'An advertising asset produced by a task.' },
)
export type Creative = Type.Static<typeof Creative>

const creativeMembers = {
  name: CreativeName,
  variation_num: Nullable(Type.Integer({ minimum: 1, maximum: taskLimits.variation_num })),
  tags: Nullable(Type.Array(Line(64), { maxItems: 50, description: "Null: its variant's tags." })),
  file: Nullable(
    Digest({
      description: 'SHA-256 of a file uploaded before.',
      'x-error': valueError('must be the SHA-256 digest of an uploaded file'),
    }),
  ),
  completed: Type.Boolean(),
  assignee_id: Nullable(Reference()),
  task_owner_id: Nullable(Reference()),
}

export const CreativePatch = Closed(Type.Partial(Type.Object(creativeMembers)).properties, {
  $id: 'CreativePatch',
  description: 'Members left out stay as they are. Of a deleted creative only `name` may be changed.',
})
export type CreativePatch = Type.Static<typeof CreativePatch>

export const CreativeCreate = Closed(CreativePatch.properties, {
  $id: 'CreativeCreate',
  description:
    'Without `name` the next canonical one is taken. Without `variation_num` too it is the next planned name that is free, with its variant; a planned name brings its variant along.',
})
export type CreativeCreate = Type.Static<typeof CreativeCreate>

export const CreativeConflict = Closed(
  {
    creative_id: Nullable(
      Id({ description: 'The creative that lost its name, or would get it; null if it was to be created with it.' }),
    ),
    name: Type.String(),
    taken_by: Id({ description: 'The creative that has the name now.' }),
    taken_by_task_id: Id({ description: 'The task of the creative that has the name now.' }),
  },
  { $id: 'CreativeConflict' },
)
/** A conflict about a creative that exists, so that it can be renamed. */
export type CreativeConflict = Type.Static<typeof CreativeConflict> & { creative_id: string }

export const Person = Closed({ name: Nullable(Type.String()), initials: Nullable(Type.String()) }, { $id: 'Person' })

export const CreativeRef = Closed(
  {
    id: Id(),
    name: Type.String(),
    ad_id: Nullable(Type.String({ description: 'Campaign id; always a string.' })),
    ...rollupMembers,
    varied_elements: Type.Array(Vocabulary('VariedElement')),
    task_owner: Nullable(Person),
    assignee: Nullable(Person),
    created_at: DateTime(),
  },
  { $id: 'CreativeRef', description: 'Everything a creative is, for an integrating platform.' },
)

export const CreativeLookupResult = Closed(
  {
    query: Type.String({ description: 'The handle value asked.' }),
    handle: LookupHandle,
    creatives: Type.Array(CreativeRef, { description: 'What it resolved to; empty when nothing carries it.' }),
  },
  { $id: 'CreativeLookupResult' },
)
