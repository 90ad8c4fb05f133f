// In charge of watching a run: it shows the graph with the state of every node, the outputs, and the open questions.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { busy } from '@atelier/contract/graph/run-rules.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readAnnotations } from '../canvas/annotations.ts'
import { withPlaces } from '../canvas/arrange.ts'
import { Canvas, nothingSelected, onlyNode } from '../canvas/canvas.tsx'
import { cardViews, sizeIn } from '../canvas/cards.ts'
import type { Raw } from '../canvas/doc.ts'
import { readPositions, readViewport } from '../canvas/layout.ts'
import { useFocusToCanvas } from '../canvas/use-canvas-focus.ts'
import '../graph/editor.css'
import '../graph/notes.css'
import '../graph/panels.css'
import { createBriefs } from '../canvas/briefs.ts'
import type { Graph } from '../graph/queries.ts'
import type { Caller } from '../lib/types.ts'
import { setPageShortcuts } from '../ui/shortcut-help.tsx'
import { forgetClosed } from './gate-drafts.ts'
import { GateStage } from './gate-stage.tsx'
import { NodePanel } from './node-panel.tsx'
import { Overview } from './overview.tsx'
import type { Run } from './queries.ts'
import { openQuestions, type Question, shownQuestion } from './questions.ts'
import { RunBanners } from './run-banners.tsx'
import { RunHead } from './run-head.tsx'
import { RunHistory } from './run-history.tsx'
import { useActions } from './use-actions.ts'
import { useOneGesture } from './use-one-gesture.ts'
import { useDefinition } from './use-run.ts'
import { runShortcuts, useRunKeys } from './use-run-keys.ts'

type Props = {
  run: Tagged<Run>
  types: NodeTypes
  caller: Caller
  graph: Tagged<Graph> | null
  /** Whether the graph is deleted for good; false while it is not known. */
  isGraphGone: boolean
  /** Whether the run is deleted for good since it was read. */
  isGone: boolean
  selected: string | null
}

export function RunView({ run: { data: run }, types, caller, graph, isGraphGone, isGone, selected }: Props) {
  const navigate = useNavigate()
  const actions = useActions(run.id)
  const { definition, order } = useDefinition(run)
  const views = useMemo(() => cardViews(definition, types), [definition, types])
  const layout = JSON.stringify(run.ui_state)
  const { positions, annotations } = useMemo(() => {
    const ui_state: Raw = JSON.parse(layout)
    return {
      positions: withPlaces(definition, readPositions(ui_state), sizeIn(views)),
      annotations: readAnnotations(ui_state),
    }
  }, [definition, layout, views])
  const [makeBriefs] = useState(createBriefs)
  const briefs = useMemo(() => makeBriefs(run.nodes), [makeBriefs, run.nodes])
  const briefOf = useCallback((id: string) => briefs.get(id) ?? null, [briefs])
  const tone = useCallback(
    ({ to }: GraphEdge) => {
      const status = briefs.get(to.node)?.status
      if (status === 'running') return 'wire-flowing'
      return status === undefined || status === 'pending' ? 'wire-idle' : ''
    },
    [briefs],
  )
  const select = useCallback(
    (node: string | null) =>
      void navigate({
        to: '/runs/$run_id',
        params: { run_id: run.id },
        search: node === null ? {} : { node },
        replace: true,
      }),
    [navigate, run.id],
  )
  const gate = useGate(run, order)
  const noteAnswer = useOneGesture(gate.shown && keyOf(gate.shown))
  const history = useHistory(gate)
  const inspector = useFocusAfter(gate.shown !== null)
  const keepFocus = useFocusToCanvas()
  const view = selected === null ? undefined : views.get(selected)
  const selection = useMemo(() => (selected === null ? nothingSelected : onlyNode(selected)), [selected])
  const mayWrite = caller.scopes.includes('runs:write')
  useEffect(() => setPageShortcuts(runShortcuts), [])
  useRunKeys({ positions, order, selected, select, isGateOpen: gate.shown !== null, openGate: gate.open })
  return (
    <div className="studio run-studio">
      <RunHead
        {...{ run, actions, caller, graph, isGraphGone, selected, keepFocus }}
        showHistory={history.open}
        types={types}
      />
      <RunBanners
        {...{ run, isGone, actions, mayWrite }}
        questions={gate.questions}
        isGateOpen={gate.shown !== null}
        openGate={gate.open}
      />
      <div className="studio-body">
        {gate.shown ? (
          <GateStage
            key={keyOf(gate.shown)}
            {...{ run, actions, definition, types, mayWrite }}
            question={gate.shown}
            isOpen={gate.isAsked}
            questions={gate.questions}
            go={gate.go}
            close={gate.close}
            rolling={gate.rolling}
            setRolling={gate.setRolling}
            noteAnswer={noteAnswer}
          />
        ) : (
          <>
            <section className="studio-canvas" aria-label="Graph">
              <Canvas
                mode="run"
                views={views}
                positions={positions}
                edges={definition.edges}
                annotations={annotations}
                selection={selection}
                onSelect={({ nodes }) => select([...nodes].at(-1) ?? null)}
                briefOf={briefOf}
                tone={tone}
                viewport={fitting(run, positions)}
              />
              <p className="visually-hidden" aria-live="polite">
                {view ? `${view.id}, ${view.title}, ${briefs.get(view.id)?.status ?? 'not part of this run yet'}` : ''}
              </p>
            </section>
            <aside ref={inspector} className="inspector" aria-label="Inspector" tabIndex={-1} {...keepFocus}>
              {history.isOpen ? (
                <RunHistory run={run} actions={actions} mayWrite={mayWrite} close={history.close} />
              ) : view ? (
                <NodePanel
                  key={view.id}
                  {...{ run, view, actions, mayWrite }}
                  node={definition.nodes[view.id]}
                  close={() => select(null)}
                />
              ) : (
                <Overview run={run} views={views} order={order} select={select} />
              )}
            </aside>
          </>
        )}
      </div>
    </div>
  )
}

