// In charge of the list of model providers, of those among them that this deployment can use, and of deciding to which provider a
// model belongs.
import { currencyOf, type ModelChoice, type ModelKind, modelKinds } from '@atelier/contract/graph/model-catalogue.ts'
import type { Dispatcher } from 'undici'
import { OperatorError } from '../../platform/operator-error.ts'
import type { ModelSettings } from '../node-options.ts'
import { type CallCost, type Cost, NodeFailure } from '../node-type.ts'
import type { Connection } from './exchange.ts'
import type { ProviderModels, Usage } from './models.ts'
import { costOf, priceRange, type Units } from './prices.ts'
import type { Provider } from './provider.ts'
import { anthropic } from './providers/anthropic.ts'
import { blackForestLabs } from './providers/black-forest-labs.ts'
import { comfyUi } from './providers/comfyui.ts'
import { fal } from './providers/fal.ts'
import { google } from './providers/google.ts'
import { openAi } from './providers/openai.ts'
import { openAiCompatible } from './providers/openai-compatible.ts'
import { replicate } from './providers/replicate.ts'

/** All providers that the product supports; a new one is added here, and its name to `platform/provider-names.ts`. */
export const providers: readonly Provider[] = [
  ...[openAi, google, anthropic, fal, replicate, blackForestLabs, openAiCompatible, comfyUi],
]

/** How nodes use models. `named`: the model that a node names, as `provider:model` or `model`; empty: the operator's default. */
export type Models = {
  /** The reason why nodes that call models of this kind cannot run here; null if they can. */
  unavailable(kind: ModelKind): string | null
  /**
   * Provider and model, as they appear in cache keys and in the names of limits; null if this deployment does not have the
   * provider. Contains no credentials.
   */
  keyOf(kind: ModelKind, named: string): string | null
  /** The models of this kind that users can choose here, with the known facts about each, and the default model. */
  choiceOf(kind: ModelKind): ModelChoice
  /** What a call may cost in money. */
  cost(kind: ModelKind, named: string, units: Units): CallCost
  /** What a call has cost in money; null if that is not known. */
  costOf(kind: ModelKind, named: string, units: Units, usage: Usage | null): Cost | null
  /**
   * The function that calls a model, and the model's name at its provider. Throws if this deployment does not have the provider, or
   * if the provider has no models of this kind.
   */
  find<K extends ModelKind>(kind: K, named: string): { ask: NonNullable<ProviderModels[K]>; model: string }
}

type Agents = { trusted: Dispatcher; guarded: Dispatcher }
type Connected = { provider: Provider; connection: Connection; models: ProviderModels }

/**
 * Provider name → address and key, for each provider that this deployment has. A key in the settings takes precedence over a key
 * that an admin set in the app.
 */
function connectionsOf(settings: ModelSettings): ModelSettings['connections'] {
  const keys = settings.appKeys?.() ?? new Map<string, string>()
  const names = new Set([...settings.connections.keys(), ...keys.keys()])
  return new Map(
    [...names].map((name) => {
      const own = settings.connections.get(name)
      return [name, { url: own?.url ?? null, key: own?.key ?? keys.get(name) ?? null }]
    }),
  )
}

/** Caches the result of `make` until `of` returns a different object. */
function keptBy<Of, T>(of: () => Of, make: () => T): () => T {
  let kept: { of: Of; made: T } | null = null
  return () => {
    const now = of()
    if (kept === null || kept.of !== now) kept = { of: now, made: make() }
    return kept.made
  }
}

