// In charge of the keyboard shortcuts on the page of a run: they move between nodes, and open the question of a gate.
import { type ReactFlowInstance, useReactFlow } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { neighbour } from '../canvas/arrange.ts'
import { measure } from '../canvas/cards.ts'
import type { Positions } from '../canvas/doc.ts'
import { useFit } from '../canvas/use-fit.ts'
import { type KeyMeaning, meaningOf, scrollAreas, scrollsArea } from '../graph/editor-keys.ts'
import { elsewhere } from '../ui/page-keys.ts'

export const runShortcuts = [
  [
    'Walk',
    [
      ['↑ ↓ ← →', 'The next node that way'],
      ['Enter', 'Into what the node made'],
      ['Esc', 'Back to the overview'],
      ['f', 'See the whole graph'],
      ['g', 'To the open question'],
    ],
  ],
  [
    'At a gate',
    [
      ['1 – 9', 'Pick that option'],
      ['← →', 'The option beside'],
      ['v', 'See the option large'],
      ['r', 'Roll the option again'],
      ['y  n', 'Approve, reject'],
      ['Enter', 'Answer'],
      ['Esc', 'Put the question aside'],
    ],
  ],
] as const

type Given = {
  positions: Positions
  order: readonly string[]
  selected: string | null
  select: (node: string | null) => void
  isGateOpen: boolean
  openGate: () => void
}

export function useRunKeys(given: Given): void {
  const flow = useReactFlow()
  const fit = useFit()
  const latest = useRef(given)
  latest.current = given
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const meaning = meant(event)
      if (meaning === 'gate') latest.current.openGate()
      else if (meaning && !latest.current.isGateOpen && act(meaning, latest.current, { flow, fit }))
        event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [flow, fit])
}

function meant(event: KeyboardEvent): KeyMeaning | 'gate' | null {
  const target = event.target instanceof Element ? event.target : null
  if (event.defaultPrevented || target?.closest(`${elsewhere}, .gate-stage`)) return null
  if (scrollsArea(event, target?.closest(scrollAreas))) return null
  if (event.key === 'g' && !(event.ctrlKey || event.metaKey || event.altKey)) return 'gate'
  const meaning = meaningOf(event)
  // If a button or link has the focus, Enter activates that element and has no meaning here.
  return meaning?.kind === 'open' && target?.closest('button, a, summary') ? null : meaning
}

type Showing = { flow: ReactFlowInstance; fit: ReturnType<typeof useFit> }

/** Performs the action of a key; returns false if the browser may react to the key too. */
function act(meaning: KeyMeaning, { positions, order, selected, select }: Given, { flow, fit }: Showing): boolean {
  switch (meaning.kind) {
    case 'fit':
      fit({ padding: 0.16 })
      return true
    case 'leave':
      select(null)
      return true
    case 'open':
      document.querySelector<HTMLElement>('.inspector .side-scroll :is(button, a, input)')?.focus()
      return selected !== null
    case 'walk': {
      const to = selected === null ? order[0] : neighbour(positions, selected, meaning.direction)
      const at = to === undefined || to === null ? undefined : positions[to]
      if (!at || to === undefined || to === null) return selected !== null
      select(to)
      const zoom = Math.max(0.7, flow.getZoom())
      void flow.setCenter(at.x + measure.width / 2, at.y + 80, { zoom, duration: 160 })
      return true
    }
    default:
      return false
  }
}
