// In charge of the variants of a task: the table, and the ways to add more. Each change is made to the list as it is when it is saved.

import type { Task, TaskVariant } from '@atelier/contract/tasks.ts'
import { Button } from '@mantine/core'
import { type ClipboardEvent, useCallback, useState } from 'react'
import { keysOfDrafts } from '../lib/kept-drafts.ts'
import { isSheet } from '../lib/table-text.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError, tellUndoable } from '../ui/toasts.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { MatrixDialog } from './matrix-dialog.tsx'
import { textsOfVariants, variantDrafts } from './removed.ts'
import { RemovedTexts } from './removed-texts.tsx'
import type { SaveTask } from './use-task-edit.ts'
import { VariantDialog } from './variant-dialog.tsx'
import { nextVariant, type VariantsChange, withAdded, withEdited, withoutChange } from './variant-list.ts'
import { VariantSheetDialog } from './variant-sheet-dialog.tsx'
import { VariantTable } from './variant-table.tsx'

type Props = { task: Task; save: SaveTask; disabled: boolean }

export function Variants({ task, save, disabled }: Props) {
  /** The variant in the dialog, as it was when the dialog opened. `isNew`: it is only proposed, and not among the task's variants. */
  const [edited, setEdited] = useState<{ variant: TaskVariant; isNew: boolean } | null>(null)
  const [hasMatrix, setHasMatrix] = useState(false)
  /** The text with which the sheet dialog opens: the pasted sheet, or an empty text. Null while the dialog is closed. */
  const [sheet, setSheet] = useState<string | null>(null)
  const rows = useRowsFocus<HTMLElement>({ rows: 'tbody tr', orElse: '.task-panel' })
  const { variants } = task
  const removed = textsOfVariants(task.id, keysOfDrafts(variantDrafts(task.id)), variants)
  const keepUndoably = (words: string) => async (change: VariantsChange) => {
    let made: { before: readonly TaskVariant[]; after: readonly TaskVariant[] } = { before: [], after: [] }
    await save(({ variants: before }) => {
      made = { before, after: change(before) }
      return { variants: made.after }
    })
    const undo = () => save((now) => ({ variants: withoutChange(now.variants, made) }))
    tellUndoable(words, () => void undo().catch((error: unknown) => tellError(error, 'Not undone')))
  }
  const edit = useCallback((variant: TaskVariant) => setEdited({ variant, isNew: false }), [])
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // While a dialog is open, pasted text is meant for a field of the dialog.
    if (disabled || sheet !== null || edited || hasMatrix || !isWholeSheet(text)) return
    event.preventDefault()
    setSheet(text)
  }
  return (
    <section {...rows} onPaste={paste}>
      <h3>Variants</h3>
      <p className="hint">
        Each is made as often as the count says, and may differ from the task in its angle. Cells of a spreadsheet can
        be pasted here.
      </p>
      <RemovedTexts taskId={task.id} removed={removed} next={[':scope > .variant-scroll', ':scope > button:enabled']} />
      {variants.length > 0 ? <VariantTable {...{ task, save, disabled }} edit={edit} /> : null}
      <Button
        variant="light"
        disabled={disabled}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setEdited({ variant: nextVariant(variants), isNew: true })}
      >
        Add variant
      </Button>{' '}
      <Button variant="default" disabled={disabled} onClick={() => setHasMatrix(true)}>
        From a matrix
      </Button>{' '}
      <Button variant="default" disabled={disabled} onClick={() => setSheet('')}>
        From a sheet
      </Button>
      {hasMatrix ? (
        <MatrixDialog
          variants={variants}
          close={() => setHasMatrix(false)}
          save={keepUndoably('Made variants from a matrix')}
        />
      ) : null}
      {sheet === null ? null : (
        <VariantSheetDialog
          pasted={sheet}
          variants={variants}
          close={() => setSheet(null)}
          save={keepUndoably('Took variants over from a sheet')}
        />
      )}
      {edited ? (
        <VariantDialog
          {...edited}
          close={() => setEdited(null)}
          save={(next) => {
            const change = edited.isNew ? withAdded : withEdited
            return save((now) => ({ variants: change(now.variants, edited.variant, next) }))
          }}
        />
      ) : null}
    </section>
  )
}

/** Whether a pasted text is a sheet: it has at least two lines and a separator of cells. One line with commas is plain text. */
const isWholeSheet = (text: string): boolean => isSheet(text) && /\n/.test(text.trim()) && /[\t;,|]/.test(text)
