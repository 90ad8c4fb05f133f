// In charge of wiring automations: starting runs when tasks enter a status, and processing these runs when they end.
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import type { RunQueue } from '../engine/store/queue.ts'
import { automationsOn } from '../features/automations/enter.ts'
import { type Acts, settleAutomations } from '../features/automations/settle.ts'
import { barringOf } from '../features/marks/barring.ts'
import { creativeOf, exportOutputs, refuseExport } from '../features/runs/export.ts'
import { type Preparing, prepareExport } from '../features/runs/signing.ts'
import { createCreative } from '../features/tasks/creatives/write.ts'
import type { Barring, Entering } from '../features/tasks/store.ts'
import { changeTasks } from '../features/tasks/write.ts'
import type { Registry } from '../nodes/registry.ts'
import type { Changes } from '../platform/changes.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type Follower, followRuns } from './follow-runs.ts'

/** After `start` was called: puts the files of automations' runs on the cards of their tasks, and moves these tasks. */
export type Automations = Follower & {
  /** Called when tasks enter a status. It starts the runs of the automations for that status. */
  entering: Entering
}

type Entries = { config: Config; queue: RunQueue; nodeTypes: Registry }
type Given = Entries & { database: Database; log: Log; changes: Changes } & Omit<Preparing, 'database' | 'find'>

/** Creates the function that is called when tasks enter a status. */
export const enteringOf = ({ config, queue, nodeTypes }: Entries): Entering =>
  automationsOn({
    queue,
    types: nodeTypes.wire,
    vocabularies: valuesOf(config.vocabulary),
    timeoutSeconds: config.automationRunTimeout.seconds,
  })

export function createAutomations(given: Given): Automations {
  const { database, config, log, nodeTypes, changes, nodeFiles, credentials, sourceTypeOf } = given
  const timeoutSeconds = config.automationRunTimeout.seconds
  const settling = {
    ...{ database, log, timeoutSeconds },
    acts: actsOf(
      config,
      { database, find: nodeTypes.find, nodeFiles, credentials, sourceTypeOf },
      barringOf(config.labelRules),
    ),
  }
  return { entering: enteringOf(given), ...followRuns({ log, changes, work: () => settleAutomations(settling) }) }
}

/** The export and the move that follow an automation's run. A task that `move` moves starts no further automations. */
const actsOf = ({ nameTemplate }: Config, preparing: Preparing, barring: Barring): Acts => ({
  prepare: async (runId, taskId, asked) => {
    const given = { runId, taskId, outputs: asked, isUnattended: true }
    const prepared = asked.length === 0 ? new Map() : await prepareExport(preparing, given)
    return async (tx, run, task, outputs, actor) => {
      refuseExport(run)
      const make: Parameters<typeof exportOutputs>[0]['make'] = (file, variant) =>
        createCreative(tx, task, creativeOf(file, variant), actor, nameTemplate)
      await exportOutputs({ tx, run, task, actor, find: preparing.find, make, prepared }, outputs)
    }
  },
  move: async (tx, task, to, actor) => {
    const refusal = (await barring(tx, [task], { status: to })).get(task.id)
    if (refusal) throw refusal
    await changeTasks(tx, [task], { status: to }, actor, { nameTemplate })
  },
})
