// In charge of describing a guest link in words: how long it holds, who has used it, and who made it. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { dateWords } from '../lib/dates.ts'
import type { Person } from '../lib/types.ts'

type Link = CallResult<'listGuestLinks'>['items'][number]

export function guestLinkWords({ name, expires_at, guests, looked_at, by }: Link, people: readonly Person[]): string {
  const looked = looked_at ? `looked ${dateWords(looked_at)}` : 'not opened yet'
  const used = `until ${dateWords(expires_at)}, ${guests} ${guests === 1 ? 'guest' : 'guests'}, ${looked}`
  // A link has rights of its own, so it goes on working when its maker loses access.
  const hasLeft = people.some(({ id, active }) => id === by.user_id && !active)
  return `${name}: ${used}, made by ${by.name ?? 'somebody'}${hasLeft ? ', who is deactivated: the link still works' : ''}`
}