export function createModels(settings: ModelSettings | null, agents: Agents, known = providers): Models {
  const connect = (): Map<string, Connected> => {
    const connected = new Map<string, Connected>()
    for (const [name, { url, key }] of settings ? connectionsOf(settings) : []) {
      const provider = providerNamed(name, known)
      const connection = connectionOf(provider, url, key, { ...agents, pollMs: settings?.pollMs ?? 1000 })
      connected.set(name, { provider, connection, models: provider.models(connection) })
    }
    return connected
  }
  const connected = keptBy(() => settings?.appKeys?.() ?? null, connect)
  // Creates the connections now, although no model is called yet, so that wrong settings are reported at once. Nothing is sent.
  connected()
  const defaults: Partial<Record<ModelKind, string>> = {
    image: settings?.imageModel ?? '',
    edit: settings?.imageModel ?? '',
    chat: settings?.chatModel ?? '',
  }
  /**
   * Whether the facts in the catalogue apply to a model. Its provider must be set up, and at its usual address: at another address,
   * the same name may mean another model. A catalogue that the operator wrote applies at any address.
   */
  const isUsual = (id: string): boolean => {
    const { provider } = splitName(id, known)
    const own = connected().get(provider)
    return own !== undefined && (settings?.isOwnList === true || own.connection.url === own.provider.url)
  }
  const resolve = (kind: ModelKind, named: string) => {
    const { provider, model } = splitName(named || (defaults[kind] ?? ''), known)
    return { provider, model, own: connected().get(provider) }
  }
  const currency = currencyOf(settings?.catalogue ?? [])
  const priceOf = (kind: ModelKind, named: string) => {
    const { provider, model } = resolve(kind, named)
    const id = `${provider}:${model}`
    const price = (settings?.catalogue ?? []).find((one) => one.id === id && isUsual(one.id))?.price ?? null
    return { id, price }
  }
  return {
    cost: (kind, named, units) => {
      const { id: model, price } = priceOf(kind, named)
      const range = price === null ? { least: 0, most: null } : priceRange(price, units)
      return { model, currency, ...range, isKnown: price !== null }
    },
    costOf: (kind, named, units, usage) => costOf(priceOf(kind, named).price, units, usage, currency),
    unavailable: (kind) => {
      if ([...connected().values()].some(({ models }) => models[kind])) return null
      if (kind === 'workflow')
        return 'There is no ComfyUI here: an operator says where one is, by ATELIER_PROVIDER_URLS=comfyui=http://….'
      return kind === 'image' || kind === 'chat'
        ? 'No provider is set: an admin gives a key under Providers, or an operator sets OPENAI_API_KEY, OPENAI_BASE_URL for a compatible service, or ATELIER_PROVIDER_KEYS for others.'
        : `No provider of models for this (${kind}) is set: an admin gives a key under Providers, or an operator sets ATELIER_PROVIDER_KEYS.`
    },
    keyOf: (kind, named) => {
      const { model, own } = resolve(kind, named)
      if (!own) return null
      const { host, pathname } = new URL(own.connection.url)
      return `${host}${pathname}:${model}`
    },
    choiceOf: (kind) => ({
      models: (settings?.catalogue ?? []).filter(({ id, kinds }) => kinds.includes(kind) && isUsual(id)),
      default: defaults[kind] || null,
    }),
    find: (kind, named) => {
      const { provider, model, own } = resolve(kind, named)
      if (model === '') throw new NodeFailure('No model is named. Choose one in “Model”.')
      const title = known.find(({ name }) => name === provider)?.title ?? provider
      if (!own) {
        const { url = '' } = known.find(({ name }) => name === provider) ?? {}
        if (url === null)
          throw new NodeFailure(`${title} is not set up here: ${addressSetting({ name: provider, title })}.`)
        const where = settingOf(provider)
        throw new NodeFailure(
          `${title} is not set up here, which “${provider}:${model}” is asked of: an admin gives its key under Providers, or an operator sets ${where}.`,
        )
      }
      const ask = own.models[kind]
      if (!ask) throw new NodeFailure(`${title} has no models for this (${kind}). Choose another in “Model”.`)
      return { ask, model }
    },
  }
}

/** The kinds of models that a provider has, whether or not the provider is set up here. */
export const kindsOf = (provider: Provider, agent: Dispatcher): ModelKind[] => {
  const nowhere = { url: 'http://localhost', key: null, keySetting: '', trusted: agent, guarded: agent, pollMs: 1000 }
  const made = provider.models({ ...nowhere, name: provider.name, title: provider.title })
  return modelKinds.filter((kind) => made[kind] !== undefined)
}

function providerNamed(name: string, known: readonly Provider[] = providers): Provider {
  const provider = known.find((one) => one.name === name)
  const list = known.map((one) => one.name).join(', ')
  if (!provider) throw new OperatorError(`There is no provider of models called “${name}”; there are ${list}.`)
  return provider
}

const settingOf = (name: string): string => (name === 'openai' ? 'OPENAI_API_KEY' : `ATELIER_PROVIDER_KEYS=${name}=…`)

const addressSetting = ({ name, title }: Pick<Provider, 'name' | 'title'>): string =>
  `ATELIER_PROVIDER_URLS must say where ${title} is, as ${name}=https://…`

function connectionOf(
  { name, title, url: usual, fixed = [] }: Provider,
  own: string | null,
  key: string | null,
  rest: Agents & { pollMs: number },
): Connection {
  const url = own ?? usual
  if (url === null) throw new OperatorError(`${addressSetting({ name, title })}.`)
  return { name, title, url, key, keySetting: settingOf(name), ...rest, ...(own === null ? {} : { fixed }) }
}

/** Splits `google:gemini-3` into provider and model. A name without a known provider, such as `llama3:8b`, belongs to OpenAI. */
export function splitName(named: string, known: readonly Pick<Provider, 'name'>[] = providers) {
  const [, prefix, rest] = /^([a-z]+):(.*)$/s.exec(named) ?? []
  const isKnown = known.some(({ name }) => name === prefix)
  return isKnown ? { provider: prefix ?? '', model: rest ?? '' } : { provider: 'openai', model: named }
}
