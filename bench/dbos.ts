// In charge of DBOS Transact doing as many durable steps as a run of ours has nodes: on the same cluster, in the same
// process, in turns with ours.
import { DBOS } from '@dbos-inc/dbos-sdk'
import { fillIn } from '../server/src/nodes/liquid.ts'
import { median } from './report.ts'
import type { RunStage } from './runs-stage.ts'

type Tell = (what: string, figure: string, note?: string) => void

/** Makes a graph's definition with so many nodes; those that are paid are told apart by `label`, lest the cache has them. */
type Make = (count: number, label: string) => object

/** A graph of ours, what DBOS does for comparison, and what one call of each node costs. */
export type Beside = { what: string; make: Make; dbos: 'one after the other' | 'together'; credits: number }

const rounds = 5

/** What a `text.template` does, too. */
const step = async (text: string): Promise<string> => fillIn('{{ text }}', { text })

/** `runStep` awaited one by one; or all started at once, in the same order each time, as its documentation asks. */
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

/** Measures `count` nodes of each graph, and as many steps, and tells by how much ours does more of them in a second. */
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

/** Keeps a time; the first round warms up. */
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
