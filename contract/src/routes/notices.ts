// In charge of the routes for the caller's own notices.
import Type from 'typebox'
import { examplePage, examples } from '../examples/examples.ts'
import {
  NoticeSettings,
  NoticeSettingsPatch,
  NoticeTest,
  NoticeTestResult,
  WorkspaceChatSet,
} from '../notice-settings.ts'
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
  graph_id: null,
}

const settings: NoticeSettings = {
  mail: { is_set_up: true, address: 'grace@example.org' },
  chat: { service: 'slack', host: 'hooks.slack.com', ends_with: 'x7Qa' },
  workspace_chat: null,
  mail_kinds: ['gate_waits', 'mentioned'],
  chat_kinds: ['gate_waits'],
  digest: 'daily',
  digest_at: '09:00',
  quiet: { from: '18:00', to: '08:00' },
  time_zone: 'Europe/Berlin',
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
  getNoticeSettings: route({
    id: 'getNoticeSettings',
    method: 'GET',
    path: '/api/v1/notices/settings',
    tag,
    summary: 'How the caller is notified outside the app',
    description: 'By mail and chat: of what, how often, and when not. An integration has none.',
    access: 'read',
    refuses: ['not_found'],
    data: NoticeSettings,
    examples: { data: settings },
  }),
  patchNoticeSettings: route({
    id: 'patchNoticeSettings',
    method: 'PATCH',
    path: '/api/v1/notices/settings',
    tag,
    summary: 'Change how the caller is notified outside the app',
    description: 'What waits to be sent goes by the new settings.',
    access: 'read',
    refuses: ['not_found'],
    body: NoticeSettingsPatch,
    data: NoticeSettings,
    examples: {
      body: { digest: 'daily', digest_at: '09:00', time_zone: 'Europe/Berlin', quiet: { from: '18:00', to: '08:00' } },
      data: settings,
    },
  }),
  testNotices: route({
    id: 'testNotices',
    method: 'POST',
    path: '/api/v1/notices/test',
    tag,
    summary: 'Send the caller a message now',
    description: 'Waits for the other server and says its words, at most 30 s. At most 5 times a minute.',
    access: 'read',
    effect: 'read',
    refuses: ['not_found'],
    body: NoticeTest,
    data: NoticeTestResult,
    examples: { body: { channel: 'mail' }, data: { is_sent: true, said: '250 OK: queued' } },
  }),
  setWorkspaceChat: route({
    id: 'setWorkspaceChat',
    method: 'PATCH',
    path: '/api/v1/notices/workspace-chat',
    tag,
    summary: 'Set where messages to the chat go for people without an address of their own',
    description: 'Null: nowhere.',
    access: 'admin',
    refuses: ['not_found'],
    body: WorkspaceChatSet,
    data: NoticeSettings,
    examples: {
      body: { chat: { service: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x7Qa' } },
      data: settings,
    },
  }),
} as const satisfies Record<string, Route>
