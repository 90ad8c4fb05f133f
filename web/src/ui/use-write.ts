// In charge of a write by a list's page or a form: it sends the write, reads the list again, and shows errors.
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
