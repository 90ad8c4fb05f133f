// In charge of `roles`: lists the people whose role or access would change if the service were started with the present settings.
// It changes no person, but it brings the schema of an older database up to this version.
import { type Change, isChange, wouldChange } from '../features/webhooks/align.ts'
import { type Choice, choiceWords, chooseOrganization } from '../features/webhooks/organization.ts'
import { readConfig } from '../platform/config.ts'
import { inSnapshot } from '../platform/db.ts'
import { createLog } from '../platform/log.ts'
import { readOptions } from './arguments.ts'
import { openConfigured, requireEmbedded } from './open.ts'

const help = `Lists whose role or access the next start would change by what the identity provider has said, and changes nobody.
With the settings of this environment, so that others can be tried before they are set:

  ATELIER_ORGANIZATION=org_… npm run roles
  ATELIER_ROLES="org:admin=admin,org:designer=writer" npm run roles

It reads the database itself: the embedded one takes one process, so stop the service first. A database of an older
version gets the schema of this one.`

export async function listRoleChanges(args: string[]): Promise<void> {
  if (readOptions(args, help, {}) === null) return
  const config = readConfig(process.env)
  requireEmbedded(config, 'look at')
  const { database } = await openConfigured(config, createLog('warn'))
  try {
    const { choice, changes } = await inSnapshot(database.main, async (db) => {
      const choice = await chooseOrganization(db, config)
      return { choice, changes: await wouldChange(db, { organization: choice.organization, roles: config.roles }) }
    })
    console.log([...organizationLines(choice), '', ...changeLines(changes)].join('\n'))
  } finally {
    await database.close()
  }
}

function organizationLines(choice: Choice): string[] {
  const { organization, by, known } = choice
  const counts =
    by === 'set' ? `memberships of ${organization} count, as ATELIER_ORGANIZATION says` : choiceWords(choice)
  const members = known.organizations.map(({ id, people }) => `  ${id}  members now: ${people}`)
  return [
    `Organization: ${counts ?? 'no membership is known yet'}.`,
    ...members,
    ...(known.unattributed > 0 ? [`  (of an organization that was not kept)  members now: ${known.unattributed}`] : []),
  ]
}

function changeLines(changes: readonly Change[]): string[] {
  const changed = changes.filter(isChange)
  const words = new Set(changes.map(({ unknownWord }) => unknownWord).filter((word) => word !== null))
  return [
    changed.length === 0 ? 'Nobody would change.' : `Would change (${changed.length}):`,
    ...changed.map((change) => `  ${lineOf(change)}`),
    ...(words.size === 0
      ? []
      : ['', `Words without a role in ATELIER_ROLES: ${[...words].map((word) => `“${word}”`).join(', ')}`]),
  ]
}

function lineOf({ userId, name, email, before, after }: Change): string {
  const access = before.active === after.active ? '' : after.active ? ', active again' : ', access ends'
  return `${before.role} → ${after.role}${access}  ${name ?? '(no name)'}${email === null ? '' : ` <${email}>`}  ${userId}`
}
