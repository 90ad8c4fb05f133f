// In charge of the wire shapes for guests: links for people without an account, and what guests can read and write.
import Type from 'typebox'
import { FileLink, StoredFile } from './files.ts'
import { CreativeVersion, ReviewComment, ReviewCommentCreate, ReviewDecision, ReviewDecisionCreate } from './review.ts'
import { Closed, Count, DateTime, Id, Line, Nullable, Reference } from './wire/schema.ts'
import { Author } from './workspace.ts'

const rights = {
  may_comment: Type.Boolean(),
  may_decide: Type.Boolean(),
}

export const GuestLink = Closed(
  {
    id: Id(),
    task_id: Id(),
    name: Type.String({ description: 'Whom it is for; shown in the workspace alone.' }),
    creative_ids: Nullable(Type.Array(Id()), { description: 'Null: all creatives of the task.' }),
    ...rights,
    has_password: Type.Boolean(),
    expires_at: DateTime(),
    revoked_at: Nullable(DateTime()),
    by: Author,
    created_at: DateTime(),
    guests: Count({ description: 'How many have said their name.' }),
    looked_at: Nullable(DateTime({ description: 'When one of them looked last.' })),
  },
  { $id: 'GuestLink', description: 'A link to creatives for people without an account.' },
)
export type GuestLink = Type.Static<typeof GuestLink>

export const GuestLinkMade = Closed(
  {
    ...GuestLink.properties,
    url: Type.String({
      description: 'Its address with the secret; shown this once. Without `PUBLIC_URL` it is the path alone.',
    }),
  },
  { $id: 'GuestLinkMade' },
)

const secondsADay = 86_400
export const GuestLinkCreate = Closed(
  {
    name: Line(100),
    creative_ids: Type.Optional(
      Nullable(Type.Array(Reference(), { minItems: 1, maxItems: 200 }), {
        description: 'Creatives of the task; null or left out: all of them, also those to come.',
      }),
    ),
    may_comment: Type.Optional(Type.Boolean({ description: 'Left out: true.' })),
    may_decide: Type.Optional(Type.Boolean({ description: 'Left out: false.' })),
    password: Type.Optional(Nullable(Type.String({ minLength: 6, maxLength: 200 }))),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 365 * secondsADay,
        description: 'Seconds; left out: 14 days.',
      }),
    ),
  },
  { $id: 'GuestLinkCreate' },
)
export type GuestLinkCreate = Type.Static<typeof GuestLinkCreate>

export const GuestEnter = Closed(
  {
    link: Type.String({ minLength: 1, maxLength: 200, description: 'The secret of the link.' }),
    name: Line(100, {
      description: 'What the guest is called here. Characters that turn the direction of writing are left out of it.',
    }),
    password: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  },
  { $id: 'GuestEnter' },
)
export const GuestEntered = Closed(
  {
    token: Type.String({ description: 'Of this guest: good for the routes of guests, as long as the link is.' }),
    name: Type.String(),
    ...rights,
    expires_at: DateTime(),
  },
  { $id: 'GuestEntered' },
)

export const GuestCreative = Closed(
  {
    creative_id: Id(),
    name: Type.String(),
    version: CreativeVersion.properties.number,
    file: StoredFile.properties.digest,
    media_type: StoredFile.properties.media_type,
    size: StoredFile.properties.size,
    url: FileLink.properties.url,
    thumbnail_url: FileLink.properties.thumbnail_url,
    decision: Nullable(ReviewDecision.properties.decision, {
      description: 'What this guest decided about this version.',
    }),
    note: Nullable(ReviewDecision.properties.note, {
      description:
        'The reason that this guest gave with the decision; empty if none was given, null without a decision.',
    }),
    ...rights,
  },
  { $id: 'GuestCreative', description: 'A creative as a guest sees it: its current version.' },
)
export type GuestCreative = Type.Static<typeof GuestCreative>

export const GuestComment = Closed(
  {
    id: Id(),
    version: ReviewComment.properties.version,
    thread_id: ReviewComment.properties.thread_id,
    by_name: Nullable(Type.String()),
    mine: Type.Boolean(),
    text: Type.String(),
    mark: ReviewComment.properties.mark,
    from_seconds: ReviewComment.properties.from_seconds,
    created_at: DateTime(),
    resolved: Type.Boolean(),
  },
  { $id: 'GuestComment', description: 'A comment as a guest sees it; internal ones are not shown.' },
)

const { text, version, thread_id, mark, from_seconds } = ReviewCommentCreate.properties
export const GuestCommentCreate = Closed(
  { text, version, thread_id, mark, from_seconds },
  { $id: 'GuestCommentCreate', description: 'Without `version`: of the current one.' },
)
export const GuestDecisionCreate = Closed(ReviewDecisionCreate.properties, { $id: 'GuestDecisionCreate' })
