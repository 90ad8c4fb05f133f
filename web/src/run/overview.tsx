// In charge of the summary of a run: all nodes in graph order with their states, and the final results.
import { amountWords, moneyWords } from '@atelier/contract/money.ts'
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CardView } from '../canvas/cards.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { StatusMark } from '../canvas/status-mark.tsx'
import { creditWords, durationWords } from '../canvas/words.ts'
import { call } from '../lib/api.ts'
import { type Run, runCostsQuery } from './queries.ts'
import { Value } from './value.tsx'

type Props = {
  run: Run
  views: ReadonlyMap<string, CardView>
  order: readonly string[]
  select: (node: string) => void
}

const listed = 300

export function Overview({ run, views, order, select }: Props) {
  const states = Object.values(run.nodes)
  const cached = states.filter(({ status }) => status === 'cached').length
  const results = resultsOf(run, views)
  return (
    <div className="inspector-body">
      <div className="side-head">
        <h2>Overview</h2>
      </div>
      <div className="side-scroll">
        <p className="hint">
          {states.length === 0
            ? 'Nothing has been done yet. Start it to see each node at work.'
            : summary(states.length, cached, run.credits_consumed)}
        </p>
        <RunMoney run={run} />
        {results.length === 0 ? null : (
          <section>
            <h3 className="side-title">Results</h3>
            {results.map(({ id, port, value }) => (
              <div key={id} className="overview-result">
                <UnstyledButton className="link-button" onClick={() => select(id)}>
                  {id}
                </UnstyledButton>
                <Value value={value} place={{ run: run.id, node: id, port }} />
              </div>
            ))}
          </section>
        )}
        <section>
          <h3 className="side-title">Nodes</h3>
          <ul className="node-list">
            {order.slice(0, listed).map((id) => {
              const [view, state] = [views.get(id), run.nodes[id]]
              return (
                <li key={id}>
                  <UnstyledButton
                    className="node-list-entry"
                    data-group={view?.group ?? 'other'}
                    onClick={() => select(id)}
                  >
                    <span className="node-icon">
                      <NodeIcon name={view?.group ?? 'other'} size={14} />
                    </span>
                    <span className="node-names">
                      <strong>{id}</strong>
                      <span>
                        {view?.title}
                        {state && state.duration_seconds >= 0.1 ? ` · ${durationWords(state.duration_seconds)}` : ''}
                      </span>
                    </span>
                    <StatusMark status={state?.status ?? 'pending'} plain />
                  </UnstyledButton>
                </li>
              )
            })}
          </ul>
          {order.length > listed ? <p className="hint">{order.length - listed} more on the canvas.</p> : null}
        </section>
      </div>
    </div>
  )
}

/** Shows what was paid in the present generation, what was planned for it, and what all starts of the run cost together. */
function RunMoney({ run }: { run: Run }) {
  const { data } = useQuery(runCostsQuery(run))
  const { data: all } = useQuery({
    queryKey: [...runCostsQuery(run).queryKey, 'all starts'],
    queryFn: ({ signal }) => call('getSpend', { query: { by: 'run', run_id: run.id }, signal }),
    placeholderData: (held) => held,
    // The first start is all there is.
    enabled: run.generation > 1,
  })
  const sum = all?.rows[0]
  const before = data && sum && sum.calls > data.calls ? paidWords(sum, data.currency) : null
  if (!data || (data.calls === 0 && before === null)) return null
  const { currency, planned_least, planned_most } = data
  const planned = moneyWords({ least: planned_least, most: planned_most, unpriced: [] }, currency)
  return (
    <p className="hint">
      {data.calls === 0 ? '' : `${paidWords(data, currency)}; planned: ${planned}.`}
      {before === null ? '' : ` All starts: ${before}.`}
    </p>
  )
}

/** Text such as `USD 0.04 paid, at most USD 0.08`. */
function paidWords({ amount, at_most }: { amount: number; at_most: number }, currency: string): string {
  return `${amountWords(amount, currency)} paid${at_most > amount ? `, at most ${amountWords(at_most, currency)}` : ''}`
}

/** Returns one output for each of the first four nodes without outgoing edges: an output of files or else the first output. */
function resultsOf(run: Run, views: ReadonlyMap<string, CardView>): { id: string; port: string; value: unknown }[] {
  const ends = [...views.values()].filter(
    ({ id, outputs }) => outputs.length > 0 && outputs.every(({ fed }) => !fed) && run.nodes[id],
  )
  return ends.slice(0, 4).flatMap(({ id, outputs }) => {
    const state = run.nodes[id]
    if (!state) return []
    const port = outputs.find(({ kind, name }) => kind === 'file' && name in state.outputs) ?? outputs[0]
    const value = port === undefined ? undefined : state.outputs[port.name]
    return port === undefined || value === undefined ? [] : [{ id, port: port.name, value }]
  })
}

/** Returns a text such as `8 nodes, 4 credits paid.`; if nodes were served from the cache, it also states their number. */
function summary(nodes: number, cached: number, credits: number): string {
  const count = `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  const served = cached === 0 ? '' : `, ${cached} served from before`
  return `${count}${served}, ${credits === 0 ? 'nothing' : creditWords(credits)} paid.`
}
