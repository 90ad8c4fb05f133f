// In charge of finding people in the list of the workspace by a part of their name or address. Pure.
import { foldText } from '@atelier/contract/fold.ts'
import type { Person } from '../lib/types.ts'

/** Whether a list is so long that it has a field in which the user finds a person. */
export const isLong = (people: readonly unknown[]): boolean => people.length > 20

export function findPeople<P extends Pick<Person, 'name' | 'email'>>(people: readonly P[], wanted: string): P[] {
  const part = foldText(wanted.trim())
  return people.filter(({ name, email }) => [name, email].some((text) => foldText(text ?? '').includes(part)))
}
