// In charge of providing the items of a node in a run as a map: its keys are the indices of the items, in ascending order.
import { useMemo } from 'react'
import type { ItemState, Run } from './queries.ts'

export type Items = ReadonlyMap<number, ItemState>

export function useItems({ nodes }: Run, node: string): Items {
  const items = nodes[node]?.items
  return useMemo(() => new Map(Object.entries(items ?? {}).map(([index, item]) => [Number(index), item])), [items])
}
