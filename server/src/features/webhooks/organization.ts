// In charge of deciding which organization is ours: the configured one, or the only known one, which the service adopts when it
// starts.
import { sql } from 'kysely'
import type { Config } from '../../platform/config.ts'
import type { Database, Db } from '../../platform/db.ts'
import { lockDirectory } from '../../platform/identities.ts'
import type { Log } from '../../platform/log.ts'
import { alignEverybody, isChange, logChange } from './align.ts'
import type { Policy } from './standing.ts'

export type DirectoryConfig = Pick<Config, 'organization' | 'roles' | 'oauthIssuer'>

/** Returns the organization whose memberships count (null if it is not known which one is ours), and the configured roles. */
export async function readPolicy(db: Db, { organization, roles }: DirectoryConfig): Promise<Policy> {
  return { organization: organization ?? (await takenOrganization(db)), roles }
}

async function takenOrganization(db: Db): Promise<string | null> {
  const found = await sql<{ organization_id: string }>`select organization_id from directory_organization`.execute(db)
  return found.rows[0]?.organization_id ?? null
}

type Known = {
  /** The organizations of all stored memberships. `people`: how many members each organization has now. */
  organizations: { id: string; people: number }[]
  /** How many people have a present membership that names no organization. */
  unattributed: number
}

async function knownOrganizations(db: Db): Promise<Known> {
  const found = await sql<{ id: string | null; people: number }>`
    select nullif(organization_id, '') as id, count(distinct provider_id) filter (where not deleted) as people
    from directory_memberships group by 1 order by 2 desc, 1`.execute(db)
  const organizations = found.rows.flatMap(({ id, people }) => (id === null ? [] : [{ id, people }]))
  return { organizations, unattributed: found.rows.find(({ id }) => id === null)?.people ?? 0 }
}

/**
 * Which organization is ours, and why: the operator has `set` it, the service has `taken` it at an earlier start, or it is the
 * `only` one known. `nobody`: no organization could be chosen, and `organization` is null.
 */
export type Choice = { organization: string | null; by: 'set' | 'taken' | 'only' | 'nobody'; known: Known }

export async function chooseOrganization(db: Db, config: DirectoryConfig): Promise<Choice> {
  const known = await knownOrganizations(db)
  if (config.organization !== null) return { organization: config.organization, by: 'set', known }
  const taken = await takenOrganization(db)
  if (taken !== null) return { organization: taken, by: 'taken', known }
  const [only, ...others] = known.organizations
  if (only === undefined || others.length > 0 || known.unattributed > 0)
    return { organization: null, by: 'nobody', known }
  return { organization: only.id, by: 'only', known }
}

/** Called whenever the service starts: adopts the only known organization if none is configured, and updates everybody. */
export async function alignAtStart(database: Database, config: DirectoryConfig, log: Log): Promise<Choice> {
  const { choice, changes } = await database.tx(async (tx) => {
    await lockDirectory(tx)
    const choice = await chooseOrganization(tx, config)
    if (choice.by === 'only') {
      await sql`insert into directory_organization (organization_id) values (${choice.organization})`.execute(tx)
    }
    const { roles } = config
    return { choice, changes: await alignEverybody(tx, { organization: choice.organization, roles }) }
  })
  for (const change of changes.filter(isChange)) logChange(log, change)
  const words = new Set(changes.map(({ unknownWord }) => unknownWord).filter((word) => word !== null))
  if (words.size > 0) log.warn({ role_words: [...words] }, 'ATELIER_ROLES has no role for these words: readers')
  return choice
}

/** Returns the sentence about the organization that the service logs when it starts; null if there is nothing to report. */
export function choiceWords({ organization, by, known: { organizations, unattributed } }: Choice): string | null {
  const named = organizations
    .map(({ id, people }) => `${id} (${people === 1 ? '1 person' : `${people} people`})`)
    .join(', ')
  switch (by) {
    case 'set':
      return null
    case 'taken':
    case 'only':
      return `memberships of ${organization} count, the only organization that was known; ATELIER_ORGANIZATION sets another`
    case 'nobody': {
      if (organizations.length === 0 && unattributed === 0) return null
      const known = [
        ...(named === '' ? [] : [`known: ${named}`]),
        ...(unattributed === 0 ? [] : [`members of an organization that was not kept: ${unattributed}`]),
      ]
      return `roles stay as they are, and memberships give none, until ATELIER_ORGANIZATION is set (${known.join('; ')})`
    }
    default:
      return by satisfies never
  }
}
