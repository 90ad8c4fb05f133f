// In charge of the summary of a checkpoint as people read it: with times of their own time zone, and without the id of a run. Pure.
import { fullWords } from '../lib/dates.ts'

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const fromRun = /\bfrom the run ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/i

/** `runId`: the run that the summary names, to which a link leads; null if it names none. */
export function summaryWords(summary: string): { text: string; runId: string | null } {
  const runId = fromRun.exec(summary)?.[1] ?? null
  const text = summary.replace(fromRun, 'from a run').replace(isoTime, (at) => fullWords(at))
  return { text: text.charAt(0).toUpperCase() + text.slice(1), runId }
}
