// In charge of what is written before a call: the claim of its cache key, and its ledger entry. Both are written in a
// transaction of the saver together with other saves, so that the result of one call and the ledger entry of the next call
// share a commit.
import { type Db, together } from '../../platform/db.ts'
import { type UnitState, unitKey } from '../model/units.ts'
import { type Claimed, claimKeys, type KnownResult, releaseKeys } from '../store/cache.ts'
import { type Intended, type Intent, intend } from '../store/ledger.ts'
import type { RunLease } from '../store/runs.ts'
import type { CallVerdict, PricedCall } from './call-costs.ts'

/**
 * `call`: the call may be made. `known`: the cache has its result. `held`: the call has to wait, because another run or
 * another unit of this run is computing the outputs for its key, or because the cache has its result, but too many bytes had been
 * read already; the next look-up reads it. `unbounded`: the call has to wait, because calls without a maximum cost are made one
 * at a time, and one is in progress. `refused`: the call may not be paid for.
 */
export type Admitted =
  | { kind: 'call'; intent: Intent | null }
  | { kind: 'known'; result: KnownResult }
  | { kind: 'held' | 'unbounded' }
  | { kind: 'refused'; why: string }

/**
 * A call that asks for its admission. `key`: its cache key; null if its outputs are not cached. `intent`: the ledger entry to
 * open for it; null if it costs nothing and may be repeated. `admitted`: the decision, which `admit` sets.
 */
export type Admission = {
  /** The state of the unit during the call. */
  unit: UnitState
  key: string | null
  intent: Pick<Intended, 'id' | 'estimate' | 'cost'> | null
  admitted: Admitted
}

/**
 * Cache key → unit key of the unit of this run that is computing the outputs for the cache key. It has to be noted here,
 * because the claim in the database names only the run.
 */
export type HeldKeys = Map<string, string>

/**
 * Claims the keys of calls. `calls`: those that have to be made. `found`: the results that the cache already has for the keys
 * of other calls. `unread`: the keys for which it has results that were not read. Calls that are neither in `calls` nor in `found`
 * have to wait.
 */
export async function takeKeys(
  tx: Db,
  runLease: RunLease,
  asked: readonly Admission[],
  held: HeldKeys,
): Promise<{ calls: readonly Admission[]; found: Claimed['found']; unread: readonly string[] }> {
  if (asked.length === 0) return { calls: [], found: new Map(), unread: [] }
  const holders = new Map(held)
  for (const { key, unit } of asked) if (key !== null && !holders.has(key)) holders.set(key, unitKey(unit))
  const wanted = asked.filter(({ key, unit }) => key === null || holders.get(key) === unitKey(unit))
  const keys = wanted.flatMap(({ key }) => (key === null ? [] : [key]))
  const claim = await claimKeys(tx, keys, runLease)
  const found = new Map([...claim.found].filter(([key]) => claim.claimed.has(key)))
  const unread = claim.unread.map(({ key }) => key).filter((key) => claim.claimed.has(key))
  const known = new Set([...found.keys(), ...unread])
  const calls = wanted.filter(({ key }) => key === null || (claim.claimed.has(key) && !known.has(key)))
  return { calls, found, unread }
}

/** Those of the calls that have a price, which budgets and limits have to allow. */
export const pricedOf = (calls: readonly Admission[]): PricedCall[] =>
  calls.flatMap(({ unit, intent }) => (intent?.cost ? [{ unit, cost: intent.cost }] : []))

export type Verdicts = ReadonlyMap<string, CallVerdict>

/** Whether a call may be made. `verdicts`: by unit key; a call without a verdict may be made. */
export const isAllowed = ({ unit }: Admission, verdicts: Verdicts): boolean =>
  (verdicts.get(unitKey(unit))?.kind ?? 'pay') === 'pay'

/** The states that units with a ledger entry have during their calls, to be saved before the calls begin. */
export const begunBy = (calls: readonly Admission[]): UnitState[] =>
  calls.flatMap(({ unit, intent }) => (intent === null ? [] : [unit]))

/** Notes each decision. Writes the ledger entries of the calls that may be made, and releases the keys of the others. */
export async function admit(
  tx: Db,
  runLease: RunLease,
  asked: readonly Admission[],
  { calls, found, unread, verdicts }: Awaited<ReturnType<typeof takeKeys>> & { verdicts: Verdicts },
): Promise<void> {
  const made = calls.filter((call) => isAllowed(call, verdicts))
  const left = calls.filter((call) => !isAllowed(call, verdicts)).flatMap(({ key }) => (key === null ? [] : [key]))
  const over = [...found.keys(), ...unread, ...left]
  const [intents] = await together([
    intend(
      tx,
      runLease,
      made.flatMap(({ unit: { node, item }, intent }) => (intent === null ? [] : [{ node, item, ...intent }])),
    ),
    over.length > 0 && releaseKeys(tx, over, runLease),
  ])
  for (const one of asked) {
    const result = one.key === null ? undefined : found.get(one.key)
    const verdict = verdicts.get(unitKey(one.unit))
    if (verdict?.kind === 'refuse') one.admitted = { kind: 'refused', why: verdict.why }
    else if (made.includes(one))
      one.admitted = { kind: 'call', intent: one.intent && (intents.get(one.intent.id) ?? null) }
    else if (verdict?.kind === 'wait') one.admitted = { kind: 'unbounded' }
    else one.admitted = result ? { kind: 'known', result } : { kind: 'held' }
  }
}
