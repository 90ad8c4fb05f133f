// In charge of the interface of a model provider: its name, its address, and its models.
import type { Connection } from './exchange.ts'
import type { ModelList } from './model-lists.ts'
import type { ProviderModels } from './models.ts'

/** A provider. To add one, write a file in `providers/` and add a line to `providers.ts`. */
export type Provider = {
  /** The part before the colon in the names of the provider's models, such as `google` in `google:gemini-3`. */
  name: string
  /** The provider's name as people see it. */
  title: string
  /** The name to show instead of `title` while the provider is used at its usual address; absent if `title` fits then too. */
  usualTitle?: string
  /** The usual address, which the operator may replace; null if only the operator knows the address. */
  url: string | null
  /** Addresses that are fixed in the code of the provider's package. In requests, the operator's address replaces them. */
  fixed?: readonly string[]
  models(connection: Connection): ProviderModels
  /**
   * How to read the provider's list of models. Absent if there is no list, or if the list contains whatever the provider's users
   * have published.
   */
  list?: ModelList
  /** A request that is free and needs the key, to check whether the key is correct; absent if the provider has no such request. */
  check?: (url: string, key: string) => { url: string; headers: Record<string, string> }
}
