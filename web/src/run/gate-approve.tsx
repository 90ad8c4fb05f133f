// In charge of a gate that asks whether a value is good: users approve or reject the value (keys y and n), with a note if they
// like, or re-roll it.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Kbd, TextInput } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { useKeptText } from '../review/use-kept-text.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { ReasonButton } from '../ui/reason-button.tsx'
import { useCost } from './cost.tsx'
import { GateFoot } from './gate-foot.tsx'
import type { AnswerProps, KeyProps, RollProps } from './gate-stage.tsx'
import { isMadeAnew } from './gate-words.ts'
import type { Request } from './questions.ts'
import { sourceOfOption } from './roll-sources.ts'
import { TakeStrip } from './takes.tsx'
import { Value } from './value.tsx'

type Props = AnswerProps & RollProps & KeyProps & { request: Extract<Request, { kind: 'approve' }> }

export function GateApprove(props: Props) {
  const { request, run, definition, types, node, rolling, start, mayWrite, refusal, answer, isBusy, draft } = props
  const { keys } = props
  const { text: note, write: setNote } = useKeptText(draft)
  const source = useMemo(
    () => sourceOfOption({ definition, types, nodes: run.nodes }, node, 0),
    [definition, types, run.nodes, node],
  )
  const decide = (approved: boolean) => answer(note.trim() === '' ? { approved } : { approved, note: note.trim() })
  const rollRefusal = mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook
  const rollOff = rolling ? isMadeAnew : rollRefusal
  const body = useMemo(() => ({ regenerate: source === null ? [] : [source] }), [source])
  const cost = useCost({ run, body, enabled: source !== null && rollOff === null })
  const rollAgain = () => {
    if (source !== null && rollOff === null) void start(body)
  }
  const onKey = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
    // A key that is held down must not answer the questions that come next.
    if (!isCommand(event)) return
    if (event.target instanceof HTMLElement && event.target.closest('.takes, [role="menu"]')) return
    if (event.key === 'y') decide(true)
    else if (event.key === 'n') decide(false)
    else if (event.key === 'r') rollAgain()
    else return
    event.preventDefault()
  }
  useEffect(() => {
    keys.current = onKey
    return () => {
      keys.current = null
    }
  })
  return (
    <div className="gate-body">
      <div className="gate-value">
        <Value value={request.value} />
      </div>
      {source ? (
        <TakeStrip
          key={`${source.node_id}/${source.item}`}
          {...{ run, source }}
          of="this"
          refusal={rollRefusal}
          mayPin={mayWrite}
          choose={(take) => start({ choose: [{ ...source, take }] })}
        />
      ) : null}
      <GateFoot>
        <TextInput
          className="gate-note"
          aria-label="Note"
          placeholder="A note (optional)"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {source ? (
          <ReasonButton
            size="sm"
            variant="default"
            leftSection={<NodeIcon name="roll" size={14} />}
            off={rollOff}
            onClick={rollAgain}
          >
            Roll again{cost === null ? '' : ` · ${cost}`}
          </ReasonButton>
        ) : null}
        <ReasonButton
          size="sm"
          variant="default"
          leftSection={<Icon name="close" size={14} />}
          rightSection={<Kbd size="xs">n</Kbd>}
          off={refusal}
          disabled={isBusy}
          onClick={() => decide(false)}
        >
          Reject
        </ReasonButton>
        <ReasonButton
          size="sm"
          // The question moves the focus here when it opens, unless the button is off.
          {...(refusal === null ? { 'data-first': true } : {})}
          leftSection={<Icon name="check" size={14} />}
          rightSection={<Kbd size="xs">y</Kbd>}
          off={refusal}
          loading={isBusy}
          onClick={() => decide(true)}
        >
          Approve
        </ReasonButton>
      </GateFoot>
    </div>
  )
}
