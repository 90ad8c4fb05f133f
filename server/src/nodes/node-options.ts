// In charge of what node types need from outside their folder: settings, and readers of what the product keeps.
import type { CatalogueModel } from '@atelier/contract/graph/model-catalogue.ts'
import type { LabelRule } from '@atelier/contract/label-rules.ts'
import type { Config } from '../platform/config.ts'

/** Which providers of models there are here, and what is asked of them where a node names nothing. */
export type ModelSettings = {
  /** By their names; `url` is null for the usual address, `key` for a service that wants none. */
  connections: ReadonlyMap<string, { url: string | null; key: string | null }>
  /** Keys that admins have given in the app, by provider: another map after each change. The settings' own keys go before. */
  appKeys?: () => ReadonlyMap<string, string>
  chatModel: string
  imageModel: string
  /** What is known of models. */
  catalogue: readonly CatalogueModel[]
  /** Whether that list is the operator's own, and holds for providers at other addresses too. */
  isOwnList?: boolean
  /** Milliseconds between two looks at a job; shortened by tests. */
  pollMs?: number
}

export type NodeOptions = {
  /** Null: types that ask a model are not available. */
  models: ModelSettings | null
  /** Millionths of the currency for one credit; absent or null: calls cost what their types say. */
  creditPrice?: number | null
  /** By which markets demand a visible label. */
  labelRules: readonly LabelRule[]
  /** Hosts a node may reach although their address is private, as `name` or `name:port`. */
  allowedHosts: readonly string[]
  /** The record of a live task as the wire has it; null where there is none. */
  readTask(taskId: string): Promise<Record<string, unknown> | null>
  /** What each name resolved to, in the order asked, as the creative lookup answers. */
  lookUp(names: readonly string[]): Promise<{ query: string; creatives: Record<string, unknown>[] }[]>
}

type ModelConfig = Pick<
  Config,
  'openaiBaseUrl' | 'openaiApiKey' | 'providerKeys' | 'providerUrls' | 'models' | 'chatModel' | 'imageModel'
>

/** The providers of models that the settings name, and what is known of models. */
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
