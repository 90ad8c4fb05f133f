// In charge of wording the reasons for a refusal as part of a longer sentence, for example on a card or beside a button.
import type { Invalid } from '@atelier/contract/wire/errors.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

const mostReasons = 3

export function whyOf(error: Invalid | Refusal): string {
  if (error instanceof Refusal) return error.message
  const reasons = error.detail.slice(0, mostReasons).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  const more = error.detail.length - mostReasons
  return reasons.join('; ') + (more > 0 ? `; and ${more} more` : '')
}
