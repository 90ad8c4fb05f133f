// In charge of what is written before a call: the right to compute its key, and its entry in the ledger. In the transaction of
// the save that it shares, so that the result of one call and the intent of the next wait for one commit.
import { type Db, together } from '../../platform/db.ts'
import { type UnitState, unitKey } from '../model/units.ts'
import { type Claimed, claimKeys, releaseKeys } from '../store/cache.ts'
import { type Intended, type Intent, intend } from '../store/ledger.ts'
import type { RunLease } from '../store/runs.ts'
import { judgeCalls } from './call-costs.ts'

/** What may become of it: the call may go out; its outputs are known; somebody else computes its key, or it has to be alone; or it may not be paid. */
export type Admitted =
  | { kind: 'call'; intent: Intent | null }
  | { kind: 'known'; outputs: Record<string, unknown> }
  | { kind: 'held' }
  | { kind: 'refused'; why: string }

/** `key`: of a call that is cached; null for others. `intent`: of a call that may cost something. */
export type Admission = {
  /** As it is to be while the call is under way. */
  unit: UnitState
  key: string | null
  intent: Pick<Intended, 'id' | 'estimate' | 'cost'> | null
  admitted: Admitted
}

/** Key → the unit of this worker's run that computes it: a claim in the database says only which run does. */
export type HeldKeys = Map<string, string>

/** Takes the keys of what is asked, and finds which calls are to be made. */
export async function takeKeys(
  tx: Db,
  runLease: RunLease,
  asked: readonly Admission[],
  held: HeldKeys,
): Promise<{ calls: readonly Admission[]; found: Claimed['found'] }> {
  if (asked.length === 0) return { calls: [], found: new Map() }
  const holders = new Map(held)
  for (const { key, unit } of asked) if (key !== null && !holders.has(key)) holders.set(key, unitKey(unit))
  const wanted = asked.filter(({ key, unit }) => key === null || holders.get(key) === unitKey(unit))
  const keys = wanted.flatMap(({ key }) => (key === null ? [] : [key]))
  const { claimed, found } = await claimKeys(tx, keys, runLease)
  const ours = new Map([...found].filter(([key]) => claimed.has(key)))
  const calls = wanted.filter(({ key }) => key === null || (claimed.has(key) && !ours.has(key)))
  return { calls, found: ours }
}

/** What is begun by these calls. */
export const begunBy = (calls: readonly Admission[]): UnitState[] =>
  calls.flatMap(({ unit, intent }) => (intent === null ? [] : [unit]))

/** Writes the intents of calls, and decides each admission. */
export async function admit(
  tx: Db,
  runLease: RunLease,
  asked: readonly Admission[],
  { calls, found }: Awaited<ReturnType<typeof takeKeys>>,
): Promise<void> {
  const priced = calls.flatMap(({ unit, intent }) => (intent?.cost ? [{ unit, cost: intent.cost }] : []))
  const verdicts = await judgeCalls(tx, runLease, priced)
  const isPaid = ({ unit }: Admission): boolean => (verdicts.get(unitKey(unit))?.kind ?? 'pay') === 'pay'
  const made = calls.filter(isPaid)
  const left = calls.filter((call) => !isPaid(call)).flatMap(({ key }) => (key === null ? [] : [key]))
  const over = [...found.keys(), ...left]
  const [intents] = await together([
    intend(
      tx,
      runLease,
      made.flatMap(({ unit: { node, item }, intent }) => (intent === null ? [] : [{ node, item, ...intent }])),
    ),
    over.length > 0 && releaseKeys(tx, over, runLease),
  ])
  for (const one of asked) {
    const outputs = one.key === null ? undefined : found.get(one.key)
    const verdict = verdicts.get(unitKey(one.unit))
    if (verdict?.kind === 'refuse') one.admitted = { kind: 'refused', why: verdict.why }
    else if (made.includes(one))
      one.admitted = { kind: 'call', intent: one.intent && (intents.get(one.intent.id) ?? null) }
    else one.admitted = outputs ? { kind: 'known', outputs } : { kind: 'held' }
  }
}
