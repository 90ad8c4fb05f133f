// In charge of the queries for notices. The query keys contain the user's id, because the service reports changed notices by the
// id of the user who receives them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../lib/api.ts'

export const noticeCountQuery = (userId: string) =>
  queryOptions({ queryKey: ['notices', userId, 'count'], queryFn: () => call('countNotices') })

export const noticesQuery = (userId: string, onlyUnread: boolean) =>
  infiniteQueryOptions({
    queryKey: ['notices', userId, onlyUnread ? 'unread' : 'all'],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listNotices', {
        query: {
          limit: 50,
          ...(onlyUnread ? { unread: true } : {}),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
  })

export const noticeSettingsQuery = queryOptions({
  queryKey: ['notice-settings'],
  queryFn: () => call('getNoticeSettings'),
})
