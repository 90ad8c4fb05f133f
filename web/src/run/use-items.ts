// In charge of the items of one node while it is looked at: all of them once, then only those that changed.
import { busy } from '@atelier/contract/run-rules.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { useLive } from '../lib/live.ts'
import type { ItemState, Run } from './queries.ts'

export type Items = ReadonlyMap<number, ItemState>
type Held = { generation: number; since: number; items: Items }

/** By index. What the run itself says is there at once; while it is at work, what changed is asked for. */
export function useItems(run: Run, node: string): Items {
  const fromRun = useMemo(() => itemsOf(run.nodes[node]?.items ?? {}), [run.nodes, node])
  const [changed, setChanged] = useState<Held | null>(null)
  const held = useRef<Held | null>(null)
  const isLive = busy(run.status) && fromRun.size > 0
  const ask = async () => {
    const before = held.current?.generation === run.generation ? held.current : null
    const answer = await call('getRunNode', {
      params: { run_id: run.id, node },
      query: before ? { since: before.since } : {},
    })
    const isSame = before !== null && answer.generation === before.generation
    const items = isSame ? new Map(before.items) : new Map<number, ItemState>()
    for (const [index, item] of Object.entries(answer.node.items)) items.set(Number(index), item)
    held.current = { generation: answer.generation, since: answer.since, items }
    setChanged(held.current)
  }
  useLive(isLive, ask, { kind: 'run', id: run.id })
  // At rest the run says everything, and what was gathered is no newer than it.
  useEffect(() => {
    if (isLive) return
    held.current = null
    setChanged(null)
  }, [isLive])
  return isLive && changed && changed.generation === run.generation ? changed.items : fromRun
}

const itemsOf = (items: Readonly<Record<string, ItemState>>): Items =>
  new Map(Object.entries(items).map(([index, item]) => [Number(index), item]))
