// In charge of the control for entering one value, which depends on the kind of the field, and of showing the field's error.
import { ColorInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { anyText, type Field, readAny, readJson } from '../canvas/form-fields.ts'
import { Inline } from '../ui/markdown.tsx'
import { NumberEntry } from '../ui/number-entry.tsx'
import { FileEntry } from './file-entry.tsx'
import { ModelEntry } from './model-entry.tsx'
import { PicturedChoice } from './pictured-choice.tsx'
import { TableEntry } from './table-entry.tsx'
import type { UnreadField } from './use-unread-json.ts'

type Change = (value: unknown, isTyped?: boolean) => void

type Props = {
  field: Field
  value: unknown
  /** Sets the value; `undefined` removes it. `isTyped`: the user is typing it, and may be in the middle of that. */
  change: Change
  error: string | null
  disabled: boolean
  /** The text of a field for JSON that cannot be parsed yet. */
  unread: UnreadField
}

export function FieldEntry({ field, value, change, error, disabled, unread }: Props) {
  const plain = plainOf(field, error, disabled)
  const shared = { ...plain, withAsterisk: field.required }
  const held = value === undefined ? field.fallback : value
  const type = (typed: unknown) => change(typed, true)
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...shared}
          placeholder={field.example}
          {...(field.maxLength ? { maxLength: field.maxLength } : {})}
          value={textOf(held)}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
    case 'multiline':
    case 'code':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={field.kind === 'code' ? 4 : 2}
          maxRows={16}
          placeholder={field.example}
          spellCheck={field.kind !== 'code'}
          classNames={{ input: field.kind === 'code' ? 'mono' : '' }}
          value={textOf(held)}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
    case 'colour':
      return (
        <ColorInput
          {...shared}
          value={textOf(held)}
          // It also tells what it shows when it is left, and a look at a field is no change.
          onChange={(colour) => {
            if (colour !== textOf(held)) type(colour)
          }}
          eyeDropperButtonProps={{ 'aria-label': 'Pick from the screen' }}
        />
      )
    case 'model':
      return <ModelEntry {...shared} choice={field.choice} example={field.example} value={textOf(held)} change={type} />
    case 'number':
      return (
        <NumberEntry
          {...shared}
          allowDecimal={!field.whole}
          placeholder={field.example}
          {...boundsOf(field)}
          clampBehavior="none"
          value={typeof held === 'number' ? held : ''}
          change={type}
        />
      )
    case 'boolean':
      return <Switch {...plain} checked={held === true} onChange={(event) => change(event.currentTarget.checked)} />
    case 'choice':
      return (
        <Select
          {...shared}
          allowDeselect={!field.required}
          data={field.options.map(({ label }) => label)}
          value={field.options.find((option) => option.value === held)?.label ?? null}
          onChange={(label) => change(field.options.find((option) => option.label === label)?.value)}
        />
      )
    case 'pictured':
      return <PicturedChoice {...shared} options={field.options} value={held} change={change} />
    case 'list':
      return (
        <TagsInput
          {...shared}
          data={field.suggestions}
          placeholder={Array.isArray(held) && held.length > 0 ? '' : 'Type, then Enter'}
          splitChars={field.of === 'number' ? [',', ...betweenCells] : betweenCells}
          isDuplicate={(entry, others) => others.includes(entry)}
          value={Array.isArray(held) ? held.map(anyText) : []}
          onChange={(tags) => change(field.of === 'number' ? tags.map(Number).filter(Number.isFinite) : tags)}
        />
      )
    case 'table':
      return <TableEntry label={field.title} error={error} disabled={disabled} value={textOf(held)} change={change} />
    case 'file':
    case 'files':
      return <FileEntry {...plain} name={field.name} many={field.kind === 'files'} value={held} change={change} />
    case 'any':
      return <AnyEntry {...shared} example={field.example} value={held} change={change} />
    case 'json':
      return <JsonEntry {...plain} value={held} change={change} unread={unread} />
  }
}

/** Between the cells that a spreadsheet copies. A pasted text is split at these into entries; a text may have a comma in it. */
const betweenCells = ['\t', '\n', '\r']

const plainOf = (field: Field, error: string | null, disabled: boolean) => ({
  label: field.title,
  description: field.description === '' ? null : <Inline text={field.description} />,
  error,
  disabled,
  size: 'xs' as const,
})

const boundsOf = ({ min, max }: Extract<Field, { kind: 'number' }>) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : anyText(value))

type JsonProps = {
  label: string
  description: ReactNode
  error: string | null
  disabled: boolean
  value: unknown
  change: Change
}

type AnyProps = JsonProps & { withAsterisk: boolean; example: string }

/**
 * A field for text, a number or JSON. While the typed text stands for the value, the text is shown as it was typed: written anew,
 * `1.0` would become `1` before a user could go on to `1.05`.
 */
function AnyEntry({ value, change, example, ...shared }: AnyProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const isOfValue = draft !== null && JSON.stringify(readAny(draft)) === JSON.stringify(value)
  return (
    <Textarea
      {...shared}
      autosize
      minRows={1}
      maxRows={10}
      size="xs"
      placeholder={example || 'Text, a number, or JSON'}
      value={isOfValue ? draft : anyText(value)}
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        change(readAny(event.currentTarget.value), true)
      }}
      onBlur={() => setDraft(null)}
    />
  )
}

/** A field for JSON. While its text cannot be parsed, the field keeps it and shows an error, and the value stays the last valid one. */
function JsonEntry({ value, change, error, unread, ...shared }: JsonProps & { unread: UnreadField }) {
  /** A text that can be parsed, as it was typed: it is written anew only once the field is left. */
  const [typed, setTyped] = useState<string | null>(null)
  const read = unread.text === null ? null : readJson(unread.text)
  return (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={16}
      size="xs"
      spellCheck={false}
      classNames={{ input: 'mono' }}
      value={unread.text ?? typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
      error={read && 'problem' in read ? read.problem : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        const next = readJson(text)
        setTyped(text)
        unread.write('value' in next ? null : text)
        if ('value' in next) change(next.value, true)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
