// In charge of fetching the list of models from a provider, page by page. These requests cost nothing.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import type { Dispatcher } from 'undici'
import { NodeFailure } from '../node-type.ts'
import type { Provider } from './provider.ts'
import { messageOf, parse } from './refusal.ts'
import { plainText, send } from './send.ts'

/** A model in its provider's list. `kinds`: empty if nodes cannot use the model; null if the list does not say its kinds. */
export type ListedModel = { id: string; kinds: readonly ModelKind[] | null }

/**
 * How to read a provider's list: `page` returns the request for one page, and `read` finds the models on that page. `after` is the
 * cursor of a page: in `page`, of the page to request, null for the first; in the result of `read`, of the next page, null if none.
 */
export type ModelList = {
  page(url: string, key: string | null, after: string | null): { url: string; headers: Record<string, string> }
  read(body: unknown): { models: ListedModel[]; after: string | null }
}

/** The maximum size of a page in bytes, and the maximum number of pages. */
const limit = 5_000_000
const mostPages = 50
const patienceMs = 30_000

/** Fetches the whole list, without duplicates. Throws a `NodeFailure` if any page cannot be fetched. */
export async function readModelList(
  { title }: Pick<Provider, 'title'>,
  list: ModelList,
  { url, key }: { url: string; key: string | null },
  agent: Dispatcher,
): Promise<ListedModel[]> {
  const who = `${title} (${new URL(url).host})`
  const found = new Map<string, ListedModel>()
  let after: string | null = null
  for (let page = 1; page <= mostPages; page++) {
    const order = { ...list.page(url, key, after), agent, limit, who, hasEffect: false }
    const { status, body } = await send({ ...order, signal: AbortSignal.timeout(patienceMs) })
    if (status !== 200) throw new NodeFailure(`${who} answered ${status}. ${messageOf(body, key)}`.trim())
    const said = parse(body)
    if (!isPlainObject(said)) throw new NodeFailure(`${who} answered with what is no list of models.`)
    const { models, after: next } = list.read(said)
    for (const model of models) found.set(model.id, model)
    if (next === null || next === after) return [...found.values()]
    after = next
  }
  throw new NodeFailure(`${who} has more than ${mostPages} pages of models, which are not read.`)
}

/** In a list of objects, the values of `member` that are texts and not empty; [] if `list` is no list. */
export const namesIn = (list: unknown, member: string): string[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const name = isPlainObject(one) ? one[member] : undefined
    return typeof name === 'string' && name !== '' ? [plainText(name, 200)] : []
  })

/** How to read the list of a service with OpenAI's API. It has only the models' ids, on one page; `kindsOf` finds the kinds. */
export const openAiList = (kindsOf: (id: string) => readonly ModelKind[] | null): ModelList => ({
  page: (url, key) => ({ url: `${url}/models`, headers: key === null ? {} : { authorization: `Bearer ${key}` } }),
  read: (body) => ({
    models: namesIn(Object(body).data, 'id').map((id) => ({ id, kinds: kindsOf(id) })),
    after: null,
  }),
})
