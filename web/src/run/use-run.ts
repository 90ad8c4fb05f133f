// In charge of a run on the screen: loading it, updating it live while it is working, and data derived from it.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { busy } from '@atelier/contract/graph/run-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useLive } from '../lib/live.ts'
import { type Run, runQuery } from './queries.ts'

/** `id`: null to load no run. */
export function useRun(id: string | null) {
  const run = useQuery({ ...runQuery(id ?? ''), enabled: id !== null })
  const data = run.data?.data
  useLive(id !== null && data !== undefined && busy(data.status), () => run.refetch(), { kind: 'run', id: id ?? '' })
  return run
}

/** The definition as a stable object: a new object is returned only if the content changed. */
export function useDefinition({ definition: raw }: Run): {
  raw: Run['definition']
  definition: Definition
  order: string[]
} {
  const kept = useRef<{ text: string; raw: Run['definition'] } | null>(null)
  const text = useMemo(() => JSON.stringify(raw), [raw])
  if (kept.current?.text !== text) kept.current = { text, raw }
  const same = kept.current.raw
  return useMemo(() => {
    const definition = readDefinition(same)
    return { raw: same, definition, order: topologicalOrder(definition) }
  }, [same])
}
