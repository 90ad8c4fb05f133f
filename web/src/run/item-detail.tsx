// In charge of the view of one item of a node: its outputs, its error, and a button that re-rolls only this item.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { ActionIcon, Button } from '@mantine/core'
import { useMemo } from 'react'
import type { CardView } from '../canvas/cards.ts'
import { StatusMark } from '../canvas/status-mark.tsx'
import { creditWords, durationWords, mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { Icon } from '../ui/icons.tsx'
import { AnswerSection } from './answer-section.tsx'
import { useCost } from './cost.tsx'
import type { ItemSteps } from './item-steps.ts'
import type { ItemState, Run } from './queries.ts'
import { RollButton } from './roll-button.tsx'
import { TakeStrip } from './takes.tsx'
import type { Actions } from './use-actions.ts'
import { Value } from './value.tsx'

type Props = {
  run: Run
  view: CardView
  item: ItemState
  index: number
  steps: ItemSteps
  actions: Actions
  mayWrite: boolean
  go: (index: number) => void
  close: () => void
}

export function ItemDetail({ run, view, item, index, steps, actions, mayWrite, go, close }: Props) {
  const refusal = mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook
  const body = useMemo(() => ({ regenerate: [{ node_id: view.id, item: index }] }), [view.id, index])
  const cost = useCost({ run, body, enabled: refusal === null })
  const answer = run.answers[`${view.id}/${index}`]
  return (
    <div className="item-detail">
      <div className="item-head">
        {/* This button takes the focus, because the grid cell with which the user opened this view is gone. */}
        <Button autoFocus variant="subtle" color="gray" leftSection={<Icon name="left" size={14} />} onClick={close}>
          All items
        </Button>
        <span className="item-steps">
          <Step label="The item before" icon="left" to={steps.before} go={go} />
          <strong>{steps.words}</strong>
          <Step label="The next item" icon="right" to={steps.next} go={go} />
        </span>
      </div>
      <div className="node-state">
        <StatusMark status={item.status} />
        <span className="hint">
          {item.status === 'cached' ? 'nothing paid' : creditWords(item.credits_consumed)}
          {item.duration_seconds > 0 ? ` · ${durationWords(item.duration_seconds)}` : ''}
        </span>
      </div>
      <div className="roll-row">
        <RollButton
          label="Roll this again"
          tip="A roll: this item alone is made anew, and what follows from it."
          refusal={refusal}
          variant="light"
          roll={() => actions.start(body)}
        />
        {cost === null || refusal !== null ? null : <span className="hint">{cost}</span>}
      </div>
      <TakeStrip
        key={`${view.id}/${index}`}
        run={run}
        source={{ node_id: view.id, item: index }}
        of={`item ${index + 1}`}
        refusal={refusal}
        mayPin={mayWrite}
        choose={(take) => actions.start({ choose: [{ node_id: view.id, item: index, take }] })}
      />
      {item.error === '' ? null : (
        <p className="notice" data-tone="danger">
          {item.error}
        </p>
      )}
      {item.message === '' ? null : <p className="hint">{item.message}</p>}
      <AnswerSection type={view.type} answer={answer} />
      {Object.entries(item.outputs).map(([port, value]) => (
        <section key={port}>
          <h3 className="side-title">{view.info?.outputs[port]?.title ?? port}</h3>
          <Value value={value} place={{ run: run.id, node: view.id, port, item: index }} />
        </section>
      ))}
    </div>
  )
}

type StepProps = { label: string; icon: 'left' | 'right'; to: number | null; go: (index: number) => void }

const Step = ({ label, icon, to, go }: StepProps) => (
  <ActionIcon aria-label={label} disabled={to === null} onClick={() => to !== null && go(to)}>
    <Icon name={icon} />
  </ActionIcon>
)
