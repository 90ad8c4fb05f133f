// In charge of a gate that lets the user check and change a value before the run continues: a text, or any other value as JSON.
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { readJson } from '../canvas/form-fields.ts'
import type { AnswerProps } from './gate-stage.tsx'
import type { Request } from './questions.ts'

type Props = AnswerProps & { request: Extract<Request, { kind: 'edit' | 'other' }> }

export function GateEdit({ request, refusal, answer, isBusy }: Props) {
  const value = request.kind === 'edit' ? request.value : null
  const json = JSON.stringify(value)
  const [{ entry, of }, setEntry] = useState(() => ({ entry: entryOf(value), of: json }))
  const [text, setText] = useState(entry.text)
  const [newer, setNewer] = useState<string | null>(null)
  if (of !== json) {
    // Somebody has rolled the node before the gate again: the question is now about another value.
    const next = entryOf(value)
    setEntry({ entry: next, of: json })
    if (text === entry.text) setText(next.text)
    else setNewer(next.text)
  }
  const read = entry.read(text)
  const problem = 'problem' in read ? read.problem : null
  const send = () => {
    if ('value' in read) answer(request.kind === 'edit' ? { value: read.value } : read.value)
  }
  return (
    <div className="gate-body">
      {request.kind === 'other' ? <pre className="value-json">{JSON.stringify(request.raw, null, 2)}</pre> : null}
      {newer === null ? null : (
        <p className="notice" data-tone="warn" role="status">
          This was made anew while you wrote.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              setText(newer)
              setNewer(null)
            }}
          >
            Take the new one
          </Button>
        </p>
      )}
      <Textarea
        className="gate-edit"
        data-first
        autosize
        minRows={8}
        maxRows={28}
        aria-label={request.title}
        description={entry.words}
        classNames={{ input: entry.isCode ? 'mono' : '' }}
        error={problem}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      <footer className="gate-foot">
        <span className="gate-hint hint">Ctrl Enter goes on with it</span>
        <Button size="sm" variant="default" disabled={text === entry.text} onClick={() => setText(entry.text)}>
          As it was
        </Button>
        <Button size="sm" loading={isBusy} disabled={problem !== null || refusal !== null} onClick={send}>
          Go on with this
        </Button>
      </footer>
    </div>
  )
}

type Entry = {
  text: string
  words: string
  isCode: boolean
  read: (text: string) => { value: unknown } | { problem: string }
}

/** How a value is edited: a text as it is, a list of one-line texts with one text per line, and any other value as JSON. */
function entryOf(value: unknown): Entry {
  if (typeof value === 'string') return { text: value, words: '', isCode: false, read: (text) => ({ value: text }) }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\n'))) {
    return {
      text: value.join('\n'),
      words: 'One entry a line.',
      isCode: false,
      read: (text) => ({ value: text.split('\n').filter((line) => line.trim() !== '') }),
    }
  }
  return { text: JSON.stringify(value, null, 2), words: 'JSON.', isCode: true, read: readJson }
}
