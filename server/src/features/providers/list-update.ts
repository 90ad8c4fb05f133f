// In charge of comparing a provider's list of models with our list (the model catalogue): finding new and missing models, and
// adding the new ones. The prices and end dates in our list are kept; a new model is added without them. Pure.
import { type CatalogueModel, endOf, type ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import type { ListedModel } from '../../nodes/outside/model-lists.ts'

/**
 * A provider's list. `isElsewhere`: the operator has set another address for the provider; so our list does not describe the models
 * there.
 */
export type Answered = { provider: string; isElsewhere: boolean; listed: readonly ListedModel[] }

export type Difference = {
  added: CatalogueModel[]
  /** Models in our list that have not been withdrawn, but that the provider's list does not contain. */
  missing: string[]
  /** Models that the provider still lists, although they have been withdrawn according to our list. */
  lingering: string[]
  /** Models that the provider lists, but that are not added because their kind is unknown or a node cannot use their name. */
  unsure: string[]
}

type Choice = {
  /** The kinds to assume for models that the provider lists without a kind. If this is empty, such models are not added. */
  fallback: readonly ModelKind[]
  /** The kinds of models that Atelier can use at this provider. */
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
 * Returns our list with the new models at the end. If a provider is at another address, our models of this provider are left out,
 * since they describe the models at its usual address.
 */
export function updated(
  ours: readonly CatalogueModel[],
  answers: readonly (Answered & { difference: Difference })[],
): CatalogueModel[] {
  const elsewhere = answers.filter(({ isElsewhere }) => isElsewhere).map(({ provider }) => `${provider}:`)
  const kept = ours.filter(({ id }) => !elsewhere.some((prefix) => id.startsWith(prefix)))
  return [...kept, ...answers.flatMap(({ difference }) => difference.added)]
}
