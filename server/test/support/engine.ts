// In charge of creating engines for tests, besides the one of the service. Such an engine does nothing by itself: the test calls
// each step.

import { outputLimits } from '../../src/engine/model/json-size.ts'
import { createQueue } from '../../src/engine/store/queue.ts'
import type { RunRow } from '../../src/engine/store/runs.ts'
import { claimRun } from '../../src/engine/transitions/claim.ts'
import type { Engine } from '../../src/engine/work/engine.ts'
import { createProviderCalls } from '../../src/engine/work/provider-calls.ts'
import { createSlots } from '../../src/engine/work/slots.ts'
import type { NodeType } from '../../src/nodes/node-type.ts'
import { createRegistry, defaultNodeTypes } from '../../src/nodes/registry.ts'
import { createLog } from '../../src/platform/log.ts'
import { parseProviderLimits } from '../../src/platform/provider-limits.ts'
import { beforeClose, type Service, startService } from './harness.ts'
import { nothingOutside } from './node-options.ts'
import { createProvider, testNodes } from './test-nodes.ts'

/** Starts a service whose node types call a provider that the test controls, and an engine on its database. */
export async function startEngine() {
  const provider = createProvider()
  const nodeTypes = testNodes(provider)
  const service = await startService({}, undefined, nodeTypes)
  return { provider, service, engine: await engineOn(service, nodeTypes) }
}

export async function engineOn(
  { database }: Pick<Service, 'database'>,
  moreNodeTypes: readonly NodeType[],
  parts: Partial<Engine> = {},
  timing: Partial<Engine['timing']> = {},
): Promise<Engine> {
  const log = createLog('silent')
  const queue = createQueue(database, log)
  await queue.start(false)
  beforeClose(database, queue.stop)
  const { find, has } = createRegistry([...defaultNodeTypes(nothingOutside), ...moreNodeTypes])
  const providers = createProviderCalls({ database, log, limits: parseProviderLimits('*=8') })
  return {
    ...{ database, log, queue, find, has, files: noFiles, resultLimit: 1e8 },
    outputLimit: outputLimits[database.kind],
    ...{ providers, slots: createSlots(8, providers) },
    timing: {
      heartbeatSeconds: 1,
      lostAfterSeconds: 2,
      pollSeconds: 1,
      cancelAfterSeconds: 2,
      resendSeconds: 1,
      strandedAfterSeconds: 60,
      ...timing,
    },
    crash: () => undefined,
    ...parts,
  }
}

/** Claims a queued run for a worker with this name; returns undefined if the run is not queued or does not exist. */
export const take = ({ database }: Engine, runId: string, name: string): Promise<RunRow | undefined> =>
  database.tx(async (tx) => {
    const run = await tx.selectFrom('runs').select('lease').where('id', '=', runId).executeTakeFirst()
    return run && claimRun(tx, runId, run.lease, name)
  })

const noFiles: Engine['files'] = {
  read: () => Promise.reject(new Error('There are no files here.')),
  write: () => Promise.reject(new Error('There are no files here.')),
}
