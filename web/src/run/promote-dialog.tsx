// In charge of the dialog that promotes a run: it lists what the promotion would change in the graph, and warns if the graph itself
// has changed since the run was made of it. The service plans both, as it will promote.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { CallResult, Tagged } from '@atelier/contract/wire/calls.ts'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { differences, isSame } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { refusalWords } from '../canvas/words.ts'
import { type Graph, graphQuery } from '../graph/queries.ts'
import { callTagged } from '../lib/api.ts'
import { ifMatch } from '../lib/conflict.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import type { Caller } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { promotePlanQuery, type Run } from './queries.ts'

type Props = { run: Run; graphId: string; caller: Caller; close: () => void }

export function PromoteDialog({ run, graphId, caller, close }: Props) {
  const graph = useQuery({ ...graphQuery(graphId), refetchOnMount: 'always' })
  const [told, setTold] = useState<string | null>(null)
  const plan = useQuery({
    ...promotePlanQuery(run, graph.data?.etag ?? null),
    enabled: graph.data !== undefined && told === null,
    placeholderData: keepPreviousData,
  })
  const problem = graph.error ?? plan.error
  const title = graph.data ? `Promote to “${graph.data.data.name}”` : 'Promote to the graph'
  return (
    <Dialog onClose={close} size="lg" title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {told !== null ? (
        <Promoted told={told} graphId={graphId} close={close} />
      ) : graph.data && plan.data ? (
        <Planned
          {...{ run, caller, close }}
          graph={graph.data}
          plan={plan.data}
          isOld={plan.isPlaceholderData}
          readAgain={async () => void (await graph.refetch())}
          done={setTold}
        />
      ) : problem ? (
        <Failed error={problem} />
      ) : (
        <Loading what="the graph" />
      )}
    </Dialog>
  )
}

type PlannedProps = Pick<Props, 'run' | 'caller' | 'close'> & {
  graph: Tagged<Graph>
  plan: CallResult<'planPromote'>
  /** Whether the plan is for an earlier state of the run or of the graph, until the new plan is read. */
  isOld: boolean
  /** Reads the graph again. */
  readAgain: () => Promise<void>
  /** Called when the run is promoted, with what to tell the user. */
  done: (told: string) => void
}

function Planned({ run, caller, close, graph: { data, etag }, plan, isOld, readAgain, done }: PlannedProps) {
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const diff = differences(data.definition, plan.definition)
  const refusal = promoteRefusal(run, caller, data)
  const promote = async () => {
    setIsBusy(true)
    setError(null)
    try {
      const headers = ifMatch(etag)
      const { message } = await callTagged('promoteRun', { params: { run_id: run.id }, headers })
      done(message ?? `“${data.name}” is as this run has it now.`)
      for (const key of ['graph', 'graphs', 'graph-history', 'run']) void client.invalidateQueries({ queryKey: [key] })
    } catch (problem) {
      setError(problem)
      // Somebody has changed the graph while the dialog was open. So it is loaded again, and the list shows the new differences.
      if (hasCode(problem, 'precondition_failed')) await readAgain()
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <p className="hint">
        The graph gets the definition and layout of this run; its history keeps what is there now. Other runs stay as
        they are. This would change:
      </p>
      {plan.graph_changed ? (
        <p className="notice" data-tone="warn">
          The graph has changed since this run was made of it: what was done there meanwhile is in the list too, and
          would be undone. Its history keeps it.
        </p>
      ) : null}
      <div className="promote-diff">
        <DiffList diff={diff} same="Nothing: the graph is as this run has it." />
      </div>
      {refusal === null ? null : (
        <p className="notice" data-tone="warn">
          {refusal}
        </p>
      )}
      {error === null ? null : (
        <p className="notice" data-tone="danger" role="alert">
          {hasCode(error, 'precondition_failed')
            ? 'The graph was changed while you looked. The list shows what it would change now; promote again if you still want to.'
            : wordsOf(error)}
        </p>
      )}
      <div className="dialog-foot">
        <Button size="sm" variant="default" onClick={close}>
          Not now
        </Button>
        <Button
          size="sm"
          data-autofocus
          loading={isBusy}
          disabled={refusal !== null || isSame(diff) || isOld}
          onClick={() => void promote()}
        >
          Promote
        </Button>
      </div>
    </>
  )
}

type PromotedProps = Pick<Props, 'graphId' | 'close'> & { told: string }

const Promoted = ({ told, graphId, close }: PromotedProps) => (
  <div role="status">
    <p className="notice" data-tone="ok">
      {told}
    </p>
    <div className="dialog-foot">
      <Button size="sm" variant="default" onClick={close}>
        Back to the run
      </Button>
      <Button
        size="sm"
        renderRoot={(props) => <Link to="/graphs/$graph_id" params={{ graph_id: graphId }} {...props} />}
      >
        Open the graph
      </Button>
    </div>
  </div>
)

function promoteRefusal(run: Run, caller: Caller, { owner_id, name, deleted_at }: Graph): string | null {
  if (!caller.scopes.includes('graphs:write')) return 'You may look at graphs, and not change them.'
  if (owner_id !== caller.user?.id) return `Only the owner of “${name}” promotes to it. You can fork the graph instead.`
  if (deleted_at !== null) return 'The graph is deleted. Restore it first.'
  return refusalWords(runRefuses.promote(run))
}
