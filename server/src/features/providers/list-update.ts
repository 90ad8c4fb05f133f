// In charge of comparing a provider's list of models with ours: which models are new, which are missing, and our list extended by
// the new ones. Known prices and end dates are kept, and none are assumed. Pure.
import { type CatalogueModel, endOf, type ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import type { ListedModel } from '../../nodes/outside/model-lists.ts'

/** `isElsewhere`: the operator set another address for the provider, so our list does not apply to the models there. */
export type Answered = { provider: string; isElsewhere: boolean; listed: readonly ListedModel[] }

export type Difference = {
  added: CatalogueModel[]
  /** Models of our list that have not ended, but are missing from the provider's list. */
  missing: string[]
  /** Models that the provider still lists, although they have ended according to our list. */
  lingering: string[]
  /** Models in the provider's list whose kind is unknown, or whose names are not valid in nodes. */
  unsure: string[]
}

type Choice = {
  /** The kinds assumed for models whose list states no kind; if empty, such models are left out. */
  fallback: readonly ModelKind[]
  /** The kinds of models that this product can use at the provider. */
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

/**
 * Our list without the models of providers at another address, followed by the new models: what is known about a model at a
 * provider's usual address is not assumed for another address.
 */
export function updated(
  ours: readonly CatalogueModel[],
  answers: readonly (Answered & { difference: Difference })[],
): CatalogueModel[] {
  const elsewhere = answers.filter(({ isElsewhere }) => isElsewhere).map(({ provider }) => `${provider}:`)
  const kept = ours.filter(({ id }) => !elsewhere.some((prefix) => id.startsWith(prefix)))
  return [...kept, ...answers.flatMap(({ difference }) => difference.added)]
}
