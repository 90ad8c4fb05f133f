// In charge of the head of each of two runs that are compared: which of them is older, of which graph and task it is, and when it began.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RunMark } from '../canvas/status-mark.tsx'
import { graphQuery } from '../graph/queries.ts'
import { agoWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import type { Age } from './compare-choices.ts'
import type { Run } from './queries.ts'
import { useRunChoices } from './use-run-choices.ts'

export function CompareHead({ run, age }: { run: Run; age: Age }) {
  const now = useNow()
  const [choice] = useRunChoices([run])
  const graph = useQuery({ ...graphQuery(run.graph_id ?? ''), enabled: run.graph_id !== null, staleTime: 30_000 })
  const name = graph.data?.data.name ?? (run.graph_id === null || graph.error ? 'A graph that is gone' : 'Run')
  return (
    <div className="compare-head">
      <div className="compare-which">
        <span className="mark">{age === 'older' ? 'Older run' : 'Newer run'}</span>
        <Anchor renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.id }} search={{}} {...props} />}>
          {name}, {agoWords(run.created_at, now)}
        </Anchor>
        <RunMark status={run.status} />
      </div>
      <span className="hint">{choice ? `${choice.title} · ${choice.facts}` : ''}</span>
    </div>
  )
}
