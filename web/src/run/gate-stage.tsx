// In charge of showing an open question of a gate, with the controls for answering it, in the place of the graph.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { RunStart } from '@atelier/contract/runs.ts'
import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { refusalWords } from '../canvas/words.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { GateApprove } from './gate-approve.tsx'
import { GateChoose } from './gate-choose.tsx'
import { draftKey, sendDraft } from './gate-drafts.ts'
import { GateEdit } from './gate-edit.tsx'
import { isMadeAnew } from './gate-words.ts'
import { nameOfItem } from './item-names.ts'
import type { Run } from './queries.ts'
import type { Question } from './questions.ts'
import type { Actions } from './use-actions.ts'

type Props = {
  run: Run
  actions: Actions
  definition: Definition
  types: NodeTypes
  mayWrite: boolean
  question: Question
  /** False while the options of the question are being generated again. */
  isOpen: boolean
  questions: readonly Question[]
  go: (question: Question) => void
  close: () => void
  rolling: boolean
  setRolling: (rolling: boolean) => void
  /** To be called when the question is answered, so that the same gesture does not answer the next one too. */
  noteAnswer: () => void
}

export type KeyHandler = (event: React.KeyboardEvent) => void

export type AnswerProps = {
  /** The reason why the user cannot answer now; null if the user can. */
  refusal: string | null
  answer: (answer: unknown) => void
  isBusy: boolean
  /** The key under which what the user enters is kept until the question is answered. */
  draft: string
}

/** For the kinds of questions that have keys: the stage calls `keys` for each key that is pressed anywhere in the question. */
export type KeyProps = { keys: React.RefObject<KeyHandler | null> }

/** Further props, for the kinds of questions whose values can be re-rolled. */
export type RollProps = {
  run: Run
  definition: Definition
  types: NodeTypes
  node: string
  mayWrite: boolean
  rolling: boolean
  /** Starts the run, for a re-roll or to return to a take. Resolves when the page has loaded the new state of the run. */
  start: (body: RunStart) => Promise<void>
}

export function GateStage(props: Props) {
  const { run, actions, definition, types, mayWrite, question, isOpen, questions, go, close, rolling, setRolling } =
    props
  const { noteAnswer } = props
  const [isBusy, setIsBusy] = useState(false)
  const stage = useRef<HTMLElement>(null)
  const keys = useRef<KeyHandler>(null)
  const { node, item, request } = question
  useEffect(() => {
    // Moves the focus to the question, unless the focus is in a dialog, in a text field, or inside the question already.
    const held = document.activeElement
    if (held?.closest('[role="dialog"], input, textarea') || stage.current?.contains(held)) return
    const first = stage.current?.querySelector<HTMLElement>('[data-first]')
    ;(first ?? stage.current)?.focus()
  }, [isOpen, rolling])
  const refusal = mayWrite
    ? isOpen
      ? refusalWords(runRefuses.answer(run))
      : isMadeAnew
    : 'You may look, and not answer.'
  const draft = draftKey(run.id, question)
  const answer = async (given: unknown) => {
    if (isBusy || refusal !== null) return
    noteAnswer()
    setIsBusy(true)
    await sendDraft(draft, () => actions.answer(question, given))
    setIsBusy(false)
  }
  /** Resolves when the page has loaded the new state of the run. By then, a quick re-roll may have ended already. */
  const start = async (body: RunStart) => {
    setRolling(true)
    const done = await actions.start(body)
    if (!done) setRolling(false)
  }
  const place = questions.findIndex((one) => one.node === node && one.item === item)
  const [before, after] = [questions[place - 1], questions[place + 1]]
  const shared = { refusal, answer: (given: unknown) => void answer(given), isBusy, draft }
  const rolls = { run, definition, types, node, mayWrite, rolling, start }
  return (
    <section
      ref={stage}
      className="gate-stage"
      aria-labelledby="gate-title"
      tabIndex={-1}
      onKeyDown={(event) => {
        // Keys work anywhere in the question, also after a click on an empty place, which focuses the stage itself.
        keys.current?.(event)
        // React also reports keys that are pressed in an open menu of the question, which lies elsewhere in the page. There, Escape
        // closes only the menu.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
        if (event.key === 'Escape' && isCommand(event) && isInside && !event.defaultPrevented) close()
      }}
    >
      <header className="gate-head">
        <span className="gate-mark">
          <NodeIcon name="gate" size={20} />
        </span>
        <div>
          <h2 id="gate-title">{request.title}</h2>
          <p>
            The gate “{node}” waits for an answer
            {item === null ? '' : `, for ${nameOfItem(definition, run.nodes, node, item)}`}. What follows goes on with
            it, and only that is paid for.
          </p>
        </div>
        {questions.length > 1 ? (
          <span className="item-steps">
            <ActionIcon aria-label="The question before" disabled={!before} onClick={() => before && go(before)}>
              <Icon name="left" />
            </ActionIcon>
            <span>
              {place + 1} of {questions.length}
            </span>
            <ActionIcon aria-label="The next question" disabled={!after} onClick={() => after && go(after)}>
              <Icon name="right" />
            </ActionIcon>
          </span>
        ) : null}
        <Tooltip label="Put it aside and look at the graph (Esc)">
          <Button variant="default" onClick={close}>
            See the graph
          </Button>
        </Tooltip>
      </header>
      {rolling ? (
        <div className="gate-rolling" role="status">
          <Loader size="xs" /> Rolling again. The gate asks when it is there.
        </div>
      ) : null}
      {request.kind === 'choose' ? (
        <GateChoose {...shared} {...rolls} keys={keys} request={request} />
      ) : request.kind === 'approve' ? (
        <GateApprove {...shared} {...rolls} keys={keys} request={request} />
      ) : (
        <GateEdit {...shared} request={request} />
      )}
      {mayWrite ? null : <p className="gate-looks">{refusal}</p>}
    </section>
  )
}
