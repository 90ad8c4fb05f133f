// In charge of the table that maps an identity provider's role words to our roles, as written in a setting. Pure functions.
import { type Role, roles } from '@atelier/contract/enums.ts'

/** Maps a provider's role word, exactly as the provider sends it, to a role. */
export type RoleMap = ReadonlyMap<string, Role>

/** The standard role words of providers. The operator adds words that only their organization uses. */
export const defaultRoleMap = [
  ...['org:admin', 'org:owner', 'admin', 'owner'].map((word) => `${word}=admin`),
  ...['org:member', 'org:writer', 'org:editor', 'member', 'basic_member', 'writer', 'editor'].map(
    (word) => `${word}=writer`,
  ),
  ...['org:viewer', 'org:reader', 'org:guest', 'viewer', 'reader', 'guest', 'guest_member'].map(
    (word) => `${word}=reader`,
  ),
].join(',')

/** Parses `word=role,word=role`; throws with a message that says what is wrong. */
export function parseRoleMap(text: string): RoleMap {
  const map = new Map<string, Role>()
  for (const pair of text.split(',').map((part) => part.trim())) {
    const at = pair.lastIndexOf('=')
    const word = pair.slice(0, Math.max(at, 0)).trim()
    const role = roles.find((known) => known === pair.slice(at + 1).trim())
    if (word === '' || role === undefined) {
      throw new Error(`must list word=role, comma-separated, with the roles ${roles.join(', ')}, not “${pair}”`)
    }
    if (map.has(word)) throw new Error(`names the word ${word} twice`)
    map.set(word, role)
  }
  return map
}
