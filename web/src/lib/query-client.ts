// In charge of how long responses are cached, and of when requests are repeated.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { isNotSignedIn } from './session.ts'

// Components are updated in a microtask, as soon as data arrives, because the default timer would delay the drawing by a frame.
notifyManager.setScheduler(queueMicrotask)

/** Whether a failed read is repeated: at most three times, and only if no response came or its status is 429, or 500 or more. */
function mayHelp(count: number, error: unknown): boolean {
  if (count >= 3) return false
  return !(error instanceof CallError) || error.status === 429 || error.status >= 500
}

/** If a session ends while the page is open, the next read fails; the app then checks again who is signed in. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (isNotSignedIn(error) && queryKey[0] !== 'caller') void queryClient.invalidateQueries({ queryKey: ['caller'] })
  },
})

export const queryClient: QueryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: { retry: mayHelp, refetchOnWindowFocus: true, staleTime: 5_000 },
    // A failed write is not repeated automatically, because the user who made the write should decide.
    mutations: { retry: false, networkMode: 'always' },
  },
})
