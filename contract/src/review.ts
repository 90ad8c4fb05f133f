// In charge of the wire shapes of reviews: the versions of a creative's file, the comments on them, and the decisions.
import Type from 'typebox'
import { TaskStatus } from './enums.ts'
import { StoredFile } from './files.ts'
import { decisionKinds, markKinds, reviewNeeds, reviewStates } from './review-rules.ts'
import { ReviewTake } from './review-takes.ts'
import { Closed, Count, DateTime, Digest, Enumeration, Id, Nullable, Reference, Text, Words } from './wire/schema.ts'
import { Author } from './workspace.ts'

const VersionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of the creative: 1, 2, 3, …' })

export const CreativeVersion = Closed(
  {
    creative_id: Id(),
    number: VersionNumber,
    file: StoredFile.properties.digest,
    media_type: StoredFile.properties.media_type,
    size: StoredFile.properties.size,
    current: Type.Boolean({ description: 'Whether it is the file that the creative has now.' }),
    by: Nullable(Author, { description: 'Who put it there; null where that was not noted.' }),
    at: DateTime(),
    made_by: Nullable(
      Closed({
        run_id: Id(),
        node_id: Type.String(),
        item: Nullable(Type.Integer()),
      }),
      { description: 'The run, node and item that made the file; null where that is not known.' },
    ),
  },
  { $id: 'CreativeVersion', description: 'A file that a creative has or had.' },
)
export type CreativeVersion = Type.Static<typeof CreativeVersion>

export const VersionChoice = Closed({ number: VersionNumber }, { $id: 'VersionChoice' })

const Point = Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 2, maxItems: 2 })
const PictureMark = Closed(
  {
    kind: Enumeration(markKinds),
    lines: Type.Array(Type.Array(Point, { minItems: 1, maxItems: 500 }), { minItems: 1, maxItems: 20 }),
  },
  {
    $id: 'PictureMark',
    description:
      'A part of the picture. Points are `[x, y]` in parts of its size, from 0 at the upper left to 1. A pin has one point, a box two corners, strokes one line each.',
  },
)

const Seconds = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'In a film or a sound, from its beginning.',
})
const visibilities = ['internal', 'guests'] as const
const Visibility = Enumeration(visibilities, { description: '`guests`: those with a link that shows it see it too.' })
const mentions = Type.Array(Reference(), { maxItems: 20, description: 'Ids of the people whom it addresses.' })
const text = Words(5000)

export const ReviewComment = Closed(
  {
    id: Id(),
    creative_id: Id(),
    version: VersionNumber,
    thread_id: Nullable(Id({ description: 'The comment it answers; null where it begins a thread.' })),
    by: Author,
    text: Type.String(),
    mark: Nullable(PictureMark),
    from_seconds: Nullable(Seconds),
    to_seconds: Nullable(Seconds),
    visibility: Visibility,
    mentions: Type.Array(Id()),
    created_at: DateTime(),
    updated_at: DateTime(),
    resolved: Nullable(
      Closed({
        at: DateTime(),
        version: Nullable(VersionNumber, { description: 'The current version then: it was addressed in this one.' }),
        by: Nullable(Type.String({ description: 'The person who said so.' })),
      }),
      { description: 'Null while it is open. An open one holds for every later version.' },
    ),
    take: Nullable(ReviewTake, { description: 'The last new take that was made because of it.' }),
  },
  { $id: 'ReviewComment', description: 'Something said of a version; not among the comments of the task.' },
)
export type ReviewComment = Type.Static<typeof ReviewComment>

export const ReviewCommentCreate = Closed(
  {
    text,
    version: Type.Optional(VersionNumber),
    thread_id: Type.Optional(Nullable(Reference())),
    mark: Type.Optional(Nullable(PictureMark)),
    from_seconds: Type.Optional(Nullable(Seconds)),
    to_seconds: Type.Optional(Nullable(Seconds)),
    visibility: Type.Optional(Visibility),
    mentions: Type.Optional(mentions),
  },
  {
    $id: 'ReviewCommentCreate',
    description: 'Without `version`: of the current one. An answer is of the version of its thread, and as visible.',
  },
)
export type ReviewCommentCreate = Type.Static<typeof ReviewCommentCreate>

