// In charge of the table from an identity provider's role words to our roles, as a setting writes it. Pure.
import { type Role, roles } from '@atelier/contract/enums.ts'

/** A provider's word, exactly as it sends it, and the role it gives. */
export type RoleMap = ReadonlyMap<string, Role>

/** The words that providers ship with. A word of an organization's own is added by the operator. */
export const defaultRoleMap = [
  ...['org:admin', 'org:owner', 'admin', 'owner'].map((word) => `${word}=admin`),
  ...['org:member', 'org:writer', 'org:editor', 'member', 'basic_member', 'writer', 'editor'].map(
    (word) => `${word}=writer`,
  ),
  ...['org:viewer', 'org:reader', 'org:guest', 'viewer', 'reader', 'guest', 'guest_member'].map(
    (word) => `${word}=reader`,
  ),
].join(',')

/** Reads `word=role,word=role`; throws with what is wrong. */
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
