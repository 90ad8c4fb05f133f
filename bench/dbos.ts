// In charge of comparing a run with a workflow of DBOS Transact that has as many durable steps as the run has nodes. Both use the
// same cluster and the same process, and take turns.
import { DBOS } from '@dbos-inc/dbos-sdk'
import { fillIn } from '../server/src/nodes/liquid.ts'
import { median } from './report.ts'
import type { RunStage } from './runs-stage.ts'

type Tell = (what: string, figure: string, note?: string) => void

/** Makes a graph definition with this many nodes; `label` makes paid nodes differ, so that they are not served from the cache. */
type Make = (count: number, label: string) => object

/** A graph, the DBOS workflow to compare it with, and the credits that each node except the first costs. */
export type Beside = { what: string; make: Make; dbos: 'one after the other' | 'together'; credits: number }

const rounds = 5

/** The same work as a `text.template` node does. */
const step = async (text: string): Promise<string> => fillIn('{{ text }}', { text })

/**
 * The first workflow awaits each step before it starts the next step. The second one starts all steps at once, always in the same
 * order, as the documentation of DBOS requires.
 */
const workflows = {
  'one after the other': DBOS.registerWorkflow(
    async (count: number) => {
      let text = 'x'
      for (let at = 0; at < count; at++) text = await DBOS.runStep(() => step(text), { name: 'step' })
      return text
    },
    { name: 'one after the other' },
  ),
  together: DBOS.registerWorkflow(
    async (count: number) => {
      const steps = Array.from({ length: count }, (_, at) => DBOS.runStep(() => step(`x ${at}`), { name: 'step' }))
      return (await Promise.all(steps)).at(-1) ?? ''
    },
    { name: 'together' },
  ),
}

/**
 * Measures `count` nodes of each graph and as many DBOS steps. Prints the time per node and per step, and how many times faster a
 * node is. Does nothing on the embedded database, which DBOS cannot use.
 */
export async function measureBesideDbos(stage: RunStage, graphs: readonly Beside[], count: number, tell: Tell) {
  if (stage.url === null) return
  const url = new URL(stage.url)
  url.pathname = '/dbos_system'
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url.href, logLevel: 'error' })
  await DBOS.launch()
  const ours = new Map<Beside, number[]>()
  const theirs = new Map<Beside['dbos'], number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [form, workflow] of Object.entries(workflows)) {
      const began = performance.now()
      await workflow(count)
      note(theirs, form === 'together' ? form : 'one after the other', performance.now() - began, round)
    }
    for (const graph of graphs) note(ours, graph, await runOnce(stage, graph, count, `round ${round}`), round)
  }
  await DBOS.shutdown()
  for (const [graph, times] of ours) {
    const [here, there] = [median(times) / count, median(theirs.get(graph.dbos) ?? []) / count]
    const said = `DBOS, as many steps ${graph.dbos}: ${there.toFixed(2)} ms each`
    tell(graph.what, `${here.toFixed(2)} ms each`, `${said}; ${(there / here).toFixed(1)} × its steps a second`)
  }
}

/** Records a time, except in the first round, which is only for warming up. */
function note<Key>(times: Map<Key, number[]>, key: Key, ms: number, round: number): void {
  if (round > 0) times.set(key, [...(times.get(key) ?? []), ms])
}

async function runOnce(stage: RunStage, { make, credits }: Beside, count: number, label: string): Promise<number> {
  const { id, ms } = await stage.run(await stage.makeRun(make(count, label)))
  const { data } = JSON.parse(await stage.read(`/api/v1/runs/${id}`))
  const paid = credits * (count - 1)
  if (data.credits_consumed !== paid)
    throw new Error(`${data.credits_consumed} credits instead of ${paid}: not each node was called.`)
  return ms
}
