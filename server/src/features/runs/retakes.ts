// In charge of making a file of a run again: building the request to start the run, planning and starting it, requesting an
// approval for the start, and preparing the new file for the card.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { RunStart } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { unitKey } from '../../engine/model/units.ts'
import { readRolls } from '../../engine/store/marks.ts'
import type { LockedRun, RunRow } from '../../engine/store/runs.ts'
import { readUnits } from '../../engine/store/unit-store.ts'
import { startRun } from '../../engine/transitions/start.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { askForApproval } from './approvals.ts'
import { countFiles } from './choose-outputs.ts'
import { inputsByUnit, outputFor, readBehind } from './export.ts'
import { clearingOf, planOf, type RunServices, startingOf } from './routes.ts'
import { type Preparing, prepareExport } from './signing.ts'
import { wordsPlace, wordsPort } from './words-place.ts'

/** A file in the outputs of a run. */
type Output = { node_id: string; port: string; item: number | null; index: number | null }

export function retakesOf(services: RunServices & Preparing) {
  const { nodeTypes, find } = services
  const starting = startingOf(services)
  return {
    /**
     * Builds the request to make one file again, with `words` added to what the model is told. Returns null if neither the node
     * that made the file nor a suitable node before it accepts words. Refuses if the file is one of several of its item and it is
     * not known which one: the start would be paid for, and could bring another of these files.
     */
    async ask(db: Db, run: RunRow, output: Output, words: string): Promise<RunStart | null> {
      const { node_id, item } = output
      const definition = readDefinition(run.definition)
      const place = wordsPlace(definition, nodeTypes.wire, node_id, item)
      if (!place) return null
      if (countFiles(await readUnits(db, run.id, { whole: new Set([node_id]) }), output) > 1)
        throw new Refusal(
          'take_impossible',
          'This picture is one of several that were made together, and it was not noted which one. Put a changed file on the creative instead.',
        )
      const units = await readBehind(db, run, [{ node_id: place.node }])
      const unit = units.find((one) => one.node === place.node && one.position === place.item)
      if (!unit) return null
      const before = (await inputsByUnit(db, run, units, find)).get(unitKey(unit))?.[wordsPort]
      const own = (await readRolls(db, run.id)).find((roll) => unitKey(roll) === unitKey(unit))?.inputs
      const changes = typeof before === 'string' && before.trim() !== '' ? `${before.trim()}\n${words}` : words
      const inputs = { ...own, [wordsPort]: changes }
      return { targets: [node_id], regenerate: [{ node_id: place.node, item: place.item, inputs }] }
    },
    plan: (db: Db, run: RunRow, asked: RunStart) => planOf(services, db, run, asked),
    start: (tx: Db, run: LockedRun, asked: RunStart, actor: Actor): Promise<string> =>
      startRun(starting(tx, actor), run, asked),
    /** Requests an approval for the start, and returns the approval as JSON text in the form of the API. */
    approve: (tx: Db, run: LockedRun, body: RunStart, reviewCommentId: string, actor: Actor): Promise<string> =>
      askForApproval(tx, clearingOf(services, actor), { run, body, reviewCommentId }, actor),
    /** Prepares a file of a run for a card, outside any transaction. Returns a function that gets the file inside a transaction. */
    async prepare(runId: string, taskId: string, output: Output) {
      const asked = { runId, taskId, outputs: [output], again: true, isUnattended: true }
      const prepared = await prepareExport(services, asked)
      return (tx: Db, run: LockedRun, actor: Actor) => outputFor({ tx, run, actor, find, prepared }, output)
    },
  }
}
