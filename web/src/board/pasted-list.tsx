// In charge of the question what a pasted list is to become: a task for each line, or one name. What could not be added stays.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { uniqueName } from '../lib/unique.ts'
import { isCommand } from '../ui/keys.ts'
import { tell } from '../ui/toasts.tsx'
import { refusedNames } from './pasted-names.ts'
import { boardWrite } from './use-feeds.ts'

type Props = {
  names: readonly string[]
  /** Creates one task; `key` is its idempotency key. */
  create: (name: string, key: string) => Promise<unknown>
  /** Puts all lines into the field of the name. */
  asOne: () => void
  /** Goes back to the field of the name. */
  leave: () => void
}

export function PastedList({ names, create, asOne, leave }: Props) {
  const [rest, setRest] = useState(() => names.map((name) => ({ name, key: uniqueName() })))
  const client = useQueryClient()
  const refusal = refusedNames(names)
  const add = useMutation({
    mutationKey: boardWrite,
    mutationFn: async () => {
      for (const [index, { name, key }] of rest.entries()) {
        await create(name, key)
        setRest(rest.slice(index + 1))
      }
    },
    onSuccess: () => {
      tell(`${names.length} tasks added`)
      leave()
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['feed'] }),
  })
  const done = names.length - rest.length
  return (
    <fieldset
      aria-label="Pasted list"
      className="pasted-list"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isCommand(event) || add.isPending) return
        event.stopPropagation()
        leave()
      }}
    >
      <p role={refusal || add.isError ? 'alert' : 'status'}>
        {refusal ??
          (add.isError ? `${done} of ${names.length} were added. ${wordsOf(add.error)}` : linesWords(names, done))}
      </p>
      <Button
        size="compact-sm"
        autoFocus={refusal === null}
        disabled={refusal !== null}
        aria-busy={add.isPending}
        onClick={() => {
          if (!add.isPending) add.mutate()
        }}
      >
        {done === 0 ? `Add ${names.length} tasks` : `Add the other ${rest.length}`}
      </Button>
      {done === 0 && !add.isPending ? (
        <Button size="compact-sm" variant="default" autoFocus={refusal !== null} onClick={asOne}>
          As one name
        </Button>
      ) : null}
    </fieldset>
  )
}

const linesWords = (names: readonly string[], done: number): string =>
  done === 0 ? `${names.length} lines were pasted.` : `${done} of ${names.length} are added …`
