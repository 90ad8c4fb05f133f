// In charge of who an issuer's subject is here: a person, made on first sight as a reader.
import { type Role, roleScopes } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { AccessToken } from './access-tokens.ts'
import type { Actor } from './actor.ts'
import { type Database, type Db, tellChanged } from './db.ts'
import type { Stamp } from './tables.ts'

/** What an issuer says of a person; null where it does not. */
export type Profile = { name: string | null; email: string | null; imageUrl: string | null }

type Person = { id: string; name: string | null; role: Role; active: boolean; ended_at: Stamp | null }

/** The caller an access token speaks for: its person, with the token's scopes as far as the person's role allows. */
export async function actorOfAccessToken(
  database: Database,
  { issuer, subject, scopes, madeAt }: AccessToken,
): Promise<Actor> {
  const person = await personOf(database, issuer, subject)
  if (!person.active) throw new Refusal('invalid_token', 'The person this token belongs to is deactivated.')
  if (person.ended_at !== null && madeAt <= Date.parse(person.ended_at))
    throw new Refusal('invalid_token', 'The token is from before the access of its person ended. Ask for a new one.')
  const allowed = new Set(roleScopes[person.role])
  return {
    tokenId: null,
    userId: person.id,
    role: person.role,
    name: person.name,
    scopes: new Set(scopes.filter((scope) => allowed.has(scope))),
  }
}

/** The person an issuer means by a subject, active or not. */
export const personOf = async (database: Database, issuer: string, subject: string): Promise<Person> =>
  (await findPerson(database.main, issuer, subject)) ?? (await meetPerson(database, issuer, subject))

/** Fills in what is not known of a person yet; what is known stays, whoever said it. */
export async function describePerson(tx: Db, id: string, { name, email, imageUrl }: Profile): Promise<void> {
  const described = await sql<{ id: string }>`
    update users set name = coalesce(name, ${name}), email = coalesce(email, ${email}),
      image_url = coalesce(image_url, ${imageUrl}), updated_at = now_ms()
    where id = ${id} and (name, email, image_url)
      is distinct from (coalesce(name, ${name}), coalesce(email, ${email}), coalesce(image_url, ${imageUrl}))
    returning id`.execute(tx)
  if (described.rows.length > 0) tellChanged(tx, 'person', id)
}

const findPerson = (db: Db, issuer: string, subject: string): Promise<Person | undefined> =>
  db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'users.name', 'users.role', 'users.active', 'users.ended_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** The person the provider's webhook told of under this very id, or a new one. */
async function meetPerson(database: Database, issuer: string, subject: string): Promise<Person> {
  return database.tx(async (tx) => {
    // Two first requests of one person take turns, with each other and with the provider's messages about them.
    await lockProviderId(tx, subject)
    const met = await findPerson(tx, issuer, subject)
    if (met) return met
    const userId = (await personOfProvider(tx, subject)) ?? (await insertReader(tx))
    await tx.insertInto('identities').values({ issuer, subject, user_id: userId }).execute()
    const person = await findPerson(tx, issuer, subject)
    if (!person) throw new Error('A person is gone from the transaction that made it.')
    return person
  })
}

/** Whom the provider means by this id; null where it has said nothing. Somebody it has deleted is made, and is out. */
async function personOfProvider(tx: Db, providerId: string): Promise<string | null> {
  const said = await sql<{ user_id: string | null }>`
    select user_id from directory_users where provider_id = ${providerId}`.execute(tx)
  const [row] = said.rows
  if (row === undefined || row.user_id !== null) return row?.user_id ?? null
  const id = await insertReader(tx)
  await sql`
    update users set active = false, ended_at = timestamptz 'epoch' + coalesce(d.deleted_at, 0) * interval '1 millisecond'
    from directory_users d where d.provider_id = ${providerId} and users.id = ${id}`.execute(tx)
  await sql`update directory_users set user_id = ${id} where provider_id = ${providerId}`.execute(tx)
  return id
}

async function insertReader(tx: Db): Promise<string> {
  const id = uuidv7()
  await tx.insertInto('users').values({ id, name: null, email: null, image_url: null, role: 'reader' }).execute()
  tellChanged(tx, 'person', id)
  return id
}

/** The person whom this issuer's access tokens have brought here already; null where none has. */
export async function personOfIdentity(tx: Db, issuer: string, subject: string): Promise<string | null> {
  return (await findPerson(tx, issuer, subject))?.id ?? null
}

/** Any number; shared by whoever writes about one person, held alone by whoever brings everybody in line. */
const directoryLock = 7_203_414

/** One writer at a time for whatever a provider's user id stands for, until this transaction ends. */
export async function lockProviderId(tx: Db, providerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(directoryLock)})`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`provider-id/${providerId}`}, 0))`.execute(tx)
}

/** The same for everything a provider says, of anybody. */
export async function lockDirectory(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(directoryLock)})`.execute(tx)
}
