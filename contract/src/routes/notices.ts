// In charge of the routes of notices: what the caller is to know.
import Type from 'typebox'
import { examplePage, examples } from '../examples/examples.ts'
import { Notice, NoticeCount, NoticesRead } from '../notices.ts'
import { Page } from '../wire/envelope.ts'
import { Closed } from '../wire/schema.ts'
import { listQuery, route } from './building.ts'
import type { Route } from './route.ts'

const tag = 'Notices'
const notice: Notice = {
  id: '019a3c62-0d14-7b3c-8a66-3f1e9d2c5b07',
  kind: 'mentioned',
  at: '2026-03-04T12:00:00.000Z',
  unread: true,
  sentence: 'Ada mentioned you on #42 “Glow serum, summer hooks”',
  excerpt: '@Grace, is the hook too long?',
  path: `/tasks/${examples.ids.task}#comments`,
  task_id: examples.ids.task,
  run_id: null,
  creative_id: null,
}

export const noticesRoutes = {
  listNotices: route({
    id: 'listNotices',
    method: 'GET',
    path: '/api/v1/notices',
    tag,
    summary: 'What the caller is to know',
    description:
      'The newest first; those about something deleted are not shown. An integration has none. They go after 90 days.',
    access: 'read',
    query: Closed({
      ...listQuery.properties,
      unread: Type.Optional(Type.Boolean({ description: 'Only unread ones.' })),
    }),
    data: Page(Notice),
    examples: { data: examplePage(notice) },
  }),
  countNotices: route({
    id: 'countNotices',
    method: 'GET',
    path: '/api/v1/notices/count',
    tag,
    summary: 'How many notices the caller has not read',
    description: 'For a badge.',
    access: 'read',
    data: NoticeCount,
    examples: { data: { unread: 3 } },
  }),
  readNotices: route({
    id: 'readNotices',
    method: 'POST',
    path: '/api/v1/notices/read',
    tag,
    summary: 'Mark notices as read, or as unread',
    description: 'Of the caller; ids of others are passed over. Without `ids` all are marked as read.',
    access: 'read',
    body: NoticesRead,
    data: NoticeCount,
    examples: { body: { ids: [notice.id] }, data: { unread: 2 } },
  }),
} as const satisfies Record<string, Route>
