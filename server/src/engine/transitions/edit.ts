// In charge of changing a run's own copy of the definition and layout, and of removing the results that are not valid after that.
import { type Definition, filesIn } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { RunPatch } from '@atelier/contract/runs.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { signatureOf } from '../model/signature.ts'
import { freshUnit } from '../model/units.ts'
import { type LockedRun, lockRun, setColumns, updateRun } from '../store/runs.ts'
import { deleteUnits, readStatuses, saveUnits, useFiles } from '../store/unit-store.ts'
import { changedNodes } from './changed-nodes.ts'
import { keepBeforeEdit, writeRunCheckpoint } from './history.ts'
import { unknownNodes } from './start-problems.ts'
import { columnsFor } from './states.ts'

/** Applies a patch to a run that the caller has locked. */
export async function editRun(tx: Db, run: LockedRun, patch: RunPatch, actor: Actor): Promise<void> {
  const { definition, ui_state, targets, ...pins } = patch
  const isEdit = definition !== undefined || ui_state !== undefined || targets !== undefined
  const refusal = isEdit ? runRefuses.edit(run) : runRefuses.pin(run)
  if (refusal) throw new Refusal(refusal, `The run ${run.id} cannot be changed: ${whyNot[refusal] ?? run.status}.`)
  const after = readDefinition(definition ?? run.definition)
  const problems = unknownNodes(targets ?? [], after, ['body', 'targets'])
  if (problems.length > 0) throw new Invalid(problems)
  const signature = definition === undefined ? run.signature : signatureOf(definition)
  const redefined = signature !== run.signature
  if (redefined) await keepBeforeEdit(tx, run, actor)
  await updateRun(tx, run.id, { ...pins, ...columnsOf(run, patch, signature) }, run.now)
  const isReaimed = run.status === 'awaiting_input' && !isSameList(targets ?? run.targets, run.targets)
  if (redefined || isReaimed) await forgetChanged(tx, run, readDefinition(run.definition), after)
  if (definition !== undefined)
    await useFiles(
      tx,
      'run',
      run.id,
      filesIn(definition).map(({ digest }) => digest),
    )
  if (definition === undefined && ui_state === undefined) return
  const edited = await lockRun(tx, run.id)
  if (!edited) throw new Error(`The run ${run.id} is gone while it is locked.`)
  const summary = redefined ? 'Definition changed' : 'Layout changed'
  await writeRunCheckpoint(tx, edited, { kind: 'edited', summary, actor, layoutOnly: !redefined })
}

function columnsOf({ changes }: LockedRun, { definition, ui_state, targets }: RunPatch, signature: string) {
  const isDrawn = definition !== undefined || ui_state !== undefined
  return {
    ...(definition === undefined ? {} : { definition: JSON.stringify(definition), signature }),
    ...(ui_state === undefined ? {} : { ui_state: JSON.stringify(ui_state) }),
    ...(targets === undefined ? {} : { targets, targets_prepared: true }),
    ...(isDrawn ? { changes: changes + 1, last_edit: changes + 1 } : {}),
  }
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index])

const whyNot: Record<string, string> = {
  run_exported:
    'it has exported, and is the record of what made those files; start it to get a fork that can be changed',
  run_busy: 'it is being executed; cancel it or wait',
  run_deleted: 'it is deleted; undelete it first',
}

/**
 * Called if the definition of a run has changed, or the targets of a parked run. The run becomes a draft: valid results stay,
 * other units become pending, and open questions are removed. New targets apply only to the next start: if the run stayed
 * parked, a worker would go on with the new targets after an answer, and might leave out a gate that waits for an answer.
 */
async function forgetChanged(tx: Db, run: LockedRun, before: Definition, after: Definition): Promise<void> {
  const units = await readStatuses(tx, run.id)
  const changed = changedNodes(before, after)
  for (const { node, status } of units) if (status === 'awaiting_input') changed.add(node)
  const known = new Set(units.map(({ node }) => node))
  await deleteUnits(tx, run.id, [...changed])
  const anew = [...changed].filter((id) => known.has(id) && Object.hasOwn(after.nodes, id))
  await saveUnits(
    tx,
    run.id,
    anew.map((node) => freshUnit({ node, item: '' })),
    { change: run.changes + 1, generation: run.generation },
  )
  await setColumns(tx, run.id, columnsFor.edit(run))
}
