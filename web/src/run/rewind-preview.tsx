// In charge of showing what would change in a run if the user restored it to a checkpoint: the states and outputs of nodes, the
// answers, the targets and the definition. Also shows the status that the run had at the checkpoint.
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { differences, isSame } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { RunMark, StatusMark } from '../canvas/status-mark.tsx'
import { keptUnread, unreadKey } from '../graph/unread-json.ts'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import type { Run } from './queries.ts'
import { type Rewind, type Rewound, type RunCheckpoint, rewindOf } from './rewind.ts'
import { Value } from './value.tsx'

export function RewindPreview({ run, at }: { run: Run; at: string }) {
  const checkpoint = useQuery({
    queryKey: ['checkpoint', run.id, at],
    queryFn: () => call('readRunCheckpoint', { params: { run_id: run.id }, query: { at } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checkpoint.error) return <p className="hint problem">{wordsOf(checkpoint.error)}</p>
  if (!checkpoint.data) return <p className="hint">Looking …</p>
  return <Shown run={run} was={checkpoint.data} />
}

const listed = 40

type Back = Extract<Rewound, { kind: 'back' }>

function Shown({ run, was }: { run: Run; was: RunCheckpoint }) {
  const rewind = useMemo(() => {
    const orders = [was.definition, run.definition].map((one) => topologicalOrder(readDefinition(one)))
    return rewindOf(run, was, [...new Set(orders.flat())])
  }, [run, was])
  const diff = differences(run.definition, was.definition)
  const back = rewind.nodes.filter((node): node is Back => node.kind === 'back')
  return (
    <div className="rewind">
      <p className="rewind-line">
        The run was <RunMark status={was.status} />
      </p>
      {was.error === null || was.error === '' ? null : <p className="hint problem">{was.error}</p>}
      <Words rewind={rewind} />
      {back.length === 0 ? null : (
        <ul className="rewind-nodes" aria-label="What comes back">
          {back.slice(0, listed).map((node) => (
            <li key={node.id}>
              <Node node={node} />
            </li>
          ))}
        </ul>
      )}
      {back.length > listed ? <p className="hint">{back.length - listed} more nodes.</p> : null}
      {keptUnread(unreadKey(`/runs/${run.id}`)).length === 0 ? null : (
        <p className="hint">What is not JSON yet in its field is not kept.</p>
      )}
      {isSame(diff) ? (
        <p className="hint">Nodes and edges stay as they are.</p>
      ) : (
        <>
          <p className="hint">Of the definition, going back would change:</p>
          <DiffList diff={diff} same="" />
        </>
      )}
    </div>
  )
}

function Words({ rewind: { nodes, same, answersBack, answersGone, targets } }: { rewind: Rewind }) {
  const undone = nodes.flatMap(({ id, kind }) => (kind === 'undone' ? [id] : []))
  const words = [
    nodes.length === 0 ? (same === 0 ? 'Nothing had been made yet.' : 'What the nodes made is the same as now.') : null,
    nodes.length > 0 && same > 0
      ? `${same} ${same === 1 ? 'node stays what it is' : 'nodes stay what they are'}.`
      : null,
    undone.length === 0 ? null : `Not done yet then, so what they have made since is gone: ${undone.join(', ')}.`,
    answersBack.length === 0 ? null : `Answers that come back: ${answersBack.join(', ')}.`,
    answersGone.length === 0 ? null : `Answers that are dropped: ${answersGone.join(', ')}.`,
    targets === null
      ? null
      : targets.length === 0
        ? 'All of the graph was asked for.'
        : `Only this was asked for: ${targets.join(', ')}.`,
  ]
  return words.map((line) =>
    line === null ? null : (
      <p key={line} className="hint">
        {line}
      </p>
    ),
  )
}

function Node({ node }: { node: Back }) {
  const { status, outputs, error, items } = node.was
  const made = Object.entries(outputs)
  return (
    <>
      <p className="rewind-line">
        <strong>{node.id}</strong>
        <StatusMark status={status} plain />
        {items === null ? null : <span className="hint">{items === 1 ? '1 item' : `${items} items`}</span>}
      </p>
      {error === '' ? null : <p className="hint problem">{error}</p>}
      {node.sameOutputs
        ? null
        : made.map(([port, value]) => (
            <div key={port} className="rewind-value">
              <Value value={value} deep={1} />
            </div>
          ))}
    </>
  )
}
