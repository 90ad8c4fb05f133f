// In charge of the dialog that makes variants from pasted spreadsheet cells; it shows the result before anything is saved.
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { wordsOf } from '../lib/errors.ts'
import { Dialog } from '../ui/dialog.tsx'
import { checkSeen, type VariantsChange } from './variant-list.ts'
import { readVariantSheet, type SheetReading, sheetColumns } from './variant-sheet.ts'

type Props = {
  /** The text that was pasted outside the dialog, or an empty text. */
  pasted: string
  variants: readonly TaskVariant[]
  close: () => void
  save: (change: VariantsChange) => Promise<void>
}

/** The most problems that the dialog lists. */
const mostProblems = 20

export function VariantSheetDialog({ pasted, variants, close, save }: Props) {
  const { schema } = useBoard()
  const [text, setText] = useState(pasted)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const reading = text.trim() === '' ? null : readVariantSheet(text, variants, schema.vocabularies)
  const isEmpty = reading === null || reading.added + reading.changed === 0
  const submit = async () => {
    if (!reading || isEmpty) return
    setBusy(true)
    const change: VariantsChange = (now) => {
      const { next, problems } = readVariantSheet(text, now, schema.vocabularies)
      checkSeen(variants, now, next)
      // A row may have lost its place, for example because somebody else has taken its number.
      if (problems.join() !== reading.problems.join()) throw new ChangedMeanwhile()
      return next
    }
    await save(change).then(close, (error: unknown) => setProblem(wordsOf(error)))
    setBusy(false)
  }
  return (
    <Dialog onClose={close} title="Variants from a sheet" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Textarea
          label="Cells of a spreadsheet, or CSV"
          description={`The first row names the columns: ${sheetColumns.join(', ')}. A key that is there already changes that variant.`}
          placeholder={'Key\tAngle\tHook\tAudience\nhero\tProblem\tQuestion\tCommuters'}
          autosize
          minRows={5}
          maxRows={12}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p role="status">{reading === null ? 'Nothing pasted yet.' : wordsOfReading(reading)}</p>
        {reading && reading.problems.length > 0 ? <Problems problems={reading.problems} /> : null}
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={isEmpty}>
            Take them over
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Problems({ problems }: { problems: readonly string[] }) {
  const more = problems.length - mostProblems
  return (
    <ul className="variant-problems hint">
      {problems.slice(0, mostProblems).map((words) => (
        <li key={words}>{words}</li>
      ))}
      {more > 0 ? <li>{more} more</li> : null}
    </ul>
  )
}

/** Says in words how many variants the sheet adds and changes. */
function wordsOfReading({ added, changed }: Pick<SheetReading, 'added' | 'changed'>): string {
  const parts = [
    ...(added > 0 ? [added === 1 ? '1 new variant' : `${added} new variants`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
  ]
  return parts.length === 0 ? 'Nothing new in it.' : `${parts.join(', ')}.`
}
