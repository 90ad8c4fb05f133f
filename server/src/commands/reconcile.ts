// In charge of `reconcile`: compares the costs that a provider has exported with our ledger, and prints each difference.
import { readFileSync } from 'node:fs'
import { currencyOf } from '@atelier/contract/graph/model-catalogue.ts'
import { amountWords } from '@atelier/contract/money.ts'
import { readLedgerCalls } from '../features/money/ledger-calls.ts'
import { readProviderExport } from '../features/money/provider-export.ts'
import { type ExportRow, type LedgerCall, reconcile, type Span } from '../features/money/reconcile.ts'
import { readConfig } from '../platform/config.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { providerNames } from '../platform/provider-names.ts'
import { argumentError, readOptions } from './arguments.ts'
import { openExisting } from './open.ts'

const help = `Compares a provider's own export of what it was paid for with the ledger, names each difference, and ends with 1 where
there is one.

  npm run reconcile -- --provider openai --file export.csv
  npm run reconcile -- --provider openai --file export.csv --from 2026-11-01 --to 2026-11-30 --within 10

The export is CSV. Its first line names the columns, in any order; others than these are passed over:
  time        2026-11-23T09:30:00Z, with its zone
  model       as the provider calls it
  amount      a decimal in the currency of the ledger: 0.042
  request_id  optional: the Idempotency-Key that the call was sent with, where the provider shows it
  currency    optional: must be that of the ledger

A line without such an id belongs to a call of the same model within --within minutes (10). --from and --to are the days in UTC
that are compared; lines of other days are counted only. Left out, it is the time from the first line to the last.

On PostgreSQL the service may run meanwhile. The embedded database takes one process: stop the service first.`

export async function reconcileExport(args: string[]): Promise<void> {
  const options = choiceIn(args)
  if (options === null) return
  const config = readConfig(process.env)
  const currency = currencyOf(config.models.list)
  const all = readProviderExport(textOf(options.file), options.provider, currency)
  const span = spanOf(all, options)
  const rows = all.filter(({ time }) => time >= span.from && time < span.to)
  const { database } = await openExisting(config, 'compare')
  try {
    const calls = await readLedgerCalls(database.main, {
      ...{ provider: options.provider, currency, span },
      ids: rows.map(({ requestId }) => requestId),
    })
    const found = reconcile(rows, calls, { withinMs: options.withinMs, span })
    const { agreed, differing, onlyExported, onlyBooked, atTheEnd } = found
    const words = (micros: number | null): string => (micros === null ? 'nobody knows' : amountWords(micros, currency))
    const lineWords = ({ line, time, model, amount }: ExportRow) =>
      `line ${line}, ${new Date(time).toISOString()}, ${model}, ${words(amount)}`
    const callWords = ({ id, run_id, model, begun, outcome, amount }: LedgerCall) =>
      `call ${id} of run ${run_id}, ${new Date(begun).toISOString()}, ${model}, ${outcome}, ${words(amount)}`
    for (const { row, call } of differing)
      console.log(`Other amount: the export has ${lineWords(row)}; the ledger has ${callWords(call)}`)
    for (const row of onlyExported) console.log(`Only in the export: ${lineWords(row)}`)
    for (const call of onlyBooked) console.log(`Only in the ledger: ${callWords(call)}`)
    for (const call of atTheEnd) console.log(`Under way at the end, look for it in the next export: ${callWords(call)}`)
    const sum = agreed.reduce((total, { row }) => total + row.amount, 0)
    console.log(
      `Calls that agree: ${agreed.length} (${words(sum)}). Of another amount: ${differing.length}; only in the export: ${onlyExported.length}; only in the ledger: ${onlyBooked.length}.`,
    )
    const others = all.length - rows.length
    if (others > 0) console.log(`Lines of other days than these, which were not compared: ${others}.`)
    if (differing.length + onlyExported.length + onlyBooked.length > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`The export cannot be read: ${wordsOf(error)}`)
  }
}

const day = 86_400_000

type Options = { provider: string; file: string; from: number | null; to: number | null; withinMs: number }

function spanOf(rows: readonly ExportRow[], { from, to, withinMs }: Options): Span {
  const first = from ?? rows.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY) - withinMs
  const last = to === null ? rows.reduce((most, { time }) => Math.max(most, time), 0) + withinMs : to + day
  if (!Number.isFinite(first) || last <= 0)
    throw new OperatorError('The export has no lines: say which days it is about, with --from and --to.')
  return { from: first, to: last }
}

function choiceIn(args: string[]): Options | null {
  const text = { type: 'string' } as const
  const values = readOptions(args, help, { provider: text, file: text, from: text, to: text, within: text })
  if (values === null) return null
  const { provider, file, from, to, within = '10' } = values
  if (!provider || !file) throw argumentError('Say which provider, and where its export is.', help)
  if (!providerNames.includes(provider))
    throw argumentError(`“${provider}” is no provider; the ledger has calls of ${providerNames.join(', ')}.`, help)
  if (!/^\d{1,4}$/.test(within)) throw argumentError('--within takes minutes, such as 10.', help)
  const [first, last] = [dayOf(from), dayOf(to)]
  if (first !== null && last !== null && first > last) throw argumentError(`--from ${from} is after --to ${to}.`, help)
  return { provider, file, from: first, to: last, withinMs: Number(within) * 60_000 }
}

function dayOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Without the second check, 2026-02-31 would be 3 March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw argumentError(`“${text}” is no day such as 2026-11-01.`, help)
  return time
}
