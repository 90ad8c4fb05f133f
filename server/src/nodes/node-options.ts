// In charge of what node types need from outside their folder: settings, and functions that read data of the product.
import type { CatalogueModel } from '@atelier/contract/graph/model-catalogue.ts'
import type { LabelRule } from '@atelier/contract/label-rules.ts'
import type { Config } from '../platform/config.ts'

/** Which model providers this deployment has, and which model a node uses if the node names none. */
export type ModelSettings = {
  /**
   * Provider name → its address and key. `url`: null for the provider's usual address. `key`: null if the settings have no key for
   * the provider.
   */
  connections: ReadonlyMap<string, { url: string | null; key: string | null }>
  /** Returns the keys that admins set in the app, by provider name; a new map after a change. Keys in the settings win. */
  appKeys?: () => ReadonlyMap<string, string>
  chatModel: string
  imageModel: string
  /** The list of known models. */
  catalogue: readonly CatalogueModel[]
  /** Whether the operator wrote the catalogue. If so, it also applies to a provider whose usual address the settings replace. */
  isOwnList?: boolean
  /** Milliseconds between two requests for the state of a job at a provider; if absent, 1000. Tests use less. */
  pollMs?: number
}

export type NodeOptions = {
  /** Null: node types that call a model are unavailable. */
  models: ModelSettings | null
  /**
   * The price of one credit, in millionths of the currency: the credits of a call are then computed from the money that it costs.
   * If that is unknown, or if there is no price (absent or null), a call costs the credits that its type declares.
   */
  creditPrice?: number | null
  /** The rules by which markets demand a visible label on ads that a model made. */
  labelRules: readonly LabelRule[]
  /** Hosts that nodes may reach although the address of the host is private, as `name` or `name:port`. */
  allowedHosts: readonly string[]
  /** A task's record in the format of the API; null if there is no such task or it was deleted. */
  readTask(taskId: string): Promise<Record<string, unknown> | null>
  /** For each name, in the same order: the name as `query`, and the creatives found for it, in the format of the API. */
  lookUp(names: readonly string[]): Promise<{ query: string; creatives: Record<string, unknown>[] }[]>
}

type ModelConfig = Pick<
  Config,
  'openaiBaseUrl' | 'openaiApiKey' | 'providerKeys' | 'providerUrls' | 'models' | 'chatModel' | 'imageModel'
>

/** The part of the settings that concerns models: the providers that they name, the default models, and the known models. */
export function modelSettingsOf(config: ModelConfig): ModelSettings {
  const { openaiBaseUrl, openaiApiKey, providerKeys, providerUrls, models, chatModel, imageModel } = config
  const names = new Set([...providerKeys.keys(), ...providerUrls.keys()])
  const connections = new Map(
    [...names].map((name) => [name, { url: providerUrls.get(name) ?? null, key: providerKeys.get(name) ?? null }]),
  )
  if (openaiBaseUrl !== null || openaiApiKey !== null)
    connections.set('openai', { url: openaiBaseUrl, key: openaiApiKey })
  const { list: catalogue, isOwn: isOwnList } = models
  return { connections, chatModel, imageModel, catalogue, isOwnList }
}
