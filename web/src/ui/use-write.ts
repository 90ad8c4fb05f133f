// In charge of a write of a list's page or a form: ask, refresh the list, and say what went wrong where it can be seen.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { tellError } from './toasts.tsx'

type Options<A, R> = { write: (given: A) => Promise<R>; list: QueryKey; done?: (result: R) => void; quiet?: boolean }

/** `quiet`: the caller shows the error itself, at its fields. */
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
