// In charge of marking notices as read or unread; afterwards the notices on the page are loaded again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { tellError } from '../ui/toasts.tsx'

/**
 * The returned mutation marks the notices with these `ids`; without `ids`, it marks all notices of the user. They are marked as
 * read, or as unread if `read` is false.
 */
export function useRead(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { ids?: string[]; read?: boolean }) => call('readNotices', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['notices', userId] }),
    onError: (error) => tellError(error, 'Not marked'),
  })
}
