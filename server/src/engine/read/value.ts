// In charge of reading one complete output of a unit. A request names the output by run, node, item and port.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { unitsOf } from '../model/units.ts'
import type { RunRow } from '../store/runs.ts'
import { findValue, readValuePart } from '../store/unit-pages.ts'
import { findItems, readUnitStates } from '../store/unit-store.ts'

export type Named = { node: string; port: string; item?: number; digest?: string }
export type Value = { digest: string; text: string | AsyncGenerator<string, Record<never, never>> }

/** How many characters are read and sent at a time. */
const partLength = 512 * 1024

/**
 * Returns the JSON text of a value, as a stream if it is long. Throws if there is no such value, or if its digest is not the
 * one in `named`.
 */
export async function openValue(db: Db, run: RunRow, named: Named): Promise<Value> {
  const { node, port } = named
  const item = await itemOf(db, run, named)
  const found = item === undefined ? undefined : await findValue(db, run.id, { node, item }, port)
  if (item === undefined || !found) throw notThere(run, named)
  if (named.digest !== undefined && named.digest !== found.digest) {
    const what = `What the run ${run.id} has at ${placeOf(named)} is another value by now.`
    throw new Refusal('not_found', `${what} Read the run again.`)
  }
  const { digest, change, characters } = found
  const at = { node, item, port, change }
  const first = await readValuePart(db, run.id, at, 0, partLength)
  if (first === undefined) throw notThere(run, named)
  return { digest, text: characters <= partLength ? first : rest(db, run.id, at, first, characters) }
}

/** The name of the requested item; empty for the node itself. Undefined if the node or item has no valid result. */
async function itemOf(db: Db, run: RunRow, { node, item }: Named): Promise<string | undefined> {
  const [found] = item === undefined ? [] : await findItems(db, run.id, [{ node, position: item }])
  const name = item === undefined ? '' : found?.item
  if (name === undefined) return undefined
  const units = await readUnitStates(db, run.id, node, ['', name])
  const unit = unitsOf(run.generation, units, {}).find((one) => one.item === name)
  return unit?.outputs ? name : undefined
}

async function* rest(
  db: Db,
  runId: string,
  at: Parameters<typeof readValuePart>[2],
  first: string,
  characters: number,
): AsyncGenerator<string, Record<never, never>> {
  yield first
  for (let from = partLength; from < characters; from += partLength) {
    const part = await readValuePart(db, runId, at, from, partLength)
    if (part === undefined) throw new Error(`A value of the run ${runId} was written anew while it was sent.`)
    yield part
  }
  return {}
}

const placeOf = ({ node, item, port }: Named): string =>
  `“${port}” of “${node}”${item === undefined ? '' : `, item ${item}`}`

const notThere = (run: RunRow, named: Named): Refusal =>
  new Refusal(
    'not_found',
    `The run ${run.id} has nothing at ${placeOf(named)}. Its nodes say what there is; of a node that runs once per element, name the item.`,
  )
