// In charge of whether the creative in the viewer was deleted while it is open, and of the message about that. Pure.
import { hasCode } from '../lib/errors.ts'

/** `deleted`: the creative can still be restored. `gone`: it cannot. */
export type Absence = 'deleted' | 'gone'

/** `creative`: what was read last; `error`: why the last attempt to read it failed. */
export function absenceOf(creative: { deleted_at: string | null } | undefined, error: unknown): Absence | null {
  if (hasCode(error, 'not_found')) return 'gone'
  return creative === undefined || creative.deleted_at === null ? null : 'deleted'
}

export const absenceWords: Readonly<Record<Absence, string>> = {
  deleted: 'This creative was deleted. Until somebody restores it, nothing can be decided or said about it.',
  gone: 'This creative was deleted for good. Nothing can be decided or said about it any more.',
}
