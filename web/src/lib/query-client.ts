// In charge of how answers are kept and asked for again.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { isNotSignedIn } from './session.ts'

// What is there is drawn with the frame it came before, not with the one after it.
notifyManager.setScheduler(queueMicrotask)

/** What a repeat may mend: no answer, or one that says to come back. A refusal stays what it is. */
function mayHelp(count: number, error: unknown): boolean {
  if (count >= 3) return false
  return !(error instanceof CallError) || error.status === 429 || error.status >= 500
}

/** A session that ends while the page is open shows first in whatever is read next: the frame asks again who this is. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (isNotSignedIn(error) && queryKey[0] !== 'caller') void queryClient.invalidateQueries({ queryKey: ['caller'] })
  },
})

export const queryClient: QueryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: { retry: mayHelp, refetchOnWindowFocus: true, staleTime: 5_000 },
    // A write is never repeated by itself: its writer is there to be asked.
    mutations: { retry: false, networkMode: 'always' },
  },
})
