// In charge of showing the planned cost of a start before the user starts the run.
import type { RunStart } from '@atelier/contract/runs.ts'
import { useQuery } from '@tanstack/react-query'
import { planWords } from '../canvas/words.ts'
import { planQuery, type Run } from './queries.ts'

type Props = { run: Run; body: RunStart; enabled?: boolean }

export function useCost({ run, body, enabled = true }: Props): string | null {
  const plan = useQuery({ ...planQuery(run, body), enabled })
  if (plan.data) return planWords(plan.data)
  return null
}

export function Cost(props: Props) {
  const cost = useCost(props)
  return <span className="hint">{cost ?? '…'}</span>
}
