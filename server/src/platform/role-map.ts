// In charge of parsing the setting that maps the role words of an identity provider to our roles; all functions here are pure.
import { type Role, roles } from '@atelier/contract/enums.ts'

/** Maps a role word, exactly as the provider sends the word, to a role. */
export type RoleMap = ReadonlyMap<string, Role>

/** Standard role words of identity providers. The operator can add words that only their own organization uses. */
export const defaultRoleMap = [
  ...['org:admin', 'org:owner', 'admin', 'owner'].map((word) => `${word}=admin`),
  ...['org:member', 'org:writer', 'org:editor', 'member', 'basic_member', 'writer', 'editor'].map(
    (word) => `${word}=writer`,
  ),
  ...['org:viewer', 'org:reader', 'org:guest', 'viewer', 'reader', 'guest', 'guest_member'].map(
    (word) => `${word}=reader`,
  ),
].join(',')

/** Parses text of the form `word=role,word=role`; throws an error whose message explains what is wrong. */
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
