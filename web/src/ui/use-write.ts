// In charge of sending a change from a list page or a form: it loads the list again afterwards, and shows errors.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { tellError } from './toasts.tsx'

type Options<A, R> = {
  write: (given: A) => Promise<R>
  list: QueryKey
  done?: (result: R) => void
  /** No error message appears, because the caller shows the error next to its own fields. */
  quiet?: boolean
  /**
   * Changes with the same scope are sent one after the other, and each is pending until the list has been read again. The caller shows
   * what is pending as if it were in the list already.
   */
  scope?: string
}

export function useWrite<A, R>({ write, list, done, quiet = false, scope }: Options<A, R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: (result) => done?.(result),
    onError: (error) => {
      if (!quiet) tellError(error)
    },
    onSettled: async () => {
      const read = client.invalidateQueries({ queryKey: list })
      if (scope !== undefined) await read
    },
    ...(scope === undefined ? {} : { scope: { id: scope } }),
  })
}
