// In charge of showing a value that is too long for the state of its run: at first only its beginning, and all of it on demand.
import type { ValueReference } from '@atelier/contract/wire/values.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { sizeWords } from '../canvas/words.ts'
import { call } from '../lib/api.ts'
import { download } from '../lib/download.ts'
import { tellError } from '../ui/toasts.tsx'

/** Where a value is: the run, the node, the port, and the item if the value belongs to one. */
export type ValuePlace = { run: string; node: string; port: string; item?: number }

export const readWhole = ({ run, node, port, item }: ValuePlace, digest: string): Promise<unknown> =>
  call('getRunOutput', {
    params: { run_id: run, node, port },
    query: { digest, ...(item === undefined ? {} : { item }) },
  })

type Props = { reference: ValueReference; place: ValuePlace | null; show: (value: unknown) => React.ReactNode }

/**
 * If `place` is null, only the beginning can be shown, because the whole value cannot be read. For example, a value in a checkpoint
 * may no longer exist in the run.
 */
export function WholeValue({ reference: { $value }, place, show }: Props) {
  const [read, setRead] = useState<{ value: unknown; digest: string } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { digest, bytes, type, head } = $value
  const withWhole = async (use: (value: unknown) => void) => {
    if (place === null) return
    setIsBusy(true)
    await readWhole(place, digest).then(use, (error: unknown) => tellError(error, 'The value was not read'))
    setIsBusy(false)
  }
  const save = (value: unknown) => {
    const name = [place?.node, place?.item, place?.port].filter((part) => part !== undefined).join('-')
    if (typeof value === 'string') download(`${name}.txt`, value, 'text/plain')
    else download(`${name}.json`, JSON.stringify(value, null, 2), 'application/json')
  }
  if (read?.digest === digest) return show(read.value)
  return (
    <div className="value-text">
      {head}…
      <p className="hint">
        {type === 'string' ? 'A text' : type === 'array' ? 'A list' : 'A record'} of {sizeWords(bytes)}.
      </p>
      {place === null ? null : (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={isBusy}
            onClick={() => void withWhole((value) => setRead({ value, digest }))}
          >
            Show all of it
          </Button>
          <Button size="compact-xs" variant="subtle" disabled={isBusy} onClick={() => void withWhole(save)}>
            Download
          </Button>
        </>
      )}
    </div>
  )
}
