// In charge of bringing back a deleted template under a name that no other template has. Pure, apart from what `create` does.
import { longestTemplateName } from '@atelier/contract/task-limits.ts'
import { hasCode } from '../lib/errors.ts'

/**
 * Calls `create` with the name that the deleted template had. If another template has this name by now, tries the name with the
 * numbers 2, 3 and so on, as in `Hooks 2`. Returns the name that was free.
 */
export async function createUnderFreeName(name: string, create: (name: string) => Promise<unknown>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const wish = number === 1 ? name : numbered(name, number)
    try {
      await create(wish)
      return wish
    } catch (error) {
      if (!hasCode(error, 'template_exists')) throw error
    }
  }
}

function numbered(name: string, number: number): string {
  const suffix = ` ${number}`
  return [...name].slice(0, longestTemplateName - suffix.length).join('') + suffix
}
