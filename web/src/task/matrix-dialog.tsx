// In charge of the dialog that makes many variants from chosen values; it shows how many, before anything is saved.
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { wordsOf } from '../lib/errors.ts'
import { MultiChoice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { VariantsChange } from './variant-list.ts'
import { combinationsOf, type Matrix, mostVariants, withMatrix } from './variant-matrix.ts'

const sides = [
  ['messaging_angle', 'MessagingAngle', 'Angles'],
  ['hook_type', 'HookType', 'Hooks'],
  ['ad_format', 'AdFormat', 'Formats'],
] as const

const nothing: Matrix = { messaging_angle: [], hook_type: [], ad_format: [] }

type Props = {
  variants: readonly TaskVariant[]
  close: () => void
  save: (change: VariantsChange) => Promise<void>
}

export function MatrixDialog({ variants, close, save }: Props) {
  const { schema } = useBoard()
  const [matrix, setMatrix] = useState(nothing)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const next = withMatrix(variants, matrix)
  const made = next ? next.length - variants.length : 0
  const submit = async () => {
    if (!next || made === 0) return
    setBusy(true)
    const change: VariantsChange = (now) => {
      const all = withMatrix(now, matrix)
      if (!all) throw new Error(tooMany(combinationsOf(matrix)))
      return all
    }
    await save(change).then(close, (error: unknown) => setProblem(wordsOf(error)))
    setBusy(false)
  }
  return (
    <Dialog onClose={close} title="Variants from a matrix" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p className="hint">One variant for each combination that this task has not yet.</p>
        <div className="fields">
          {sides.map(([name, vocabulary, label], at) => (
            <MultiChoice
              key={name}
              label={label}
              placeholder={matrix[name].length === 0 ? 'As the task' : ''}
              searchable
              clearable
              data-autofocus={at === 0 || undefined}
              data={[...(schema.vocabularies[vocabulary] ?? [])]}
              value={[...matrix[name]]}
              onChange={(value) => setMatrix((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </div>
        <p role="status">{previewOf(combinationsOf(matrix), next === null ? null : made)}</p>
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={made === 0}>
            Make variants
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const tooMany = (combinations: number): string =>
  `${combinations} combinations are too many: a task has at most ${mostVariants} variants. Choose fewer.`

/** Says what the dialog would do. `made`: the number of new variants; null if the task would have too many variants. */
function previewOf(combinations: number, made: number | null): string {
  if (combinations === 0) return 'Choose something on at least one side.'
  if (made === null) return tooMany(combinations)
  const known = combinations - made
  const words = made === 1 ? '1 new variant' : `${made} new variants`
  return known > 0 ? `${words}; ${known} of the combinations ${known === 1 ? 'is' : 'are'} there already.` : `${words}.`
}
