// In charge of what became of a launch that a user has recorded, which the service answers only in part. Pure.
import type { Launch } from '../lib/types.ts'

/**
 * `new`: it was recorded now. `before`: it had been recorded already. `voided`: it had been recorded and then taken back or corrected,
 * so that it is not recorded. `waiting`: no creative has the name any more. An object: another creative has the name now; `recorded`
 * is false if a launch like this one had been recorded for it already, so that nothing was recorded now.
 */
export type Outcome = 'new' | 'before' | 'voided' | 'waiting' | Elsewhere
type Elsewhere = { elsewhere: string; recorded: boolean }

/** A launch as it was sent. `creativeId`: null for a launch of the whole pack; `launched_at`: null for “now”. */
export type Sent = { ad_id: string; launched_at: string | null; creativeId: string | null }

/** `creative_id`: the creative to which the service gave the launch; missing for a launch of the pack. */
type Reply = { recorded: boolean; creative_id?: string | null }

/** Returns the outcome; `repeated` if that depends on the launches of the task, see `outcomeOfRepeat`. */
export function outcomeOf(sent: Sent, { recorded, creative_id }: Reply): Outcome | 'repeated' {
  if (creative_id === null) return 'waiting'
  // Launches are recorded by name: the creative may have been renamed meanwhile, and another one may have got its name.
  if (creative_id !== undefined && creative_id !== sent.creativeId) return { elsewhere: creative_id, recorded }
  return recorded ? 'new' : 'repeated'
}

/** What a user is told of a launch, sent by the name of a creative, whose name belongs to another creative by now. */
export const elsewhereWords = (name: string, adId: string, recorded: boolean): string =>
  recorded
    ? `“${name}” is the name of another creative by now, and the launch under ${adId} went to that one.`
    : `Nothing was recorded: “${name}” is the name of another creative by now, which had this launch under ${adId} before.`

type KnownLaunch = Pick<Launch, 'ad_id' | 'launched_at' | 'creative_id' | 'voided'>

/** Why a launch was not recorded. The service never records a launch again that equals a voided one: that would repeat a mistake. */
export function outcomeOfRepeat({ ad_id, launched_at, creativeId }: Sent, launches: readonly KnownLaunch[]): Outcome {
  const equal = launches.filter(
    (one) =>
      one.ad_id === ad_id &&
      one.creative_id === creativeId &&
      (launched_at === null || Date.parse(one.launched_at) === Date.parse(launched_at)),
  )
  return equal.length > 0 && equal.every(({ voided }) => voided !== null) ? 'voided' : 'before'
}
