// In charge of loading a run for a page, keeping the run up to date while it is working, and reading its definition.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { busy } from '@atelier/contract/graph/run-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { hasCode } from '../lib/errors.ts'
import { useLive } from '../lib/live.ts'
import { type Run, runQuery } from './queries.ts'

/** If `id` is null, no run is loaded. */
export function useRun(id: string | null) {
  const run = useQuery({ ...runQuery(id ?? ''), enabled: id !== null })
  const data = run.data?.data
  const isWorking = data !== undefined && busy(data.status) && !isGone(run.error)
  useLive(id !== null && isWorking, () => run.refetch(), { kind: 'run', id: id ?? '' })
  return run
}

/** Whether a read of the run has failed because the run is deleted for good, so that there is nothing to ask for any more. */
export const isGone = (error: unknown): boolean => hasCode(error, 'not_found')

/**
 * Returns the definition of a run: as it was saved (`raw`), parsed, and its node ids in graph order. The returned objects stay the
 * same as long as the content of the definition does not change.
 */
export function useDefinition({ definition: raw }: Run): {
  definition: Definition
  order: string[]
} {
  const kept = useRef<{ text: string; raw: Run['definition'] } | null>(null)
  const text = useMemo(() => JSON.stringify(raw), [raw])
  if (kept.current?.text !== text) kept.current = { text, raw }
  const same = kept.current.raw
  return useMemo(() => {
    const definition = readDefinition(same)
    return { definition, order: topologicalOrder(definition) }
  }, [same])
}
