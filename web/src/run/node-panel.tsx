// In charge of the panel about one node of a run: its state in words, its takes, its outputs or items, and a button to re-roll it.
import type { GraphNode } from '@atelier/contract/graph/definition.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { CardView } from '../canvas/cards.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { StatusMark } from '../canvas/status-mark.tsx'
import { creditWords, durationWords, mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { Icon } from '../ui/icons.tsx'
import { AnswerSection } from './answer-section.tsx'
import { useCost } from './cost.tsx'
import { Gallery } from './gallery.tsx'
import type { NodeState, Run } from './queries.ts'
import { RollButton } from './roll-button.tsx'
import { TakeStrip } from './takes.tsx'
import type { Actions } from './use-actions.ts'
import { useItems } from './use-items.ts'
import { Value } from './value.tsx'

type Props = {
  run: Run
  view: CardView
  node: GraphNode | undefined
  actions: Actions
  mayWrite: boolean
  close: () => void
}

export function NodePanel({ run, view, node, actions, mayWrite, close }: Props) {
  const state = run.nodes[view.id]
  const items = useItems(run, view.id)
  const [isWide, setIsWide] = useState(false)
  const hasItems = items.size > 0
  return (
    <div className="inspector-body" data-wide={isWide || undefined}>
      <div className="side-head" data-group={view.group}>
        <span className="node-icon">
          <NodeIcon name={view.group} size={16} />
        </span>
        <div className="side-names">
          <h2 className="node-name-shown">{view.id}</h2>
          <span className="hint">{view.title}</span>
        </div>
        {hasItems ? (
          <Tooltip label={isWide ? 'Smaller' : 'Larger'}>
            <ActionIcon
              className="wide-only"
              aria-label={isWide ? 'Smaller' : 'Larger'}
              onClick={() => setIsWide(!isWide)}
            >
              <NodeIcon name="fit" />
            </ActionIcon>
          </Tooltip>
        ) : null}
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close the node" onClick={close}>
            <Icon name="close" />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={hasItems ? 'side-scroll side-fixed' : 'side-scroll'}>
        <State state={state} />
        <Rolls {...{ run, view, actions, mayWrite }} isEach={hasItems} />
        {hasItems || !view.info || view.info.gate ? null : (
          <TakeStrip
            key={view.id}
            run={run}
            source={{ node_id: view.id, item: null }}
            of={view.id}
            refusal={mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook}
            mayPin={mayWrite}
            choose={(take) => actions.start({ choose: [{ node_id: view.id, take }] })}
          />
        )}
        {hasItems ? (
          <Gallery {...{ run, view, items, actions, mayWrite }} />
        ) : (
          <Outputs view={view} state={state} run={run} node={node} />
        )}
      </div>
    </div>
  )
}

function State({ state }: { state: NodeState | undefined }) {
  if (!state) {
    return (
      <p className="hint">
        It has not been part of this run yet: nothing that was asked for needs it, or nothing has started.
      </p>
    )
  }
  const facts = [
    state.status === 'cached' ? 'nothing paid' : creditWords(state.credits_consumed),
    ...(state.duration_seconds >= 0.1 ? [durationWords(state.duration_seconds)] : []),
    ...(state.status === 'running' && state.progress > 0 ? [`${Math.round(state.progress * 100)} %`] : []),
  ]
  return (
    <>
      <div className="node-state">
        <StatusMark status={state.status} />
        <span className="hint">{facts.join(' · ')}</span>
      </div>
      {state.error === '' ? null : (
        <p className="notice" data-tone="danger">
          {state.error}
        </p>
      )}
      {state.message === '' ? null : <p className="hint">{state.message}</p>}
    </>
  )
}

type RollProps = { run: Run; view: CardView; actions: Actions; mayWrite: boolean; isEach: boolean }

function Rolls({ run, view, actions, mayWrite, isEach }: RollProps) {
  const refusal = mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook
  const body = { regenerate: [{ node_id: view.id }] }
  const isThere = run.nodes[view.id] !== undefined
  const cost = useCost({ run, body, enabled: refusal === null && isThere })
  if (!isThere) return null
  const isGate = view.info?.gate ?? false
  const label = isGate ? 'Ask again' : isEach ? 'Roll all again' : 'Roll again'
  return (
    <div className="roll-row">
      <RollButton
        label={label}
        tip={
          isGate
            ? 'Drops the answer: the gate asks anew.'
            : 'A roll: the node makes something new with the same inputs. What follows is made from it.'
        }
        refusal={refusal}
        variant="light"
        roll={() => actions.start(body)}
      />
      {cost === null || refusal !== null ? null : <span className="hint">{cost}</span>}
    </div>
  )
}

type OutputProps = { view: CardView; state: NodeState | undefined; run: Run; node: GraphNode | undefined }

function Outputs({ view, state, run, node }: OutputProps) {
  const outputs = Object.entries(state?.outputs ?? {})
  const answer = run.answers[view.id]
  const params = Object.entries(node?.params ?? {})
  return (
    <>
      <AnswerSection type={view.type} answer={answer} />
      {outputs.map(([port, value]) => (
        <section key={port}>
          <h3 className="side-title">{view.info?.outputs[port]?.title ?? port}</h3>
          <Value value={value} place={{ run: run.id, node: view.id, port }} />
        </section>
      ))}
      {params.length === 0 ? null : (
        <details className="raw">
          <summary>Params it ran with</summary>
          <Value value={node?.params} deep={1} />
        </details>
      )}
    </>
  )
}
