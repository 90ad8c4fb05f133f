// In charge of the HTTP routes of model providers: listing providers, and setting, removing and checking their keys.
import type { ProviderState } from '@atelier/contract/provider-keys.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { modelSettingsOf } from '../../nodes/node-options.ts'
import { checkKey } from '../../nodes/outside/check-key.ts'
import { trustedAgent } from '../../nodes/outside/guard.ts'
import type { Provider } from '../../nodes/outside/provider.ts'
import { kindsOf, providers } from '../../nodes/outside/providers.ts'
import type { Actor } from '../../platform/actor.ts'
import { headerText } from '../../platform/config-values.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import type { Log } from '../../platform/log.ts'
import { createSealing } from '../../platform/sealing.ts'
import type { Services } from '../../platform/services.ts'
import { type KeyRing, placeOf } from './key-ring.ts'
import { deleteKey, type KeyRow, readKeys, writeKey } from './store.ts'

type Given = Pick<Services, 'config'> & { keyRing: KeyRing; log: Log }

export function bindProviders(bind: Bind, { config, keyRing, log }: Given): void {
  const sealing = createSealing(config.secretsKeys)
  const { connections } = modelSettingsOf(config)
  const addressOf = ({ name, url }: Provider): string | null => connections.get(name)?.url ?? url
  const titleOf = (provider: Provider): string =>
    (addressOf(provider) === provider.url && provider.usualTitle) || provider.title
  const agent = trustedAgent()

  const stateOf = (provider: Provider, row: KeyRow | undefined): ProviderState => {
    const url = addressOf(provider)
    const inSettings = connections.get(provider.name)?.key ?? null
    const inApp = row && sealing.open(row.sealed, placeOf(provider.name)) !== null ? 'app' : 'unreadable'
    return {
      ...{ name: provider.name, title: titleOf(provider), host: url === null ? null : new URL(url).host },
      kinds: kindsOf(provider, agent),
      source: inSettings !== null ? 'settings' : row ? inApp : 'none',
      last4: row?.last4 ?? null,
      set_at: row?.set_at ?? null,
      set_by: (row?.author ?? null) as ProviderState['set_by'], // the SQL builds the author in the form of the contract
      can_check: provider.check !== undefined,
    }
  }
  const answer = async (db: Db, provider: Provider) => ({
    data: stateOf(
      provider,
      (await readKeys(db)).find((row) => row.provider === provider.name),
    ),
  })

  /**
   * Returns the function to call when a change of a key has been committed: it logs who made the change, and has the keys read
   * again. The log is the only record of the change, since a key belongs to no task whose activity could record it.
   */
  const changed =
    (provider: Provider, { userId, tokenId }: Actor, words: string) =>
    () => {
      log.info({ provider: provider.name, user_id: userId, token_id: tokenId }, words)
      keyRing.refresh()
    }

  bind(routes.listProviders, async ({ db }) => {
    const rows = new Map((await readKeys(db)).map((row) => [row.provider, row]))
    const items = providers.map((provider) => stateOf(provider, rows.get(provider.name)))
    return { data: json(JSON.stringify({ can_store: sealing.canSeal, items })) }
  })

  bind(routes.setProviderKey, async ({ db, params, body, actor }) => {
    const provider = providerOf(params.provider)
    if (!sealing.canSeal)
      throw new Refusal('secrets_not_configured', 'There is no ATELIER_SECRETS_KEY to seal keys with.')
    if ((connections.get(provider.name)?.key ?? null) !== null) {
      throw new Refusal('key_in_settings', `The settings have the key of ${titleOf(provider)}, and go before the app.`)
    }
    if (addressOf(provider) === null) {
      const name = provider.name
      throw new Refusal(
        'provider_without_address',
        `An operator has to say where it is: ATELIER_PROVIDER_URLS=${name}=https://….`,
      )
    }
    const key = body.key.trim()
    const sealed = sealing.seal(checked(key), placeOf(provider.name))
    await writeKey(db, actor, { provider: provider.name, sealed, last4: endOf(key) })
    afterCommit(db, changed(provider, actor, 'the key of a provider was set'))
    return answer(db, provider)
  })

  bind(routes.removeProviderKey, async ({ db, params, actor }) => {
    const provider = providerOf(params.provider)
    await deleteKey(db, provider.name)
    afterCommit(db, changed(provider, actor, 'the key of a provider was removed'))
    return answer(db, provider)
  })

  bind(routes.checkProviderKey, async ({ params }) => {
    const provider = providerOf(params.provider)
    const key = connections.get(provider.name)?.key ?? keyRing.keys().get(provider.name) ?? null
    const url = addressOf(provider)
    if (key === null || url === null)
      throw new Refusal('provider_without_key', `There is no key of ${titleOf(provider)} to ask with.`)
    return { data: await checkKey(provider, { url, key }, agent) }
  })
}

/**
 * Returns the last four characters of a key, so that admins can recognize the key. Returns '' for a short key, because four of its
 * characters would make it easy to guess.
 */
const endOf = (key: string): string => (key.length < 16 ? '' : key.slice(-4))

function providerOf(name: string): Provider {
  const provider = providers.find((one) => one.name === name)
  if (!provider) throw notFound('provider', name)
  return provider
}

/**
 * Returns a key as it is sent in an HTTP header; throws if it cannot be sent. The error does not repeat the key, since it may be a
 * real one with a typing error.
 */
function checked(key: string): string {
  try {
    return headerText(key)
  } catch {
    throw invalidAt(['body', 'key'], valueError('must be one line of visible characters, without spaces'), null)
  }
}
