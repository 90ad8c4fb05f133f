// In charge of the words, icons and colours for the states of runs and nodes, and of formatting credits, durations and sizes. Pure.
import type { NodeStatus, RunStatus } from '@atelier/contract/enums.ts'
import { moneyWords } from '@atelier/contract/money.ts'
import type { RunPlan } from '@atelier/contract/runs.ts'
import type { RefusalCode } from '@atelier/contract/wire/errors.ts'
import type { IconName } from '../ui/icons.tsx'
import type { NodeIconName } from './node-icons.tsx'

type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'quiet'
type Look = { label: string; tone: Tone; icon: { own: NodeIconName } | { shared: IconName } }

export const nodeLooks: Record<NodeStatus, Look> = {
  pending: { label: 'Waiting', tone: 'quiet', icon: { shared: 'clock' } },
  running: { label: 'Running', tone: 'accent', icon: { shared: 'run' } },
  awaiting_input: { label: 'Needs an answer', tone: 'warn', icon: { shared: 'help' } },
  succeeded: { label: 'Done', tone: 'ok', icon: { shared: 'check' } },
  cached: { label: 'From the cache', tone: 'ok', icon: { own: 'cache' } },
  failed: { label: 'Failed', tone: 'danger', icon: { shared: 'warning' } },
  skipped: { label: 'Skipped', tone: 'quiet', icon: { own: 'skip' } },
  cancelled: { label: 'Cancelled', tone: 'quiet', icon: { own: 'stop' } },
}

export const runLooks: Record<RunStatus, Look> = {
  draft: { label: 'Draft', tone: 'quiet', icon: { shared: 'edit' } },
  queued: { label: 'Queued', tone: 'accent', icon: { shared: 'clock' } },
  running: { label: 'Running', tone: 'accent', icon: { shared: 'run' } },
  awaiting_input: { label: 'Needs an answer', tone: 'warn', icon: { shared: 'help' } },
  succeeded: { label: 'Succeeded', tone: 'ok', icon: { shared: 'check' } },
  failed: { label: 'Failed', tone: 'danger', icon: { shared: 'warning' } },
  cancelled: { label: 'Cancelled', tone: 'quiet', icon: { own: 'stop' } },
}

/** The hint on a button that is disabled because of the run's state. Null if `code` is null, that is, if the action is allowed. */
export function refusalWords(code: RefusalCode | null): string | null {
  switch (code) {
    case null:
      return null
    case 'run_busy':
      return 'The run is at work. Wait until it rests, or cancel it.'
    case 'run_exported':
      return 'Files of this run are on a card, or proposed as a new take, so it is a record now. Running it again makes a fork.'
    case 'run_deleted':
      return 'The run is deleted. Undelete it first.'
    case 'run_not_at_rest':
      return 'Only a run that has come to rest exports.'
    case 'no_open_question':
      return 'No gate is asking.'
    default:
      return 'The state of the run does not allow this.'
  }
}

/** Formats credits, as in `1 credit` and `2.5 credits`. */
export const creditWords = (credits: number): string =>
  `${Number(credits.toFixed(2))} ${credits === 1 ? 'credit' : 'credits'}`

/** The price of a run in credits, as in `free`, `3 credits`, `1 to 4 credits` and `at least 2 credits`. */
export function costWords({ least, most }: { least: number; most: number | null }): string {
  if (most === null) return least === 0 ? 'price not known yet' : `at least ${creditWords(least)}`
  if (most === 0) return 'free'
  return least === most ? creditWords(least) : `${Number(least.toFixed(2))} to ${creditWords(most)}`
}

/** The price of a run in credits, and in money if the run needs paid services: `10 credits · USD 0.04`. */
export function planWords({ credits, money }: Pick<RunPlan, 'credits' | 'money'>): string {
  const isPaid = money.most !== 0 || money.unpriced.length > 0
  return isPaid ? `${costWords(credits)} · ${moneyWords(money, money.currency)}` : costWords(credits)
}

/** Formats a duration, as in `0.4 s`, `12 s` and `3 min 5 s`. */
export function durationWords(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Formats the size of a file, as in `70 kB` and `1.9 MB`. */
export const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** The hint on a disabled control for users who may read runs but not change them. */
export const mayOnlyLook = 'You may look at runs, and not change them.'
