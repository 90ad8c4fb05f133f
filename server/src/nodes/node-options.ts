// In charge of what node types need from outside their folder: settings, and functions that read data of the product.
import type { CatalogueModel } from '@atelier/contract/graph/model-catalogue.ts'
import type { LabelRule } from '@atelier/contract/label-rules.ts'
import type { Config } from '../platform/config.ts'

/** Which model providers this deployment has, and which models nodes use where they name none. */
export type ModelSettings = {
  /**
   * Connections by provider name. A null `url` means the provider's usual address; a null `key` means that the settings have no
   * key.
   */
  connections: ReadonlyMap<string, { url: string | null; key: string | null }>
  /** The keys that admins set in the app, by provider name; a new map after each change. A key in the settings takes precedence. */
  appKeys?: () => ReadonlyMap<string, string>
  chatModel: string
  imageModel: string
  /** The list of known models. */
  catalogue: readonly CatalogueModel[]
  /** Whether the operator wrote the catalogue. The catalogue then also applies to providers that are not at their usual address. */
  isOwnList?: boolean
  /** Milliseconds between two requests for the state of a job at a provider; tests use a shorter time. */
  pollMs?: number
}

export type NodeOptions = {
  /** Null: node types that call a model are unavailable. */
  models: ModelSettings | null
  /** Millionths of the currency for one credit. Absent or null: a call costs the credits that its type declares. */
  creditPrice?: number | null
  /** The rules for when a market demands a visible label. */
  labelRules: readonly LabelRule[]
  /** Hosts that a node may reach although their address is private, as `name` or `name:port`. */
  allowedHosts: readonly string[]
  /** A task's record in the format of the API; null if there is no such task or it was deleted. */
  readTask(taskId: string): Promise<Record<string, unknown> | null>
  /** The creatives found for each name, in the order of the names and in the format of the creative lookup. */
  lookUp(names: readonly string[]): Promise<{ query: string; creatives: Record<string, unknown>[] }[]>
}

type ModelConfig = Pick<
  Config,
  'openaiBaseUrl' | 'openaiApiKey' | 'providerKeys' | 'providerUrls' | 'models' | 'chatModel' | 'imageModel'
>

/** The model providers that the settings name, and the list of known models. */
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
