// In charge of the variants of a task: a table, and a dialog for one of them. They are saved as a whole.

import type { Task, TaskVariant } from '@atelier/contract/tasks.ts'
import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError } from '../ui/toasts.tsx'
import { MatrixDialog } from './matrix-dialog.tsx'
import type { Save } from './use-task-edit.ts'
import { VariantDialog } from './variant-dialog.tsx'
import { nextVariant, withVariant } from './variant-list.ts'

type Props = { task: Task; save: Save; disabled: boolean }

export function Variants({ task, save, disabled }: Props) {
  const [edited, setEdited] = useState<TaskVariant | null>(null)
  const [hasMatrix, setHasMatrix] = useState(false)
  const { schema } = useBoard()
  const { variants } = task
  const keep = (next: readonly TaskVariant[]) => save({ variants: next })
  const quietly = (next: readonly TaskVariant[]) =>
    void keep(next).catch((error: unknown) => tellError(error, 'Not saved'))
  const labelOf = (vocabulary: string, value: string | null) =>
    schema.vocabularies[vocabulary]?.find((entry) => entry.value === value)?.label ?? []
  const words = ({ messaging_angle, hook_type, ad_format }: TaskVariant) =>
    [labelOf('MessagingAngle', messaging_angle), labelOf('HookType', hook_type), labelOf('AdFormat', ad_format)]
      .flat()
      .join(' · ')
  return (
    <section>
      <h3>Variants</h3>
      <p className="hint">Each is made as often as the count says, and may differ from the task in its angle.</p>
      {variants.length > 0 ? (
        <table className="table">
          <thead>
            <tr>
              <th>#</th>
              <th>Key</th>
              <th>Angle</th>
              <th>Done</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <tr key={variant.key}>
                <td>V{variant.variation_num}</td>
                <td>{variant.key}</td>
                <td>
                  {words(variant) || <span className="hint">as the task</span>}
                  {variant.description ? <div className="hint">{variant.description}</div> : null}
                  {variant.tag_slugs.length > 0 ? <div className="hint">{variant.tag_slugs.join(', ')}</div> : null}
                </td>
                <td>
                  <Checkbox
                    size="xs"
                    aria-label={`Variant ${variant.key} is done`}
                    disabled={disabled}
                    checked={variant.completed}
                    onChange={(event) =>
                      quietly(
                        withVariant(variants, variant.key, { ...variant, completed: event.currentTarget.checked }),
                      )
                    }
                  />
                </td>
                <td className="row-actions">
                  <Tooltip label="Edit">
                    <ActionIcon
                      size="sm"
                      disabled={disabled}
                      aria-label={`Edit variant ${variant.key}`}
                      onClick={() => setEdited(variant)}
                    >
                      <Icon name="edit" size={14} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Remove">
                    <ActionIcon
                      size="sm"
                      disabled={disabled}
                      aria-label={`Remove variant ${variant.key}`}
                      onClick={() => quietly(variants.filter(({ key }) => key !== variant.key))}
                    >
                      <Icon name="trash" size={14} />
                    </ActionIcon>
                  </Tooltip>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <Button
        variant="light"
        disabled={disabled}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setEdited(nextVariant(variants))}
      >
        Add variant
      </Button>{' '}
      <Button variant="default" disabled={disabled} onClick={() => setHasMatrix(true)}>
        From a matrix
      </Button>
      {hasMatrix ? <MatrixDialog variants={variants} close={() => setHasMatrix(false)} save={keep} /> : null}
      {edited ? (
        <VariantDialog
          variant={edited}
          isNew={!variants.includes(edited)}
          close={() => setEdited(null)}
          save={(next) => keep(withVariant(variants, edited.key, next))}
        />
      ) : null}
    </section>
  )
}
