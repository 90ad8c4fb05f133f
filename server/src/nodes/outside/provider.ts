// In charge of the interface of a model provider: its name, its address, and its models.
import type { Connection } from './exchange.ts'
import type { ModelList } from './model-lists.ts'
import type { ProviderModels } from './models.ts'

/** A provider. To add one, write a file in `providers/` and add a line to `providers.ts`. */
export type Provider = {
  /** The provider's part in a model's name, `name:model`. */
  name: string
  /** The provider's name as people see it. */
  title: string
  /** The name for people while the usual address is used, where that name differs from `title`. */
  usualTitle?: string
  /** The address that is used unless the operator sets another one; null where only the operator knows the address. */
  url: string | null
  /** Addresses in the code of the provider's package, which the operator's address replaces. */
  fixed?: readonly string[]
  models(connection: Connection): ProviderModels
  /**
   * How to read the list of the provider's models. Absent if there is no list, or if the list has everything that any user has
   * published.
   */
  list?: ModelList
  /** A free request that needs the key, to check whether the key is correct; absent if the provider has none. */
  check?: (url: string, key: string) => { url: string; headers: Record<string, string> }
}
