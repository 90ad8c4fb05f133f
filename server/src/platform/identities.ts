// In charge of finding the person for an issuer's subject. A subject that is new here belongs to the person whom the provider's
// webhook has reported under that id, or else to a new person with the role reader.

import { type Role, roleScopes } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { AccessToken } from './access-tokens.ts'
import type { Actor } from './actor.ts'
import { shareLock, takeLock } from './advisory-locks.ts'
import { type Database, type Db, tellChanged } from './db.ts'
import type { Stamp } from './tables.ts'

/** The profile of a person at an issuer; a member is null if the issuer does not state it. */
export type Profile = { name: string | null; email: string | null; imageUrl: string | null }

type Person = { id: string; name: string | null; role: Role; active: boolean; ended_at: Stamp | null }

/** Returns the caller that an access token stands for: a person, with the token's scopes that the person's role allows. */
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

/** Returns the person for a subject of an issuer, whether active or not; calls `meetPerson` if the subject is new here. */
export const personOf = async (database: Database, issuer: string, subject: string): Promise<Person> =>
  (await findPerson(database.main, issuer, subject)) ?? (await meetPerson(database, issuer, subject))

/**
 * Fills in the missing fields of a person's profile; fields that have a value stay unchanged. A field stays empty too if the provider's
 * webhook has filled it in, or if the issuer said the same at the last sign-in: an admin has removed its value, which is set again
 * when the provider or the issuer has another one.
 */
export async function describePerson(
  tx: Db,
  id: string,
  { issuer, subject }: Pick<AccessToken, 'issuer' | 'subject'>,
  { name, email, imageUrl }: Profile,
): Promise<void> {
  const described = await sql<{ id: string }>`
    update users u set name = filled.name, email = filled.email, image_url = filled.image_url, updated_at = now_ms()
    from (
      select coalesce(p.name, case when said.name is null then nullif(${name}::text, i.said_name) end) as name,
        coalesce(p.email, case when said.email is null then nullif(${email}::text, i.said_email) end) as email,
        coalesce(p.image_url, case when said.image_url is null then nullif(${imageUrl}::text, i.said_image_url) end) as image_url
      from users p, identities i, (select max(name) as name, max(email) as email, max(image_url) as image_url
        from directory_users where user_id = ${id}) as said
      where p.id = ${id} and i.issuer = ${issuer} and i.subject = ${subject}
    ) as filled
    where u.id = ${id} and (u.name, u.email, u.image_url) is distinct from (filled.name, filled.email, filled.image_url)
    returning u.id`.execute(tx)
  if (described.rows.length > 0) tellChanged(tx, 'person', id)
  // An issuer that does not answer has said nothing: what it said before stays.
  await sql`
    update identities set said_name = coalesce(${name}::text, said_name), said_email = coalesce(${email}::text, said_email),
      said_image_url = coalesce(${imageUrl}::text, said_image_url)
    where issuer = ${issuer} and subject = ${subject}`.execute(tx)
}

const findPerson = (db: Db, issuer: string, subject: string): Promise<Person | undefined> =>
  db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'users.name', 'users.role', 'users.active', 'users.ended_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Links a new subject to the person whom the provider's webhook has reported under the same id, or else to a new person. */
async function meetPerson(database: Database, issuer: string, subject: string): Promise<Person> {
  return database.tx(async (tx) => {
    // Several requests with the same new subject can come at once. The lock makes them wait for each other, and for messages of the
    // webhook about that person.
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

/**
 * Returns the person whom the provider has reported under this id; null if there is no report. If the provider has deleted a person
 * who is unknown here, creates that person here as deactivated.
 */
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

/** Returns the person who is already linked to this subject of the issuer; null if there is none. */
export async function personOfIdentity(tx: Db, issuer: string, subject: string): Promise<string | null> {
  return (await findPerson(tx, issuer, subject))?.id ?? null
}

/** Makes other transactions that would write the data of the provider's user with this id wait until this transaction ends. */
export async function lockProviderId(tx: Db, providerId: string): Promise<void> {
  // In shared mode, because only a full synchronization (`lockDirectory`) has to exclude the writers of all users.
  await shareLock(tx, 'directory')
  await sql`select pg_advisory_xact_lock(hashtextextended(${`provider-id/${providerId}`}, 0))`.execute(tx)
}

/** Makes other transactions that would write the data of any of the provider's users wait until this transaction ends. */
export const lockDirectory = (tx: Db): Promise<void> => takeLock(tx, 'directory')
