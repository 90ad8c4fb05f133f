// In charge of the dialog that promotes a run: it lists what the promotion would change in the graph, and warns if the graph itself
// has changed since the run was made of it. The service plans both, as it will promote.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { differences, isSame } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { refusalWords } from '../canvas/words.ts'
import { graphQuery } from '../graph/queries.ts'
import { callTagged } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import type { Caller } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { promotePlanQuery, type Run } from './queries.ts'

type Props = { run: Run; graphId: string; caller: Caller; close: () => void }

export function PromoteDialog({ run, graphId, caller, close }: Props) {
  const client = useQueryClient()
  const graph = useQuery({ ...graphQuery(graphId), refetchOnMount: 'always' })
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [told, setTold] = useState<string | null>(null)
  const tag = graph.data?.etag ?? null
  const plan = useQuery({ ...promotePlanQuery(run, tag), enabled: graph.data !== undefined })
  if (!graph.data || !plan.data) {
    const problem = graph.error ?? plan.error
    return (
      <Dialog onClose={close} title="Promote to the graph" closeButtonProps={{ 'aria-label': 'Close' }}>
        {problem ? <Failed error={problem} /> : <Loading what="the graph" />}
      </Dialog>
    )
  }
  const { data, etag } = graph.data
  const diff = differences(data.definition, plan.data.definition)
  const refusal = promoteRefusal(run, data.owner_id === caller.user?.id, data.deleted_at !== null, data.name)
  const promote = async () => {
    setIsBusy(true)
    setError(null)
    try {
      const headers = etag === null ? {} : { 'if-match': etag }
      const { message } = await callTagged('promoteRun', { params: { run_id: run.id }, headers })
      setTold(message ?? `“${data.name}” is as this run has it now.`)
      for (const key of ['graph', 'graphs', 'graph-history', 'run']) void client.invalidateQueries({ queryKey: [key] })
    } catch (problem) {
      setError(problem)
      // Somebody has changed the graph while the dialog was open. So it is loaded again, and the list shows the new differences.
      if (hasCode(problem, 'precondition_failed')) await graph.refetch()
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Dialog onClose={close} size="lg" title={`Promote to “${data.name}”`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {told === null ? (
        <>
          <p className="hint">
            The graph gets the definition and layout of this run; its history keeps what is there now. Other runs stay
            as they are. This would change:
          </p>
          {plan.data.graph_changed ? (
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
              disabled={refusal !== null || isSame(diff)}
              onClick={() => void promote()}
            >
              Promote
            </Button>
          </div>
        </>
      ) : (
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
      )}
    </Dialog>
  )
}

function promoteRefusal(run: Run, isOwn: boolean, isDeleted: boolean, name: string): string | null {
  if (!isOwn) return `Only the owner of “${name}” promotes to it. You can fork the graph instead.`
  if (isDeleted) return 'The graph is deleted. Restore it first.'
  return refusalWords(runRefuses.promote(run))
}
