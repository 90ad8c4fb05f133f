// In charge of comparing two runs side by side: for each node, it shows the outputs that the node has in both runs.
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { Anchor, Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { differences, sameValue } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { RunMark, StatusMark } from '../canvas/status-mark.tsx'
import { creditWords } from '../canvas/words.ts'
import { agoWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { type Run, runQuery } from './queries.ts'
import { Value } from './value.tsx'

type Props = { run: Run; other: string; types: NodeTypes }

export function Compare({ run, other, types }: Props) {
  const found = useQuery(runQuery(other))
  if (found.error && !found.data) return <Failed error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading what="the other run" />
  return <SideBySide left={run} right={found.data.data} types={types} />
}

function SideBySide({ left, right, types }: { left: Run; right: Run; types: NodeTypes }) {
  const [onlyDifferent, setOnlyDifferent] = useState(true)
  const ids = useMemo(() => {
    const orders = [left, right].map(({ definition }) => topologicalOrder(readDefinition(definition)))
    return [...new Set(orders.flat())]
  }, [left, right])
  const shown = ids.filter(
    (id) => !onlyDifferent || !sameValue(left.nodes[id]?.outputs ?? {}, right.nodes[id]?.outputs ?? {}),
  )
  const diff = differences(left.definition, right.definition)
  return (
    <div className="page compare">
      <div className="page-head">
        <div>
          <h1>Two runs compared</h1>
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
        <Head run={left} />
        <Head run={right} />
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
        <section key={id} aria-label={id}>
          <h2 className="compare-name">
            {id} <span className="hint">{titleOf(left, right, types, id)}</span>
          </h2>
          <div className="compare-row">
            <Side run={left} node={id} label={`${id}, the first run`} />
            <Side run={right} node={id} label={`${id}, the other run`} />
          </div>
        </section>
      ))}
    </div>
  )
}

function titleOf(left: Run, right: Run, types: NodeTypes, id: string): string {
  const node = readDefinition(left.definition).nodes[id] ?? readDefinition(right.definition).nodes[id]
  return types.get(node?.type ?? '')?.title ?? node?.type ?? ''
}

function Head({ run }: { run: Run }) {
  const now = useNow()
  return (
    <div className="compare-head">
      <Anchor renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.id }} search={{}} {...props} />}>
        {agoWords(run.created_at, now)}
      </Anchor>
      <RunMark status={run.status} />
      <span className="hint">
        generation {run.generation} · {creditWords(run.credits_total)}
      </span>
    </div>
  )
}

function Side({ run, node, label }: { run: Run; node: string; label: string }) {
  const state = run.nodes[node]
  if (!state) return <div className="compare-side hint">Not part of this run</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className="compare-side" aria-label={label} tabIndex={0}>
      <StatusMark status={state.status} plain />
      {state.error === '' ? null : <p className="hint problem">{state.error}</p>}
      {Object.entries(state.outputs).map(([port, value]) => (
        <div key={port}>
          <h3 className="side-title">{port}</h3>
          <Value value={value} place={{ run: run.id, node, port }} />
        </div>
      ))}
    </section>
  )
}
