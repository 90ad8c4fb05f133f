// In charge of the records that the steps of the demo's stories need, by key: users, products, and the tasks and creatives that
// earlier steps have created.
import { roleScopes } from '@atelier/contract/enums.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { momentOf } from './calendar.ts'
import { demoPeople, demoProducts } from './content.ts'
import type { KeptAds } from './picture.ts'
import { ensurePerson, ensureProduct, readNow } from './store.ts'
import type { CreativeKey, PersonKey, ProductKey } from './story.ts'

export type Settings = Pick<
  Config,
  | 'vocabulary'
  | 'nameTemplate'
  | 'retention'
  | 'openaiBaseUrl'
  | 'openaiApiKey'
  | 'providerKeys'
  | 'providerUrls'
  | 'models'
  | 'chatModel'
  | 'imageModel'
>
type DemoProduct = { id: string; code: string }
export type DemoCreative = { id: string; name: string }

export type Stage = {
  tx: Db
  config: Settings
  now: Stamp
  actors: Record<PersonKey, Actor>
  products: Record<ProductKey, DemoProduct>
  ads: KeptAds
  tasks: Map<string, string>
  creatives: Map<CreativeKey, DemoCreative>
}

/** How many working days ago the demo's users and products were added, as their dates say. The first task was added later. */
const opening = 40

export async function setStage(tx: Db, config: Settings, ads: KeptAds): Promise<Stage> {
  const now = await readNow(tx)
  const since = momentOf(now, opening, '09:00')
  const actor = async (key: PersonKey): Promise<Actor> => {
    const userId = await ensurePerson(tx, demoPeople[key], since)
    const { name } = demoPeople[key]
    return { tokenId: null, userId, role: 'writer', name, scopes: new Set(roleScopes.writer) }
  }
  const product = (key: ProductKey) => ensureProduct(tx, demoProducts[key], since)
  return {
    tx,
    config,
    now,
    actors: {
      maren: await actor('maren'),
      ilse: await actor('ilse'),
      teo: await actor('teo'),
      kofi: await actor('kofi'),
      priya: await actor('priya'),
    },
    products: {
      quiltern: await product('quiltern'),
      tuckerfen: await product('tuckerfen'),
      verbanook: await product('verbanook'),
    },
    ads,
    tasks: new Map(),
    creatives: new Map(),
  }
}

/**
 * Returns the record with this key that an earlier step created. If there is none, the demo's content is wrong, and this throws.
 */
export function found<Key extends string, Value>(made: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = made.get(key)
  if (value === undefined) throw new Error(`The demo speaks of ${key} before it is there.`)
  return value
}
