// In charge of how responses are cached and read again.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { isNotSignedIn } from './session.ts'

// Data is drawn in the frame in which it came, not in the next one.
notifyManager.setScheduler(queueMicrotask)

/** Whether to repeat a request: if no response came, or one that says to try again. A refusal is not repeated. */
function mayHelp(count: number, error: unknown): boolean {
  if (count >= 3) return false
  return !(error instanceof CallError) || error.status === 429 || error.status >= 500
}

/** When a session ends while the page is open, the next read fails: then the app asks anew who is signed in. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (isNotSignedIn(error) && queryKey[0] !== 'caller') void queryClient.invalidateQueries({ queryKey: ['caller'] })
  },
})

export const queryClient: QueryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: { retry: mayHelp, refetchOnWindowFocus: true, staleTime: 5_000 },
    // A failed write is not repeated automatically: the user who made it can decide.
    mutations: { retry: false, networkMode: 'always' },
  },
})
