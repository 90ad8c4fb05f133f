// In charge of what a provider of models is to the rest: a name, an address, and the models it has.
import type { Connection } from './exchange.ts'
import type { ModelList } from './model-lists.ts'
import type { ProviderModels } from './models.ts'

/** A provider: one file in `providers/`, and a line in `providers.ts`. */
export type Provider = {
  /** What models are called by: `name:model`. */
  name: string
  /** What people call it. */
  title: string
  /** What it is called at its usual address, where that is another name. */
  usualTitle?: string
  /** Where it is reached unless the operator says otherwise; null where only the operator knows. */
  url: string | null
  /** Addresses that its package has in its code, which the operator's address replaces. */
  fixed?: readonly string[]
  models(connection: Connection): ProviderModels
  /** The list of its models; absent: it has none, or one of all that anybody has published there. */
  list?: ModelList
  /** A request that costs nothing and needs the key, for whoever asks whether it is the right one; absent: there is none. */
  check?: (url: string, key: string) => { url: string; headers: Record<string, string> }
}
