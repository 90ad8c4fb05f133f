// In charge of the dialog for editing all members of one variant.

import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { Button, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { wordsOf } from '../lib/errors.ts'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { NumberEntry } from '../ui/number-entry.tsx'

const choices = [
  ['primary_anchor', 'PrimaryAnchor'],
  ['awareness_stage', 'AwarenessStage'],
  ['messaging_angle', 'MessagingAngle'],
  ['hook_trigger', 'HookTrigger'],
  ['hook_type', 'HookType'],
  ['ad_format', 'AdFormat'],
] as const

/** Unlike a field of the page, the dialog does not show how the variant is now. */
const overtaken =
  'Not saved: somebody changed the same fields of this variant meanwhile. Close this window to see what they wrote.'

type Props = { variant: TaskVariant; isNew: boolean; close: () => void; save: (variant: TaskVariant) => Promise<void> }

export function VariantDialog({ variant, isNew, close, save }: Props) {
  const { schema } = useBoard()
  const [draft, setDraft] = useState(variant)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<TaskVariant>) => setDraft((before) => ({ ...before, ...change }))
  const submit = async () => {
    setBusy(true)
    await save(draft).then(close, (error: unknown) =>
      setProblem(error instanceof ChangedMeanwhile ? overtaken : wordsOf(error)),
    )
    setBusy(false)
  }
  return (
    <Dialog onClose={close} title={isNew ? 'New variant' : `Variant ${variant.key}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="fields">
          <TextInput
            label="Key"
            required
            maxLength={64}
            data-autofocus
            value={draft.key}
            onChange={(event) => set({ key: event.currentTarget.value })}
          />
          <NumberEntry
            label="Number"
            description="Stands in the names of its creatives."
            required
            min={1}
            max={10_000}
            allowDecimal={false}
            value={draft.variation_num}
            change={(value) => set({ variation_num: value ?? 1 })}
          />
          {choices.map(([name, vocabulary]) => (
            <Choice
              key={name}
              label={schema.filter_fields.find((field) => field.name === name)?.label ?? name}
              placeholder="As the task"
              clearable
              searchable
              data={[...(schema.vocabularies[vocabulary] ?? [])]}
              value={draft[name]}
              onChange={(value) => set({ [name]: value })}
            />
          ))}
          <TextInput
            label="Audience"
            placeholder="As the task"
            value={draft.audience ?? ''}
            onChange={(event) => set({ audience: event.currentTarget.value || null })}
          />
          <TagsInput
            label="Tags"
            description="Its creatives carry them."
            value={draft.tag_slugs}
            onChange={(tag_slugs) => set({ tag_slugs })}
          />
          <div className="field" data-wide>
            <Textarea
              label="Description"
              autosize
              minRows={2}
              value={draft.description ?? ''}
              onChange={(event) => set({ description: event.currentTarget.value || null })}
            />
          </div>
        </div>
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save variant
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
