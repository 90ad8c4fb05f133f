// In charge of the table of variants. Users edit it like a spreadsheet, by mouse or keyboard; each cell is saved on its own.
import type { Task, TaskVariant } from '@atelier/contract/tasks.ts'
import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { type KeyboardEvent, memo, useRef, useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand, isComposed } from '../ui/keys.ts'
import { tellError, tellUndoable } from '../ui/toasts.tsx'
import type { SaveTask } from './use-task-edit.ts'
import { ChoiceCell, TextCell } from './variant-cells.tsx'
import { withEdited, withoutChange, withRemoved } from './variant-list.ts'
import './variant-table.css'

const choices = [
  ['messaging_angle', 'MessagingAngle', 'Angle'],
  ['hook_type', 'HookType', 'Hook'],
  ['ad_format', 'AdFormat', 'Format'],
] as const

/** How many rows are rendered at first; a button shows the others. */
const page = 25

type Props = { task: Task; save: SaveTask; disabled: boolean; edit: (variant: TaskVariant) => void }

export function VariantTable({ task, save, disabled, edit }: Props) {
  const { variants } = task
  // Whether all rows are shown. True from the start for a short table, so that rows added later are shown too.
  const [isWhole, setWhole] = useState(variants.length <= page)
  const shown = isWhole ? variants.length : page
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by keyboard.
    <div className="variant-scroll" tabIndex={0}>
      <table className="table variant-table" aria-label="Variants" onKeyDown={stepInColumn}>
        <thead>
          <tr>
            <th>#</th>
            <th>Done</th>
            <th>Key</th>
            {choices.map(([name, , title]) => (
              <th key={name}>{title}</th>
            ))}
            <th>Audience</th>
            <th className="row-actions">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.slice(0, shown).map((variant) => (
            <Row key={variant.variation_num} variant={variant} save={save} disabled={disabled} edit={edit} />
          ))}
        </tbody>
      </table>
      {variants.length > shown ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          {variants.length - shown} more variants
        </Button>
      ) : null}
    </div>
  )
}

type RowProps = { variant: TaskVariant; save: SaveTask; disabled: boolean; edit: (variant: TaskVariant) => void }

/** Memoised, because a table may have a hundred rows. */
const Row = memo(function Row({ variant, save, disabled, edit }: RowProps) {
  const { schema } = useBoard()
  const quietly = (saving: Promise<void>) => void saving.catch((error: unknown) => tellError(error, 'Not saved'))
  /** The variant as this user has last edited it here, also while that is still being saved. */
  const edited = useRef(variant)
  const saveMember = <Name extends keyof TaskVariant>(shown: TaskVariant, name: Name, value: TaskVariant[Name]) => {
    edited.current = { ...shown, [name]: value }
    return save((now) => ({ variants: withEdited(now.variants, shown, { ...shown, [name]: value }) }))
  }
  const remove = async (variant: TaskVariant) => {
    let before: TaskVariant[] = []
    await save((now) => {
      const { variants, removed } = withRemoved(now.variants, variant, edited.current)
      before = removed ? [removed] : []
      return { variants }
    })
    tellUndoable(`Removed variant ${variant.key}`, () =>
      quietly(save((now) => ({ variants: withoutChange(now.variants, { before, after: [] }) }))),
    )
  }
  const cell = (name: 'key' | 'audience' | (typeof choices)[number][0], title: string) => ({
    name: `variant ${variant.variation_num} ${name}`,
    column: name,
    label: `${title} of variant ${variant.key}`,
    disabled,
    value: variant[name],
    save: (value: string | null) =>
      name === 'key' ? saveMember(variant, name, value ?? '') : saveMember(variant, name, value),
  })
  return (
    <tr>
      <td>V{variant.variation_num}</td>
      <td>
        <Checkbox
          size="xs"
          aria-label={`Variant ${variant.key} is done`}
          disabled={disabled}
          checked={variant.completed}
          onChange={(event) => quietly(saveMember(variant, 'completed', event.currentTarget.checked))}
        />
      </td>
      <td>
        <TextCell {...cell('key', 'Key')} required maxLength={64} />
        <More variant={variant} />
      </td>
      {choices.map(([name, vocabulary, title]) => (
        <td key={name}>
          <ChoiceCell {...cell(name, title)} options={schema.vocabularies[vocabulary] ?? []} />
        </td>
      ))}
      <td>
        <TextCell {...cell('audience', 'Audience')} maxLength={255} placeholder="As the task" />
      </td>
      <td className="row-actions">
        <ActionIcon
          size="sm"
          title="Edit all of it"
          disabled={disabled}
          aria-label={`Edit variant ${variant.key}`}
          onClick={() => edit(variant)}
        >
          <Icon name="edit" size={14} />
        </ActionIcon>
        <ActionIcon
          size="sm"
          title="Remove"
          disabled={disabled}
          aria-label={`Remove variant ${variant.key}`}
          onClick={() => quietly(remove(variant))}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </td>
    </tr>
  )
})

/** Shows the description and the tags of a variant, which have no columns of their own. */
function More({ variant: { description, tag_slugs } }: { variant: TaskVariant }) {
  const parts = [description ?? '', tag_slugs.join(', ')].filter((part) => part !== '')
  return parts.length === 0 ? null : <div className="hint variant-more">{parts.join(' · ')}</div>
}

/** Up, down and Enter move the focus to the same column in another row, as in a spreadsheet. A select handles its own keys. */
function stepInColumn(event: KeyboardEvent<HTMLTableElement>): void {
  const { target, key } = event
  if (!(target instanceof HTMLInputElement) || target.dataset.cell === undefined) return
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[key]
  if (step === undefined || isComposed(event) || (key === 'Enter' && !isCommand(event))) return
  event.preventDefault()
  const cells = [...event.currentTarget.querySelectorAll<HTMLInputElement>(`input[data-cell="${target.dataset.cell}"]`)]
  const next = cells[cells.indexOf(target) + step]
  if (next) next.focus()
  else if (key === 'Enter') target.blur()
}
