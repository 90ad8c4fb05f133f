// In charge of the names of tasks in a pasted list, one a line. Pure.
import { oneLine } from '@atelier/contract/one-line.ts'
import { longestTaskName } from '@atelier/contract/task-limits.ts'

/** How many tasks a pasted list may make. Each is a request of its own. */
export const mostPasted = 200

/** The names in a pasted text, without the bullets of a list; null if it is no list but one line. */
export function pastedNames(text: string): string[] | null {
  const names = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => oneLine(line).replace(/^[-*•]\s+/, ''))
    .filter((name) => name !== '')
  return names.length > 1 ? names : null
}

/** Why these names cannot become tasks; null if they can. Lengths are in characters, as the service counts them. */
export function refusedNames(names: readonly string[]): string | null {
  if (names.length > mostPasted) return `A list may have ${mostPasted} names at most.`
  const tooLong = names.findIndex((name) => [...name].length > longestTaskName)
  return tooLong === -1 ? null : `Name ${tooLong + 1} has more than ${longestTaskName} characters.`
}
