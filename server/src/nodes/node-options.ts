// In charge of what node types need from outside their folder: settings, and readers of what the product keeps.

import type { LabelRule } from '@atelier/contract/label-rules.ts'
import type { Config } from '../platform/config.ts'

/** An OpenAI-compatible service, and what is asked of it where a node names nothing. */
export type ProviderSettings = {
  /** Such as `https://api.openai.com/v1`; trusted, because the operator set it. */
  baseUrl: string
  /** Null for a service that wants none. */
  apiKey: string | null
  chatModel: string
  imageModel: string
}

export type NodeOptions = {
  /** Null: types that ask it are not available. */
  provider: ProviderSettings | null
  /** By which markets demand a visible label. */
  labelRules: readonly LabelRule[]
  /** Hosts a node may reach although their address is private, as `name` or `name:port`. */
  allowedHosts: readonly string[]
  /** The record of a live task as the wire has it; null where there is none. */
  readTask(taskId: string): Promise<Record<string, unknown> | null>
  /** What each name resolved to, in the order asked, as the creative lookup answers. */
  lookUp(names: readonly string[]): Promise<{ query: string; creatives: Record<string, unknown>[] }[]>
}

/** The provider that the settings name; null where they name none. */
export function providerOf(
  config: Pick<Config, 'openaiBaseUrl' | 'openaiApiKey' | 'chatModel' | 'imageModel'>,
): ProviderSettings | null {
  const { openaiBaseUrl, openaiApiKey, chatModel, imageModel } = config
  if (openaiBaseUrl === null && openaiApiKey === null) return null
  return { baseUrl: openaiBaseUrl ?? 'https://api.openai.com/v1', apiKey: openaiApiKey, chatModel, imageModel }
}
