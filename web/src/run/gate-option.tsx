// In charge of one option of a gate: the user can pick it, view it large, or re-roll it.
import { ActionIcon, Button, Loader } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { useCost } from './cost.tsx'
import type { Run } from './queries.ts'
import type { Source } from './roll-sources.ts'
import { useInSight } from './use-in-sight.ts'
import { Value } from './value.tsx'

type Props = {
  index: number
  option: unknown
  isPicked: boolean
  isFresh: boolean
  isRolling: boolean
  pick: () => void
  /** Shows the option large in the viewer. Null if the option has no picture or film. */
  look: (() => void) | null
  run: Run
  /** What is made anew by a re-roll. Null if neither the node that made the option nor one before that node can make anything new. */
  source: Source | null
  /** Re-rolls the option. */
  roll: () => void
  /** The reason why nothing can be re-rolled now; null if it can. */
  rollRefusal: string | null
  /** Answers the gate with this option alone. Null if the gate accepts more than one option, or cannot be answered now. */
  choose: (() => void) | null
  /** Whether an answer is being sent. */
  isBusy: boolean
  takes: ReactNode
}

export function GateOption(props: Props) {
  const { index, option, isPicked, isFresh, isRolling, pick, look, source, choose, isBusy, takes } = props
  const place = useRef<HTMLLIElement>(null)
  return (
    <li ref={place} className="option" data-picked={isPicked || undefined} data-rolling={isRolling || undefined}>
      <button
        type="button"
        className="option-pick"
        aria-pressed={isPicked}
        aria-label={`Option ${index + 1}${isPicked ? ', picked' : ''}`}
        data-option={index}
        {...(index === 0 ? { 'data-first': true } : {})}
        onClick={pick}
      >
        <span className="option-number">{isPicked ? <Icon name="check" size={14} /> : index + 1}</span>
      </button>
      <OptionMark isRolling={isRolling} isFresh={isFresh} />
      <div className="option-value">
        <Value value={option} />
      </div>
      {look ? (
        <ActionIcon
          className="option-look"
          variant="default"
          aria-label={`See option ${index + 1} large`}
          title="See it large (v)"
          onClick={look}
        >
          <Icon name="look" size={14} />
        </ActionIcon>
      ) : null}
      {takes}
      <div className="option-tools">
        {choose ? (
          <Button
            size="compact-xs"
            variant="light"
            disabled={isBusy}
            aria-label={`Choose option ${index + 1}`}
            onClick={choose}
          >
            Choose
          </Button>
        ) : null}
        {source ? <RollOne {...props} {...{ source, place }} /> : null}
      </div>
    </li>
  )
}

type RollOneProps = Pick<Props, 'index' | 'run' | 'roll' | 'rollRefusal'> & {
  source: Source
  place: RefObject<HTMLLIElement | null>
}

/**
 * A gate can have hundreds of options, so the price of one is asked for only when the pointer or the focus comes to the button. A finger
 * does not come to a button before it presses it: there, the button itself says the price, which is asked for while the option is in
 * sight.
 */
function RollOne({ index, run, source, roll, rollRefusal, place }: RollOneProps) {
  const [isNear, setIsNear] = useState(false)
  const isTouched = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: false })
  const isInSight = useInSight(place, isTouched)
  const body = useMemo(() => ({ regenerate: [source] }), [source])
  const cost = useCost({ run, body, enabled: (isNear || isInSight) && rollRefusal === null })
  const price = cost === null ? '' : ` · ${cost}`
  const shown = isTouched ? price : ''
  return (
    <ReasonButton
      size="compact-xs"
      variant="default"
      leftSection={<NodeIcon name="roll" size={13} />}
      off={rollRefusal}
      tip={`Make this one anew (r)${price}`}
      aria-label={`Roll again${shown}, option ${index + 1}`}
      onPointerEnter={() => setIsNear(true)}
      onFocus={() => setIsNear(true)}
      onClick={roll}
    >
      Roll again{shown}
    </ReasonButton>
  )
}

function OptionMark({ isRolling, isFresh }: { isRolling: boolean; isFresh: boolean }) {
  if (isRolling) {
    return (
      <span className="mark option-new" data-tone="accent">
        <Loader size={11} /> Rolling
      </span>
    )
  }
  return isFresh ? (
    <span className="mark option-new" data-tone="accent">
      New
    </span>
  ) : null
}
