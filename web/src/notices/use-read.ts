// In charge of marking notices as read or unread; what is shown of them is read again after it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { tellError } from '../ui/toasts.tsx'

/** Without `ids` all. */
export function useRead(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { ids?: string[]; read?: boolean }) => call('readNotices', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['notices', userId] }),
    onError: (error) => tellError(error, 'Not marked'),
  })
}
