// In charge of a gate that lets the user check and change a value before the run continues: a text, or any other value as JSON.
import { Button, Textarea } from '@mantine/core'
import { useMemo } from 'react'
import { useDraft } from '../task/use-draft.ts'
import { isCommand } from '../ui/keys.ts'
import { ReasonButton } from '../ui/reason-button.tsx'
import { GateFoot } from './gate-foot.tsx'
import type { AnswerProps } from './gate-stage.tsx'
import { entryOf } from './gate-values.ts'
import type { Request } from './questions.ts'

type Props = AnswerProps & { request: Extract<Request, { kind: 'edit' | 'other' }> }

const isText = (value: unknown): value is string => typeof value === 'string'
const isSame = (one: string, other: string): boolean => one === other

export function GateEdit({ request, refusal, answer, isBusy, draft }: Props) {
  const value = request.kind === 'edit' ? request.value : null
  const entry = useMemo(() => entryOf(value), [value])
  // If somebody rolls the node before the gate again, the question is about another value from then on.
  const { typed: text, setTyped: setText, overtaken, letGo } = useDraft(draft, entry.text, isSame, isText)
  const read = entry.read(text)
  const problem = 'problem' in read ? read.problem : null
  const send = () => {
    if ('value' in read) answer(request.kind === 'edit' ? { value: read.value } : read.value)
  }
  return (
    <div className="gate-body">
      {request.kind === 'other' ? <pre className="value-json">{JSON.stringify(request.raw, null, 2)}</pre> : null}
      {overtaken ? (
        <p className="notice" data-tone="warn" role="status">
          This was made anew while you wrote.{' '}
          <Button size="compact-xs" variant="default" onClick={letGo}>
            Take the new one
          </Button>
        </p>
      ) : null}
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
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isCommand(event)) send()
        }}
      />
      <GateFoot>
        <span className="gate-hint hint">Ctrl Enter goes on with it</span>
        <Button size="sm" variant="default" disabled={text === entry.text} onClick={letGo}>
          As it was
        </Button>
        <ReasonButton size="sm" loading={isBusy} off={refusal ?? problem} onClick={send}>
          Go on with this
        </ReasonButton>
      </GateFoot>
    </div>
  )
}
