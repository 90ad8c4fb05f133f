// In charge of setting people's roles and access from the facts that the identity provider sent, and of previewing these changes.
import type { Role } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import { announceAuthChange } from '../../platform/auth.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Decided, type Membership, type Policy, type Standing, standingOf } from './standing.ts'

type State = { role: Role; active: boolean }
/**
 * A person whose role or access changes, or whose role at the provider is not configured here. `unknownWord`: the provider's word
 * for such a role; null if the role is configured.
 */
export type Change = {
  userId: string
  name: string | null
  email: string | null
  before: State
  after: State
  unknownWord: string | null
}

/**
 * Sets role and access of the person with this id at the provider. Returns null if no user is linked to the id, or if nothing has
 * changed and the role is configured.
 */
export async function alignPerson(tx: Db, policy: Policy, providerId: string): Promise<Change | null> {
  const [change = null] = await align(tx, policy, [providerId])
  return change
}

/**
 * Sets role and access of everybody whom the provider has reported. The caller holds the directory lock, so that no message from
 * the provider is applied meanwhile. For most people there is nothing to change or log; their rows are not locked.
 */
export async function alignEverybody(tx: Db, policy: Policy): Promise<Change[]> {
  const changes: Change[] = []
  for await (const people of everybody(tx)) {
    const noted = people.filter((person) => {
      const now = standing(policy, person)
      return differs(person, now) || now.unknownWord !== null
    })
    const ids = noted.map(({ provider_id }) => provider_id)
    changes.push(...(await align(tx, policy, ids)))
  }
  return changes
}

/**
 * Sets role and access of the people with these ids at the provider. Their rows are locked before they are read, since an admin may
 * decide about the same people at the same time.
 */
async function align(tx: Db, policy: Policy, providerIds: readonly string[]): Promise<Change[]> {
  const people = await readPeople(tx, sql`d.provider_id = any(${[...providerIds]}::text[]) for update of u`)
  const standings = people.map((person) => ({ person, now: standing(policy, person) }))
  const changed = standings.filter(({ person, now }) => differs(person, now))
  if (changed.length > 0) {
    await write(tx, changed)
    await announceAuthChange(tx)
  }
  return standings.map(({ person, now }) => changeOf(person, now)).filter((change) => change !== null)
}

/** Returns the changes that `alignEverybody` would make, without writing anything. */
export async function wouldChange(db: Db, policy: Policy): Promise<Change[]> {
  const changes: (Change | null)[] = []
  for await (const people of everybody(db)) {
    changes.push(...people.map((person) => changeOf(person, standing(policy, person))))
  }
  return changes.filter((change) => change !== null)
}

const batch = 5_000

async function* everybody(db: Db): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const people = await readPeople(db, sql`d.provider_id > ${after} order by d.provider_id limit ${sql.lit(batch)}`)
    const last = people.at(-1)
    if (last === undefined) return
    yield people
    after = last.provider_id
  }
}

const differs = (person: Row, now: Standing): boolean =>
  now.role !== person.role || now.active !== person.active || (now.endedAt ?? 0) > (person.ended_at ?? 0)

/**
 * Writes roles and access. A stored end of access is never removed or moved to an earlier time, even if the facts contain no end.
 */
async function write(tx: Db, changed: readonly { person: Row; now: Standing }[]): Promise<void> {
  const rows = changed.map(({ person: { user_id: id }, now: { role, active, endedAt: ended_at } }) => ({
    ...{ id, role, active, ended_at },
  }))
  await sql`
    update users set role = it.role, active = it.active, updated_at = now_ms(),
      ended_at = greatest(users.ended_at, timestamptz 'epoch' + it.ended_at * interval '1 millisecond')
    from json_to_recordset(${JSON.stringify(rows)}::json) as it (id uuid, role text, active boolean, ended_at bigint)
    where users.id = it.id`.execute(tx)
  tellChanged(
    tx,
    'person',
    rows.map(({ id }) => id),
  )
}

type Row = {
  provider_id: string
  user_id: string
  name: string | null
  email: string | null
  role: Role
  active: boolean
  ended_at: number | null
  decided: Omit<Decided, 'role'>
  deleted_at: number | null
  memberships: Membership[]
}

async function readPeople(db: Db, which: ReturnType<typeof sql>): Promise<Row[]> {
  const found = await sql<Row>`
    select d.provider_id, d.user_id, u.name, u.email, u.role, u.active,
      (extract(epoch from u.ended_at) * 1000)::bigint as ended_at,
      case when d.deleted then coalesce(d.deleted_at, 0) end as deleted_at,
      json_build_object('owner', u.owner, 'roleByHand', u.role_by_hand, 'activeByHand', u.active_by_hand,
        'decidedAt', coalesce(extract(epoch from u.active_decided_at) * 1000, 0)::bigint) as decided,
      (select coalesce(json_agg(json_build_object('id', membership_id, 'organization', organization_id,
          'word', role_word, 'changedAt', changed_at, 'joinedAt', joined_at,
          'leftAt', case when m.deleted then coalesce(left_at, changed_at) end)), '[]')
        from directory_memberships m where m.provider_id = d.provider_id) as memberships
    from directory_users d join users u on u.id = d.user_id where ${which}`.execute(db)
  return found.rows
}

const standing = (policy: Policy, { role, decided, deleted_at, memberships }: Row): Standing =>
  standingOf(policy, { deletedAt: deleted_at, memberships }, { ...decided, role })

function changeOf(person: Row, { role, active, unknownWord }: Standing): Change | null {
  if (person.role === role && person.active === active && unknownWord === null) return null
  const { user_id: userId, name, email } = person
  const before = { role: person.role, active: person.active }
  return { userId, name, email, before, after: { role, active }, unknownWord }
}

export const isChange = ({ before, after }: Change): boolean =>
  before.role !== after.role || before.active !== after.active

export function logChange(log: Pick<Log, 'info' | 'warn'>, change: Change): void {
  const { userId: user_id, before, after, unknownWord } = change
  if (unknownWord !== null) {
    const said = unknownWord === '' ? 'the provider names no role' : `ATELIER_ROLES has no role for “${unknownWord}”`
    log.warn({ user_id, role_word: unknownWord }, `${said}: the person is a reader`)
  }
  if (isChange(change)) log.info({ user_id, before, after }, 'the provider changed what a person may do')
}