/** If a question closes that had the focus, moves the focus to the inspector; otherwise the focus would be lost. */
function useFocusAfter(isAsked: boolean): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  const was = useRef(isAsked)
  useEffect(() => {
    if (was.current && !isAsked && document.activeElement === document.body) place.current?.focus()
    was.current = isAsked
  }, [isAsked])
  return place
}

/**
 * The viewport with which the canvas opens. For a large graph, it is the one that was saved in the editor, because the whole graph
 * would be too small to read. Null: the canvas shows the whole graph, because the saved viewport does not fit cards in a run, which
 * are taller than in the editor.
 */
const fitting = (run: Run, positions: object) =>
  Object.keys(positions).length > 120 ? readViewport(run.ui_state) : null

/**
 * Decides which question is shown. A question opens by itself. If the user closes it, no question is shown until the user opens it
 * again, or until it has been answered and another question takes its place.
 */
function useGate(run: Run, order: readonly string[]) {
  const questions = useMemo(() => openQuestions(run.nodes, order), [run.nodes, order])
  const [current, setCurrent] = useState<Question | null>(null)
  const [aside, setAside] = useState<string | null>(null)
  const [rolling, setRolling] = useState(false)
  const last = useRef<Question | null>(null)
  const isBusy = busy(run.status)
  // Also true if another user started the re-roll, so that the question and this user's picks stay on the screen then too.
  const isRolling = isBusy && (rolling || run.regenerate.length > 0)
  const shown = shownQuestion(questions, { current, last: last.current, isRolling, order })
  useEffect(() => {
    if (shown) last.current = shown
    else if (!isBusy) last.current = null
    // When the run is not busy any more, the re-roll has ended: from then on, only a question that a gate asks now is shown.
    setRolling((before) => isBusy && (before || isRolling))
  }, [shown, isBusy, isRolling])
  useEffect(() => {
    // While the run is busy, a question whose options are being made again is not open, and comes back.
    if (!isBusy) forgetClosed(run.id, questions)
  }, [run.id, isBusy, questions])
  const isPutAside = shown !== null && aside === keyOf(shown)
  return {
    questions,
    shown: isPutAside ? null : shown,
    isAsked: shown !== null && !isRolling,
    rolling: isRolling,
    setRolling,
    go: (question: Question) => {
      last.current = question
      setCurrent(question)
    },
    open: () => setAside(null),
    close: () => setAside(shown ? keyOf(shown) : null),
  }
}

/** The history takes the place of an open question, which returns when the history is closed. */
function useHistory(gate: ReturnType<typeof useGate>) {
  const [isOpen, setIsOpen] = useState(false)
  const hidesQuestion = useRef(false)
  return {
    isOpen,
    open: () => {
      hidesQuestion.current ||= gate.shown !== null
      gate.close()
      setIsOpen(true)
    },
    close: () => {
      if (hidesQuestion.current) gate.open()
      hidesQuestion.current = false
      setIsOpen(false)
    },
  }
}

const keyOf = ({ node, item }: Question): string => JSON.stringify([node, item])
