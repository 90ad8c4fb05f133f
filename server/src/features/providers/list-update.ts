// In charge of what a provider's own list of models says about ours: what is new there, what is not on it, and our list with
// that put in. Prices and ends are kept as they are, and none is made up. Pure.
import { type CatalogueModel, endOf, type ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import type { ListedModel } from '../../nodes/outside/model-lists.ts'

/** `isElsewhere`: at an address of the operator's, about whose models the list that comes with the product says nothing. */
export type Answered = { provider: string; isElsewhere: boolean; listed: readonly ListedModel[] }

export type Difference = {
  added: CatalogueModel[]
  /** Of ours, and not on its list, although no end of it is known. */
  missing: string[]
  /** On its list, although it has ended by ours. */
  lingering: string[]
  /** On its list, which does not say what they make, or by names that nodes cannot have. */
  unsure: string[]
}

type Choice = {
  /** What is taken for the kinds of models whose list does not say; empty: they are left out. */
  fallback: readonly ModelKind[]
  /** What the provider can be asked for. */
  kinds: readonly ModelKind[]
  today: string
}

export function differenceOf(
  ours: readonly CatalogueModel[],
  { provider, isElsewhere, listed }: Answered,
  { fallback, kinds: known, today }: Choice,
): Difference {
  const own = isElsewhere ? [] : ours.filter(({ id }) => id.startsWith(`${provider}:`))
  const ids = new Set(own.map(({ id }) => id))
  const there = new Set(listed.map(({ id }) => `${provider}:${id}`))
  const difference: Difference = { added: [], missing: [], lingering: [], unsure: [] }
  for (const { id: name, kinds: said } of listed) {
    const id = `${provider}:${name}`
    if (ids.has(id)) continue
    const kinds = (said ?? fallback).filter((kind) => known.includes(kind))
    if (!/^\S{1,100}$/.test(name) || (said === null && kinds.length === 0)) difference.unsure.push(id)
    else if (kinds.length > 0) difference.added.push({ id, kinds, price: null })
  }
  for (const model of own) {
    const isOver = endOf(model, today) === 'over'
    if (isOver && there.has(model.id)) difference.lingering.push(model.id)
    if (!isOver && !there.has(model.id)) difference.missing.push(model.id)
  }
  return difference
}

/** Our list with what is new behind it. What is said of models at the usual address of a provider is not true at another. */
export function updated(
  ours: readonly CatalogueModel[],
  answers: readonly (Answered & { difference: Difference })[],
): CatalogueModel[] {
  const elsewhere = answers.filter(({ isElsewhere }) => isElsewhere).map(({ provider }) => `${provider}:`)
  const kept = ours.filter(({ id }) => !elsewhere.some((prefix) => id.startsWith(prefix)))
  return [...kept, ...answers.flatMap(({ difference }) => difference.added)]
}
