// In charge of the routes for model providers: the list of providers, and the keys that admins enter for them.
import Type from 'typebox'
import { KeyCheckResult, ProviderKeySet, ProviderState, ProviderStates } from '../provider-keys.ts'
import { Closed } from '../wire/schema.ts'
import { route } from './building.ts'
import type { Route } from './route.ts'

const provider = Closed({ provider: Type.String({ maxLength: 64, description: 'What models are called by.' }) })

const example = {
  ...{ name: 'google', title: 'Google', host: 'generativelanguage.googleapis.com', kinds: ['image', 'chat'] },
  ...{ source: 'app', last4: '7f2a', set_at: '2026-03-12T07:00:00.000Z', set_by: null, can_check: true },
} as const

export const providersRoutes = {
  listProviders: route({
    id: 'listProviders',
    method: 'GET',
    path: '/api/v1/providers',
    tag: 'Providers',
    summary: 'Providers of models, and where their keys come from',
    description: 'No key is ever shown.',
    access: 'admin',
    data: ProviderStates,
    examples: { data: { can_store: true, items: [example] } },
  }),
  setProviderKey: route({
    id: 'setProviderKey',
    method: 'POST',
    path: '/api/v1/providers/{provider}/key',
    tag: 'Providers',
    summary: 'Give the key of a provider',
    description:
      'It is sealed with `ATELIER_SECRETS_KEY`, takes the place of the one before, and holds in every process from the next call on. A key of the settings goes before it.',
    access: 'admin',
    params: provider,
    body: ProviderKeySet,
    data: ProviderState,
    refuses: ['secrets_not_configured', 'key_in_settings', 'provider_without_address'],
    examples: { body: { key: 'AIza-and-so-on-7f2a' }, data: example },
  }),
  removeProviderKey: route({
    id: 'removeProviderKey',
    method: 'DELETE',
    path: '/api/v1/providers/{provider}/key',
    tag: 'Providers',
    summary: 'Take the key of a provider away',
    description: 'Nodes that ask its models cannot run any more, unless the settings have a key. Repeatable.',
    access: 'admin',
    params: provider,
    data: ProviderState,
    examples: { data: { ...example, source: 'none', last4: null, set_at: null } },
  }),
  checkProviderKey: route({
    id: 'checkProviderKey',
    method: 'POST',
    path: '/api/v1/providers/{provider}/check',
    tag: 'Providers',
    summary: 'Ask a provider whether it takes the key',
    description: 'By a request that costs nothing. The answer has its own words.',
    access: 'admin',
    effect: 'read',
    params: provider,
    data: KeyCheckResult,
    refuses: ['provider_without_key'],
    examples: { data: { works: true, words: 'Google (generativelanguage.googleapis.com) takes the key.' } },
  }),
} as const satisfies Record<string, Route>
