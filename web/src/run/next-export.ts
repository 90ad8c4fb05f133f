// In charge of choosing what fits into one export request when a run has more files than such a request accepts. Pure.
import type { ExportPlan } from '@atelier/contract/exports.ts'
import { isPlanned } from './export-body.ts'
import type { Output } from './outputs.ts'

/** The most files that one export request accepts. */
export const atOnce = 500

/** Where a file comes from, and the creative that it is on the card already; null if it is not there yet. */
type Planned = Pick<ExportPlan['files'][number], 'node_id' | 'port' | 'item' | 'index' | 'creative_id'>

/**
 * Returns the first outputs that are not on the card yet, at most as many as one request accepts. `plan` asks the service about as
 * many outputs.
 */
export async function nextExport(
  outputs: readonly Output[],
  plan: (some: readonly Output[]) => Promise<readonly Planned[]>,
): Promise<Output[]> {
  const found: Output[] = []
  for (let at = 0; at < outputs.length && found.length < atOnce; at += atOnce) {
    const some = outputs.slice(at, at + atOnce)
    const planned = await plan(some)
    const isThere = (output: Output) => planned.some((one) => one.creative_id !== null && isPlanned(output, one))
    found.push(...some.filter((output) => !isThere(output)))
  }
  return found.slice(0, atOnce)
}
