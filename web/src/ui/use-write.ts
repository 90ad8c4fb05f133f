// In charge of sending a change from a list page or a form: it loads the list again afterwards, and shows errors.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { tellError } from './toasts.tsx'

type Options<A, R> = { write: (given: A) => Promise<R>; list: QueryKey; done?: (result: R) => void; quiet?: boolean }

/** `quiet`: no error message appears, because the caller shows the error next to its own fields. */
export function useWrite<A, R>({ write, list, done, quiet = false }: Options<A, R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: (result) => done?.(result),
    onError: (error) => {
      if (!quiet) tellError(error)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: list }),
  })
}
