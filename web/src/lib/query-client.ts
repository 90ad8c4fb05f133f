// In charge of how long responses are cached, and of when requests are repeated.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { onSignedOut } from './session.ts'

// Components are updated in a microtask, as soon as data arrives, because the default timer would delay the drawing by a frame.
notifyManager.setScheduler(queueMicrotask)

/** Whether a failed read is repeated: at most three times, and only if no response came or its status is 429, or 500 or more. */
function mayHelp(count: number, error: unknown): boolean {
  if (count >= 3) return false
  return !(error instanceof CallError) || error.status === 429 || error.status >= 500
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayHelp, refetchOnWindowFocus: true, staleTime: 5_000 },
    // A failed write is not repeated automatically, because the user who made the write should decide.
    mutations: { retry: false, networkMode: 'always' },
  },
})

// If a session ends while the page is open, the next read or write fails; the app then checks again who is signed in.
onSignedOut(() => {
  const caller = { queryKey: ['caller'] }
  if (queryClient.isFetching(caller) === 0) void queryClient.invalidateQueries(caller)
})
