// In charge of comparing two runs side by side: for each node, it shows the outputs that the node has in both runs, or only the parts
// of them that differ.
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { differences, sameValue } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { StatusMark } from '../canvas/status-mark.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { type Age, ageOf } from './compare-choices.ts'
import { CompareHead } from './compare-head.tsx'
import { type Run, runQuery } from './queries.ts'
import { longsIn, type PortDiff, useWholeDiffs } from './use-whole-diffs.ts'
import { Many, Value } from './value.tsx'
import { type Differing, leftOutWords, pathWords, type ValueDiff, valueDiff } from './value-diff.ts'
import type { ValuePlace } from './whole-value.tsx'

type Props = { run: Run; other: string; types: NodeTypes }

export function Compare({ run, other, types }: Props) {
  const found = useQuery(runQuery(other))
  if (found.error && !found.data) return <Failed error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading what="the other run" />
  return <SideBySide left={run} right={found.data.data} types={types} />
}

/** Returns the ref of a heading that gets the focus if nothing has it: the dialog in which the other run was chosen is gone with it. */
function useOrphanedFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return heading
}

function SideBySide({ left, right, types }: { left: Run; right: Run; types: NodeTypes }) {
  const heading = useOrphanedFocus()
  const ages = [ageOf(left, right), ageOf(right, left)] as const
  const [onlyDifferent, setOnlyDifferent] = useState(true)
  const ids = useMemo(() => {
    const orders = [left, right].map(({ definition }) => topologicalOrder(readDefinition(definition)))
    return [...new Set(orders.flat())]
  }, [left, right])
  const differing = useMemo(
    () => ids.filter((id) => !sameValue(left.nodes[id]?.outputs ?? {}, right.nodes[id]?.outputs ?? {})),
    [ids, left, right],
  )
  const shown = onlyDifferent ? differing : ids
  const diff = useMemo(() => differences(left.definition, right.definition), [left, right])
  return (
    <div className="page compare">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Two runs compared
          </h1>
          <p>What each node made, side by side.</p>
        </div>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: left.id }} search={{}} {...props} />}
        >
          Back to the run
        </Button>
      </div>
      <div className="compare-row compare-heads">
        <CompareHead run={left} age={ages[0]} />
        <CompareHead run={right} age={ages[1]} />
      </div>
      <Switch
        size="xs"
        label="Only where they differ"
        checked={onlyDifferent}
        onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
      />
      {diff.nodes.length + diff.edges.length > 0 ? (
        <details className="raw compare-diff">
          <summary>Their definitions differ</summary>
          <DiffList diff={diff} same="" />
        </details>
      ) : null}
      {shown.length === 0 ? <p className="hint">Every node made the same in both.</p> : null}
      {shown.map((id) => (
        <NodeRow key={id} {...{ left, right, ages, id, onlyDifferent }} title={titleOf(left, right, types, id)} />
      ))}
    </div>
  )
}

type NodeRowProps = {
  left: Run
  right: Run
  ages: readonly [Age, Age]
  id: string
  onlyDifferent: boolean
  title: string
}

function NodeRow({ left, right, ages, id, onlyDifferent, title }: NodeRowProps) {
  const parts = useMemo(() => {
    const [one, other] = [left.nodes[id], right.nodes[id]]
    // What only one of the runs has is shown whole.
    if (!onlyDifferent || !one || !other) return null
    const ports = [...new Set([...Object.keys(one.outputs), ...Object.keys(other.outputs)])]
    return ports.map((port): PortDiff => {
      const diff = valueDiff(one.outputs[port], other.outputs[port])
      return { port, diff, longs: longsIn(diff) }
    })
  }, [left, right, id, onlyDifferent])
  const row = useRef<HTMLElement>(null)
  const { withWhole, compare, busy } = useWholeDiffs([left, right], id)
  const shown = parts?.map(withWhole) ?? null
  return (
    <section ref={row} aria-label={id}>
      <h2 className="compare-name">
        {id} <span className="hint">{title}</span>
      </h2>
      {shown?.map((part) =>
        part.longs ? (
          <CompareAll key={part.port} isBusy={busy === part.port} act={() => void compare(part)} place={row}>
            Compare all of “{part.port}”
          </CompareAll>
        ) : null,
      )}
      <div className="compare-row">
        <Side run={left} node={id} label={`${id}, the ${ages[0]} run`} parts={shown} at={0} />
        <Side run={right} node={id} label={`${id}, the ${ages[1]} run`} parts={shown} at={1} />
      </div>
    </section>
  )
}

function titleOf(left: Run, right: Run, types: NodeTypes, id: string): string {
  const node = readDefinition(left.definition).nodes[id] ?? readDefinition(right.definition).nodes[id]
  return types.get(node?.type ?? '')?.title ?? node?.type ?? ''
}

type CompareAllProps = { isBusy: boolean; act: () => void; place: RefObject<HTMLElement | null>; children: ReactNode }

/** It goes when its output has been compared; if it had the focus, what stands below it in `place` gets that. */
function CompareAll({ isBusy, act, place, children }: CompareAllProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (element === document.activeElement) place.current?.querySelector<HTMLElement>('.compare-side')?.focus()
    }
  }, [place])
  return (
    // Not disabled while it is busy, because it would lose the focus.
    <Button ref={button} size="compact-xs" variant="subtle" aria-busy={isBusy} onClick={act}>
      {isBusy ? 'Comparing …' : children}
    </Button>
  )
}

type SideProps = {
  run: Run
  node: string
  label: string
  /** The outputs of both runs with where they differ; null to show the outputs whole. */
  parts: readonly PortDiff[] | null
  /** Which side of the differences it is. */
  at: 0 | 1
}

function Side({ run, node, label, parts, at }: SideProps) {
  const state = run.nodes[node]
  if (!state) return <div className="compare-side hint">Not part of this run</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className="compare-side" aria-label={label} tabIndex={0}>
      <StatusMark status={state.status} plain />
      {state.error === '' ? null : <p className="hint problem">{state.error}</p>}
      {parts === null
        ? Object.entries(state.outputs).map(([port, value]) => (
            <div key={port}>
              <h3 className="side-title">{port}</h3>
              <Value value={value} place={{ run: run.id, node, port }} />
            </div>
          ))
        : parts
            .filter(({ diff }) => diff.differing.length > 0)
            .map(({ port, diff }) => (
              <div key={port}>
                <h3 className="side-title">{port}</h3>
                <Parts diff={diff} at={at} place={{ run: run.id, node, port }} />
              </div>
            ))}
    </section>
  )
}

/** One side of the parts of a value that differ, each under its path. */
function Parts({ diff, at, place }: { diff: ValueDiff; at: 0 | 1; place: ValuePlace }) {
  const leftOut = leftOutWords(diff)
  return (
    <>
      <Many
        entries={diff.differing}
        className="compare-parts"
        show={({ path, sides }) => (
          <>
            {path.length === 0 ? null : <h4 className="hint">{pathWords(path)}</h4>}
            <Value value={sides[at]} place={placeIn(place, path)} />
          </>
        )}
      />
      {leftOut === null ? null : <p className="hint">{leftOut}</p>}
    </>
  )
}

/** Where a part of an output can be read; null if it cannot be read alone. */
function placeIn(place: ValuePlace, path: Differing['path']): ValuePlace | null {
  const [item, ...deeper] = path
  if (item === undefined) return place
  return typeof item === 'number' && deeper.length === 0 ? { ...place, item } : null
}
