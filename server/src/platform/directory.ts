// In charge of the names of people and products that responses contain: pages of lists, and creative lookups. Each name is read
// once and cached until any person or product changes.
//
// A query for such a response also reads a version: the sum of counters that triggers increase in every transaction that changes a
// person or product. If that version is newer than the cache, the names are read again; so no name is older than its response.
import { initials } from '@atelier/contract/fold.ts'
import { CompiledQuery } from 'kysely'
import type { Database, Db, Row } from './db.ts'
import { anyOf } from './rows.ts'

/** SQL for the number of changes to people and products so far, as the snapshot of the enclosing statement sees it. */
export const directoryVersion = '(select coalesce(sum(changes), 0)::float8 from directory_changes)'

/** A person as two JSON texts: `user` is what a page of a list includes, `ref` (name and initials) what a creative lookup shows. */
type PersonTexts = { user: string; ref: string }

/** The cache: texts by id. A text is null if the person or product does not exist. */
type Held = { version: number; people: Map<string, PersonTexts | null>; products: Map<string, string | null> }
export type Named = Readonly<Omit<Held, 'version'>>

export type Directory = {
  /** Returns at least the people and products with these ids, as of this version of the data or a later one. Products are JSON. */
  named(version: number, people: Iterable<string>, products?: Iterable<string>): Promise<Named>
}

/** If the cache has more people, or more products, than this number, the cache is emptied. */
const most = 20_000

const empty = (version: number): Held => ({ version, people: new Map(), products: new Map() })

const isTooLarge = ({ people, products }: Held): boolean => people.size > most || products.size > most

export function createDirectory(database: Pick<Database, 'read'>): Directory {
  let held = empty(-1)
  const read = async (people: string[], products: string[]): Promise<void> => {
    const brief = people.length + products.length <= 300
    const rows = await database.read({ name: 'directory', text: namedSql, brief }, [people, products])
    const version = Number(rows[0]?.[0])
    if (version > held.version) held = empty(version)
    // Another request has already seen a newer version, so these rows may be outdated: the caller reads again.
    if (version < held.version) return
    for (const id of people) held.people.set(id, null)
    for (const id of products) held.products.set(id, null)
    for (const row of rows) hold(held, row)
  }
  return {
    async named(version, people, products = []) {
      if (version > held.version || isTooLarge(held)) held = empty(Math.max(version, held.version))
      for (;;) {
        const now = held
        const missing = notIn(now.people, people)
        const missingProducts = notIn(now.products, products)
        if (missing.length + missingProducts.length === 0) return now
        await read(missing, missingProducts)
      }
    },
  }
}

function notIn(held: ReadonlyMap<string, unknown>, ids: Iterable<string>): string[] {
  const missing: string[] = []
  for (const id of ids) if (!held.has(id)) missing.push(id)
  return missing
}

const namedSql = `
  select v.version, n.* from (select ${directoryVersion} as version) as v left join (
    select 'person' as kind, id, name, email, image_url from users where id = ${anyOf('$1', 'uuid')}
    union all select 'product', id, name, null, null from products where id = ${anyOf('$2', 'uuid')}
  ) as n on true`

function hold({ people, products }: Held, [, kind, id, name, email, image_url]: Row): void {
  if (kind === 'product') products.set(String(id), JSON.stringify({ id, name }))
  if (kind !== 'person') return
  const ref = { name, initials: initials(typeof name === 'string' ? name : null) }
  people.set(String(id), { user: JSON.stringify({ id, name, email, image_url }), ref: JSON.stringify(ref) })
}

/** Replaces rows with counters by one row with their sum. This is one SQL statement, so every reader sees the same total. */
export const foldDirectory = async (db: Db): Promise<void> => void (await db.executeQuery(CompiledQuery.raw(foldSql)))

const foldSql = `
  with taken as (
    delete from directory_changes where id in (
      select id from directory_changes order by id limit 50000 for update skip locked)
    returning changes
  )
  insert into directory_changes (changes) select sum(changes) from taken having count(*) > 0`
