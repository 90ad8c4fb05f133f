// In charge of choices that are saved as soon as they are made, such as ticks in a list: each one is shown at once, and none is lost
// if the user makes them faster than the service answers.
import { type QueryKey, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { tellError } from './toasts.tsx'

/** `record`: the key of the query whose record the choices change. `write` sends the changed members and returns the whole record. */
type Options<T, C> = { record: QueryKey; write: (choice: C) => Promise<T>; done?: () => void; problem?: string }

/** `shownOf` adds the choices that are not saved yet to the record, as the service has it. */
export function useChoices<T extends object, C extends Partial<T>>({ record, write, done, problem }: Options<T, C>) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: record,
    mutationFn: write,
    // One after the other, as a choice contains a whole list: a list that is overtaken on its way would undo the later one.
    scope: { id: JSON.stringify(record) },
    onSuccess: (answer) => {
      client.setQueryData(record, answer)
      done?.()
    },
    onError: (error) => tellError(error, problem),
    onSettled: () => void client.invalidateQueries({ queryKey: record }),
  })
  const waiting = useMutationState({
    filters: { mutationKey: record, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const shownOf = (saved: T): T => Object.assign({}, saved, ...waiting)
  return { choose: mutate, shownOf }
}
