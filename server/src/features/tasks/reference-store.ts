// In charge of the references of tasks and creatives: if a referenced record does not exist, the request is refused with a 422.
import { isDigest } from '@atelier/contract/files.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { existing } from './store.ts'

type Table = 'users' | 'products' | 'creatives' | 'files'

/** The members of a request that refer to other records: the table of each, and the error if there is no such record. */
const referenceMembers = {
  product_id: { table: 'products', none: 'there is no product with this id' },
  assignee_id: { table: 'users', none: 'there is no person with this id' },
  task_owner_id: { table: 'users', none: 'there is no person with this id' },
  origin_creative_id: { table: 'creatives', none: 'there is no creative with this id' },
  source_creative_ids: { table: 'creatives', none: 'there is no creative with this id' },
  file: { table: 'files', none: 'there is no file with this digest; upload it first' },
} as const satisfies Record<string, { table: Table; none: string }>

type Member = keyof typeof referenceMembers
type Reference = { id: string; table: Table; none: string; loc: (string | number)[] }
type Referring = { [M in Member]?: string | string[] | null | undefined }

function referencesIn(body: Referring, at: (string | number)[]): Reference[] {
  return Object.entries(referenceMembers).flatMap(([member, { table, none }]) => {
    const value = Object.entries(body).find(([name]) => name === member)?.[1]
    if (typeof value === 'string') return [{ id: value, table, none, loc: [...at, member] }]
    if (!Array.isArray(value)) return []
    return value.map((id, index) => ({ id, table, none, loc: [...at, member, index] }))
  })
}

/**
 * Returns the body with each reference in lower case, which is how the database stores ids and digests. If `errors` are given or
 * records do not exist, throws `Invalid` with `errors` and one more error for each missing record. One query looks up all files,
 * and another one all other records.
 */
export async function checkReferences<Body extends Referring>(
  db: Db,
  body: Body,
  at: (string | number)[],
  errors: readonly ValidationError[] = [],
): Promise<Body> {
  const references = referencesIn(body, at)
  const found = await existingIn(db, (table) => [
    ...new Set(references.filter((reference) => reference.table === table).map(({ id }) => id)),
  ])
  const unknown = references
    .filter(({ table, id }) => !found.has(`${table}/${id.toLowerCase()}`))
    .map(({ id, none, loc }) => errorAt(loc, valueError(none), id))
  if (errors.length + unknown.length > 0) throw new Invalid([...errors, ...unknown])
  return inLowerCase(body)
}

/**
 * Returns the keys that exist, as `table/key`. Rows of files stay locked until the transaction ends, so that no file is removed
 * before the reference to it is written. Rows of the other tables are never deleted, or deleting them does no harm.
 */
async function existingIn(tx: Db, keysOf: (table: Table) => string[]): Promise<Set<string>> {
  const idsOf = (table: Table) => keysOf(table).filter(isUuid)
  const found = await existing(tx, {
    users: idsOf('users'),
    products: idsOf('products'),
    creatives: idsOf('creatives'),
  })
  const digests = keysOf('files').filter(isDigest)
  if (digests.length === 0) return found
  const rows = await tx.selectFrom('files').select('digest').where('digest', 'in', digests).forKeyShare().execute()
  return new Set([...found, ...rows.map(({ digest }) => `files/${digest}`)])
}

/**
 * Puts all references into lower case, as they are stored. In capital letters, an unchanged reference would seem to be a change.
 */
function inLowerCase<Body extends Referring>(body: Body): Body {
  const lowered = Object.entries(body).map(([member, value]) => {
    if (!(member in referenceMembers)) return [member, value]
    return [member, Array.isArray(value) ? [...new Set(value.map(lower))] : lower(value)]
  })
  return Object.fromEntries(lowered) as Body // the members and their types are the same as before
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
