// In charge of the wire shapes of people, products, tokens, comments, activity, the board's columns and the task schema.
import Type from 'typebox'
import { Role, Scope, StatusGroups, scopes, TaskStatus } from './enums.ts'
import { Closed, Count, DateTime, Id, Line, Nullable, OpenObject, Reference, Text } from './wire/schema.ts'

export const User = Closed(
  {
    id: Id(),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    image_url: Nullable(Type.String()),
    role: Role,
    active: Type.Boolean(),
    created_at: DateTime(),
  },
  { $id: 'User', description: 'A person of the workspace.' },
)

const userMembers = {
  name: Nullable(Line(255)),
  email: Nullable(Line(255, { description: 'Personal data; an opaque string.' })),
  role: Role,
}
export const UserCreate = Closed(
  { ...Type.Partial(Type.Object(userMembers)).properties, name: Line(255) },
  { $id: 'UserCreate', description: 'A reader unless said otherwise.' },
)
export const UserPatch = Closed(
  {
    ...Type.Partial(Type.Object(userMembers)).properties,
    active: Type.Optional(Type.Boolean({ description: 'False ends every access of the person at once.' })),
  },
  { $id: 'UserPatch', description: 'Members left out stay as they are.' },
)
export type UserPatch = Type.Static<typeof UserPatch>

export const Caller = Closed(
  {
    kind: Type.Unsafe<'person' | 'integration'>({ type: 'string', enum: ['person', 'integration'] }),
    name: Nullable(Type.String()),
    user: Nullable(User),
    scopes: Type.Array(Scope, { description: 'What this token may do, narrowed by the role.' }),
  },
  { $id: 'Caller', description: 'Who a token speaks for.' },
)

export const Product = Closed(
  {
    id: Id(),
    name: Type.String(),
    code: Type.String({ description: 'Stands for the product in names; fixed, so that renaming changes no name.' }),
    created_at: DateTime(),
  },
  { $id: 'Product' },
)
export const ProductCreate = Closed({ name: Line(120), code: Type.Optional(Line(40)) }, { $id: 'ProductCreate' })
export const ProductPatch = Closed({ name: Type.Optional(Line(120)) }, { $id: 'ProductPatch' })

const tokenMembers = {
  id: Id(),
  name: Type.String(),
  hint: Type.String({ description: 'Its last four characters.' }),
  scopes: Type.Array(Scope),
  user_id: Nullable(Type.String({ description: 'The person it speaks for; null: an integration.' })),
  expires_at: Nullable(DateTime()),
  created_at: DateTime(),
  revoked_at: Nullable(DateTime()),
  last_used_at: Nullable(DateTime({ description: 'To the minute.' })),
}
export const Token = Closed(tokenMembers, { $id: 'Token' })
export const IssuedToken = Closed(
  { ...tokenMembers, token: Type.String({ description: 'Shown this once; only its hash is kept.' }) },
  { $id: 'IssuedToken' },
)
export const TokenCreate = Closed(
  {
    name: Type.Optional(Line(120, { description: '`Token` unless said otherwise.' })),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
    user_id: Type.Optional(Nullable(Reference({ description: 'Leave out for an integration.' }))),
    expires_at: Type.Optional(Nullable(DateTime())),
  },
  { $id: 'TokenCreate' },
)

export const SignInLinkCreate = Closed(
  { user_id: Type.Optional(Reference({ description: 'The person to sign in as; left out: the owner.' })) },
  { $id: 'SignInLinkCreate' },
)
export const SignInLink = Closed(
  {
    url: Type.String({ description: 'Shown this once; only its hash is kept.' }),
    user_id: Type.String(),
    expires_at: DateTime(),
  },
  { $id: 'SignInLink', description: 'Signs a browser in as a person, once.' },
)

/** The author of an action: a person or an integration. */
export const Author = Closed(
  {
    user_id: Nullable(Type.String()),
    token_id: Nullable(Type.String()),
    name: Nullable(Type.String({ description: 'Of what an automation did: the automation; the ids are its owner’s.' })),
  },
  { $id: 'Author' },
)

export const Comment = Closed(
  { id: Id(), task_id: Id(), by: Author, text: Type.String(), created_at: DateTime(), updated_at: DateTime() },
  { $id: 'Comment' },
)
export const CommentWrite = Closed({ text: Text(20_000, { minLength: 1 }) }, { $id: 'CommentWrite' })

export const activityKinds = [
  'task_created',
  'task_changed',
  'task_moved',
  'task_deleted',
  'task_restored',
  'comment_added',
  'comment_changed',
  'comment_deleted',
  'creative_created',
  'creative_changed',
  'creative_deleted',
  'creative_restored',
  'review_commented',
  'review_resolved',
  'review_comment_deleted',
  'review_decided',
  'task_stayed',
  'review_take_started',
  'review_take_ended',
  'review_take_decided',
  'reviewers_changed',
  'guest_link_created',
  'guest_link_revoked',
  'guest_looked',
  'launch_recorded',
  'launch_corrected',
  'automation_started',
  'automation_skipped',
  'automation_ended',
] as const
export type ActivityKind = (typeof activityKinds)[number]
export const Activity = Closed(
  {
    id: Id(),
    at: DateTime(),
    kind: Type.Unsafe<ActivityKind>({ type: 'string', enum: [...activityKinds] }),
    by: Nullable(Author),
    subject_id: Nullable(
      Type.String({
        description: 'The comment or creative it was done to, or the run of the automation; null: the task.',
      }),
    ),
    changes: OpenObject('Member → {from, to}; long texts are shortened.'),
  },
  { $id: 'Activity' },
)

export const Column = Closed(
  { status: TaskStatus, label: Type.String(), group: StatusGroups, total: Count() },
  { $id: 'Column' },
)

const Labelled = Closed({ value: Type.String(), label: Type.String() })
export const TaskSchema = Closed(
  {
    filter_fields: Type.Array(
      Closed({
        name: Type.String(),
        label: Type.String(),
        type: Type.String(),
        nullable: Type.Boolean(),
        operators: Type.Array(Type.String()),
        vocabulary: Nullable(Type.String()),
        values: Nullable(Type.Array(Labelled)),
      }),
    ),
    sort_fields: Type.Array(
      Closed({
        name: Type.String(),
        label: Type.String(),
        nullable: Type.Boolean({ description: 'Nulls come last in both directions.' }),
        feeds: Type.Array(Type.String()),
      }),
    ),
    default_sort: Closed({
      board: Closed({ field: Type.String(), direction: Type.Integer() }),
      deleted: Closed({ field: Type.String(), direction: Type.Integer() }),
    }),
    statuses: Type.Array(Closed({ value: TaskStatus, label: Type.String(), group: StatusGroups })),
    groups: Type.Array(Closed({ value: StatusGroups, label: Type.String() })),
    vocabularies: Type.Record(Type.String(), Type.Array(Labelled)),
    name_template: Type.String(),
    retention_window: Type.String({ description: 'ISO 8601 duration.' }),
    automation_run_timeout: Type.String({ description: 'ISO 8601 duration.' }),
  },
  { $id: 'TaskSchema', description: 'Everything a client needs to know to filter, sort, label and write tasks.' },
)
