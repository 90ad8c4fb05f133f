// In charge of the wire shapes of notices: the event, whether the person has read the notice, and the page to which the notice
// links.
import Type from 'typebox'
import { noticeKinds } from './notice-kinds.ts'
import { Closed, Count, DateTime, Enumeration, Id, Nullable, Reference } from './wire/schema.ts'

/** Unread notices are counted only up to this number, so a count of this number means this many or more. */
export const mostCounted = 100

export const Notice = Closed(
  {
    id: Id(),
    kind: Enumeration(noticeKinds),
    at: DateTime({ description: 'When it happened last.' }),
    unread: Type.Boolean({ description: 'A gate that has its answer is read for everybody.' }),
    sentence: Type.String({ description: 'What happened, in words.' }),
    excerpt: Nullable(Type.String(), {
      description: 'The beginning of the comment, or of the error; or which model ends when.',
    }),
    path: Type.String({ description: 'The address in the web app where it is seen to.' }),
    task_id: Nullable(Id()),
    run_id: Nullable(Id()),
    creative_id: Nullable(Id()),
    graph_id: Nullable(Id()),
  },
  { $id: 'Notice', description: 'Something that its reader is to know.' },
)
export type Notice = Type.Static<typeof Notice>

export const NoticeCount = Closed(
  { unread: Count({ maximum: mostCounted, description: `${mostCounted} stands for that many or more.` }) },
  { $id: 'NoticeCount' },
)

export const NoticesRead = Closed(
  {
    ids: Type.Optional(Type.Array(Reference(), { maxItems: 100, description: 'Left out: all.' })),
    read: Type.Optional(Type.Boolean({ description: 'False makes the named ones unread again. Left out: read.' })),
  },
  { $id: 'NoticesRead' },
)
