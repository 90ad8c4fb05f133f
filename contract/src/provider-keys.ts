// In charge of the wire shapes of model providers, and of the keys that admins enter for them.
import Type from 'typebox'
import { Closed, DateTime, Enumeration, Nullable } from './wire/schema.ts'
import { Author } from './workspace.ts'

/**
 * Where a provider's API key comes from. `unreadable`: an admin entered the API key in the app, but no encryption key in the
 * settings can decrypt the stored API key.
 */
const keySources = ['settings', 'app', 'unreadable', 'none'] as const

export const ProviderState = Closed(
  {
    name: Type.String({ description: 'What models are called by: `name:model`.' }),
    title: Type.String(),
    host: Nullable(Type.String({ description: 'Where it is reached; null: an operator has to say.' })),
    kinds: Type.Array(Type.String(), { description: 'What its models make.' }),
    source: Enumeration(keySources, { description: 'Where its key comes from. The settings go before the app.' }),
    last4: Nullable(Type.String({ description: 'The end of the key that was given in the app.' })),
    set_at: Nullable(DateTime()),
    set_by: Nullable(Author),
    can_check: Type.Boolean({ description: 'Whether it has a request that costs nothing and needs the key.' }),
  },
  { $id: 'ProviderState' },
)
export type ProviderState = Type.Static<typeof ProviderState>

export const ProviderStates = Closed(
  {
    can_store: Type.Boolean({ description: 'Whether keys can be given here: `ATELIER_SECRETS_KEY` is set.' }),
    items: Type.Array(ProviderState),
  },
  { $id: 'ProviderStates' },
)

/** How many characters a provider's API key may have at most. */
export const longestKey = 4096

export const ProviderKeySet = Closed(
  { key: Type.String({ minLength: 8, maxLength: longestKey, description: 'Sealed at once, and never shown again.' }) },
  { $id: 'ProviderKeySet' },
)

export const KeyCheckResult = Closed(
  {
    works: Nullable(Type.Boolean({ description: 'Null: there is no request that costs nothing.' })),
    words: Type.String({ description: 'What the provider says.' }),
  },
  { $id: 'KeyCheckResult' },
)
