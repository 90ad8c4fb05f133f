// In charge of comparing a provider's list of charges with the ledger: which lines and calls belong together. Pure.

/** A line of a provider's export. `time` in milliseconds, `amount` in millionths. */
export type ExportRow = { line: number; time: number; model: string; requestId: string; amount: number }

/** A call in the ledger, from its start to its end. `amount`: null if it is not known. */
export type LedgerCall = {
  id: string
  run_id: string
  model: string
  outcome: string
  begun: number
  ended: number
  amount: number | null
}

type Pair = { row: ExportRow; call: LedgerCall }
export type Reconciled = {
  agreed: Pair[]
  /** Pairs in which the ledger has a different amount, or none. */
  differing: Pair[]
  onlyExported: ExportRow[]
  /** Calls without a line; calls that cost nothing are left out. */
  onlyBooked: LedgerCall[]
}

/**
 * A line belongs to the call with the same id. Without an id it belongs to a call of the same model at about the same time: first
 * with the same amount, then with any amount, and last to a call that the ledger records as free.
 */
export function reconcile(rows: readonly ExportRow[], calls: readonly LedgerCall[], withinMs: number): Reconciled {
  const left = { rows: new Set(byTime(rows, ({ time }) => time)), calls: new Set(byTime(calls, ({ begun }) => begun)) }
  const pairs: Pair[] = []
  const pair = (row: ExportRow, call: LedgerCall): void => {
    pairs.push({ row, call })
    left.rows.delete(row)
    left.calls.delete(call)
  }
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const row of rows) {
    const call = byId.get(row.requestId)
    if (call && left.calls.has(call)) pair(row, call)
  }
  const isFree = (call: LedgerCall): boolean => call.outcome === 'free'
  const rounds: { isMeant: (call: LedgerCall) => boolean; key: (one: ExportRow | LedgerCall) => string }[] = [
    { isMeant: (call) => !isFree(call), key: ({ model, amount }) => `${model} ${amount}` },
    { isMeant: (call) => !isFree(call), key: ({ model }) => model },
    { isMeant: isFree, key: ({ model }) => model },
  ]
  for (const { isMeant, key } of rounds) {
    const waiting = Map.groupBy([...left.calls].filter(isMeant), key)
    for (const [group, some] of Map.groupBy(left.rows, key)) match(some, waiting.get(group) ?? [], withinMs, pair)
  }
  return {
    agreed: pairs.filter(({ row, call }) => row.amount === call.amount),
    differing: pairs.filter(({ row, call }) => row.amount !== call.amount),
    onlyExported: [...left.rows],
    onlyBooked: [...left.calls].filter((call) => !isFree(call)),
  }
}

const byTime = <T>(all: readonly T[], time: (one: T) => number): T[] => all.toSorted((a, b) => time(a) - time(b))

/** Both lists are sorted by time: each line takes the first call that matches. */
function match(
  rows: readonly ExportRow[],
  calls: readonly LedgerCall[],
  withinMs: number,
  pair: (row: ExportRow, call: LedgerCall) => void,
): void {
  let at = 0
  for (const row of rows) {
    while (at < calls.length && (calls[at]?.ended ?? 0) + withinMs < row.time) at += 1
    const call = calls[at]
    if (call === undefined) return
    if (call.begun - withinMs > row.time) continue
    pair(row, call)
    at += 1
  }
}
