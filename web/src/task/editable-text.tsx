// In charge of a name that can be edited in place; it looks like plain text until the user edits it.
import { oneLine } from '@atelier/contract/one-line.ts'
import { Textarea } from '@mantine/core'
import { growsByItself } from '../ui/grows-by-itself.ts'
import { isCommand } from '../ui/keys.ts'
import { FieldNote } from './field-note.tsx'
import { useField } from './use-field.ts'

type Props = {
  label: string
  value: string
  className: string
  disabled: boolean
  save: (name: string) => Promise<void>
}

const isText = (value: unknown): value is string => typeof value === 'string'

export function EditableText({ label, value, className, disabled, save }: Props) {
  const field = useField('name', value, ({ name }) => save(String(name)), {
    toWire: oneLine,
    isValue: isText,
  })
  return (
    <Textarea
      aria-label={label}
      className={className}
      variant="unstyled"
      {...(growsByItself ? { rows: 1 } : { autosize: true, minRows: 1 })}
      maxLength={255}
      classNames={{ input: 'in-place' }}
      disabled={disabled}
      error={field.error}
      inputContainer={(input) => (
        <>
          {input}
          <FieldNote field={field} words={(name) => name} />
        </>
      )}
      value={field.draft}
      // A name has only one line, so the lines of a pasted text are joined.
      onChange={(event) => field.setDraft(event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' '))}
      // A name is required, so an empty one is not saved.
      onBlur={() => (field.draft.trim() === '' ? field.reset() : field.commit(field.draft))}
      onKeyDown={(event) => {
        if (!isCommand(event)) return
        if (event.key === 'Enter') {
          event.preventDefault()
          event.currentTarget.blur()
        }
        if (event.key === 'Escape') field.reset()
      }}
    />
  )
}