export const ReviewCommentPatch = Closed(
  {
    text: Type.Optional(text),
    mentions: Type.Optional(mentions),
    visibility: Type.Optional(Visibility),
    resolved: Type.Optional(Type.Boolean({ description: 'Of a thread. False opens it again.' })),
  },
  { $id: 'ReviewCommentPatch', description: 'Words are changed by their author; anybody who writes may resolve.' },
)
export type ReviewCommentPatch = Type.Static<typeof ReviewCommentPatch>

export const ReviewDecision = Closed(
  {
    id: Id(),
    creative_id: Id(),
    version: VersionNumber,
    file: StoredFile.properties.digest,
    decision: Enumeration(decisionKinds),
    note: Type.String(),
    by: Author,
    at: DateTime(),
    void_at: Nullable(
      DateTime({
        description:
          'When another file came, the same caller decided anew, or the team accepted after its author had lost access.',
      }),
    ),
  },
  { $id: 'ReviewDecision', description: 'What somebody decided about a version. It stays for good.' },
)
export type ReviewDecision = Type.Static<typeof ReviewDecision>

export const ReviewDecisionCreate = Closed(
  {
    file: Digest({ description: 'SHA-256 of the file that was looked at.' }),
    decision: Enumeration(decisionKinds),
    note: Type.Optional(Text(2000)),
  },
  { $id: 'ReviewDecisionCreate', description: 'About the file that the caller has looked at.' },
)

export const CreativeReview = Closed(
  {
    creative_id: Id(),
    name: Type.String(),
    version: Nullable(VersionNumber, { description: 'The current one; null without a file.' }),
    file: Nullable(StoredFile.properties.digest),
    state: Enumeration(reviewStates, {
      description:
        'open: nobody is asked and nobody decided · awaited: reviewers have not decided · changes_wanted: somebody wants changes · accepted.',
    }),
    awaited: Type.Array(Id(), { description: 'Reviewers who have not decided about the current version.' }),
    decisions: Type.Array(ReviewDecision, {
      description:
        'Those that hold, oldest first; 200 at most. Of more, those of the reviewers are kept first, then those that want changes, then the oldest. `state` counts all.',
    }),
    open_comments: Count({ description: 'Threads that nobody has resolved.' }),
  },
  { $id: 'CreativeReview', description: 'Where the review of a creative stands.' },
)
export type CreativeReview = Type.Static<typeof CreativeReview>

const reviewers = Type.Array(Reference(), { maxItems: 20, uniqueItems: true, description: 'Ids of people.' })
export const TaskReviewers = Closed(
  {
    task_id: Id(),
    needs: Enumeration(reviewNeeds, { description: 'How many of the reviewers are to accept each creative.' }),
    reviewers: Type.Array(Id()),
    moves_to: Nullable(TaskStatus, {
      description: 'Where a task in a check goes once all its creatives are accepted; null: it stays.',
    }),
  },
  { $id: 'TaskReviewers', description: 'Who is to decide about the creatives of a task.' },
)
export type TaskReviewers = Type.Static<typeof TaskReviewers>

export const TaskReviewersPatch = Closed(
  {
    needs: Type.Optional(Enumeration(reviewNeeds)),
    reviewers: Type.Optional(reviewers),
    moves_to: Type.Optional(Nullable(TaskStatus)),
  },
  { $id: 'TaskReviewersPatch', description: 'Members left out stay as they are.' },
)
export type TaskReviewersPatch = Type.Static<typeof TaskReviewersPatch>

/** The maximum number of tasks in one request for review states; this is enough for several screens. */
const mostTasks = 100
export const TaskReviewsRequest = Closed(
  { task_ids: Type.Array(Id(), { maxItems: mostTasks }) },
  { $id: 'TaskReviewsRequest' },
)
export const TaskReviewState = Closed(
  {
    task_id: Id(),
    creatives: Count({ description: 'Live ones with a file; the first 500 by name are counted.' }),
    accepted: Count(),
    changes_wanted: Count(),
    awaited: Type.Array(Id(), { description: 'Reviewers who have not decided about one of them or more.' }),
  },
  { $id: 'TaskReviewState', description: 'Where the review of a task stands.' },
)
export type TaskReviewState = Type.Static<typeof TaskReviewState>
