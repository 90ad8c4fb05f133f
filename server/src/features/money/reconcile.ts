// In charge of comparing a provider's list of charges with the ledger, by matching lines with calls. Pure.

/** A line of a provider's list of charges. `time` is in milliseconds since 1970, `amount` in millionths of the currency. */
export type ExportRow = { line: number; time: number; model: string; requestId: string; amount: number }

/** A call in the ledger. `begun` and `ended` are in milliseconds since 1970; `amount` is in millionths, null if it is not known. */
export type LedgerCall = {
  id: string
  run_id: string
  model: string
  outcome: string
  begun: number
  ended: number
  amount: number | null
}

/** From one time to another one, which does not belong to it, in milliseconds since 1970. */
export type Span = { from: number; to: number }

type Pair = { row: ExportRow; call: LedgerCall }
export type Reconciled = {
  agreed: Pair[]
  /** Pairs in which the amounts differ, or in which the ledger has no amount. */
  differing: Pair[]
  onlyExported: ExportRow[]
  /** Calls that began within the span and match no line, except calls that were free, and those of `atTheEnd`. */
  onlyBooked: LedgerCall[]
  /** Like `onlyBooked`, but calls that were still under way at the end of the span: the next list may have their lines. */
  atTheEnd: LedgerCall[]
}

/**
 * Matches each line with the call that has the line's `requestId` as its id. If there is no such call, a line is matched with a
 * call of the same model that was under way at most `withinMs` before or after the line's time: if possible with a call of the same
 * amount, otherwise with one of any amount, and as a last resort with a call that was free. Of several calls that fit alike, the one
 * that ends first is taken. A call matches one line at most. `span` is what the list is about: a call that began before it belongs to
 * the list before, and is not missed in this one.
 */
export function reconcile(
  rows: readonly ExportRow[],
  calls: readonly LedgerCall[],
  { withinMs, span }: { withinMs: number; span: Span },
): Reconciled {
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
  const missed = [...left.calls].filter((call) => !isFree(call) && call.begun >= span.from && call.begun < span.to)
  // A call of unknown outcome may have been given up days after it ended, so its end says nothing.
  const isAtTheEnd = ({ ended, outcome }: LedgerCall): boolean => outcome !== 'unknown' && ended >= span.to
  return {
    agreed: pairs.filter(({ row, call }) => row.amount === call.amount),
    differing: pairs.filter(({ row, call }) => row.amount !== call.amount),
    onlyExported: [...left.rows],
    onlyBooked: missed.filter((call) => !isAtTheEnd(call)),
    atTheEnd: missed.filter(isAtTheEnd),
  }
}

const byTime = <T>(all: readonly T[], time: (one: T) => number): T[] => all.toSorted((a, b) => time(a) - time(b))

/**
 * Pairs each line with one of the unpaired calls that were under way at most `withinMs` before or after the line's time: with the one
 * that ends first, because the others may also fit later lines. Rows must be sorted by `time`, calls by `begun`.
 */
function match(
  rows: readonly ExportRow[],
  calls: readonly LedgerCall[],
  withinMs: number,
  pair: (row: ExportRow, call: LedgerCall) => void,
): void {
  // The calls that fit a line at or before the present one, sorted by `ended`; those before `first` are paired or too old.
  const reached: LedgerCall[] = []
  let [first, next] = [0, 0]
  for (const row of rows) {
    for (let call = calls[next]; call && call.begun - withinMs <= row.time; call = calls[next]) {
      insertByEnd(reached, call, first)
      next += 1
    }
    while (first < reached.length && (reached[first]?.ended ?? 0) + withinMs < row.time) first += 1
    const call = reached[first]
    if (call === undefined) continue
    pair(row, call)
    first += 1
  }
}

/** Inserts a call behind those that end before it, from `first` on. Few calls are passed: those that began before it and end later. */
function insertByEnd(calls: LedgerCall[], call: LedgerCall, first: number): void {
  let at = calls.length
  while (at > first && (calls[at - 1]?.ended ?? 0) > call.ended) at -= 1
  calls.splice(at, 0, call)
}
