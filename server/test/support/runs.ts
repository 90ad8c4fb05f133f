// In charge of creating graphs and runs in tests, and of waiting until a run is as expected.
import { eventually } from './eventually.ts'
import type { Body, Service } from './harness.ts'

export async function makeGraph(service: Service, definition: object, name = 'A graph'): Promise<Body> {
  const { status, data, text } = await service.post('/api/v1/graphs', { name, definition })
  if (status !== 200) throw new Error(`No graph was made: ${text}`)
  return data
}

/** Creates a draft run of a new graph with this definition. */
export async function makeRun(service: Service, definition: object, body: object = {}): Promise<Body> {
  const graph = await makeGraph(service, definition)
  const { status, data, text } = await service.post(`/api/v1/graphs/${graph.id}/runs`, body)
  if (status !== 200) throw new Error(`No run was made: ${text}`)
  return data
}

export async function readRun(service: Service, id: string): Promise<Body> {
  const { status, data, text } = await service.get(`/api/v1/runs/${id}`)
  if (status !== 200) throw new Error(`The run cannot be read: ${text}`)
  return data
}

/** Waits until `is` returns true for the run, and returns the run. On a timeout the error shows the run as it was read last. */
export async function until(service: Service, id: string, is: (run: Body) => boolean): Promise<Body> {
  return eventually(async () => {
    const run = await readRun(service, id)
    if (!is(run)) throw new Error(`The run is not as expected: ${JSON.stringify(run, null, 1)}`)
    return run
  })
}

export const untilStatus = (service: Service, id: string, ...statuses: string[]): Promise<Body> =>
  until(service, id, (run) => statuses.includes(run.status))

/** Starts a run and waits until it has ended or waits for input. */
export async function runThrough(service: Service, id: string, body: object = {}): Promise<Body> {
  const { status, data, text } = await service.post(`/api/v1/runs/${id}/start`, body)
  if (status !== 200) throw new Error(`The run was not started: ${text}`)
  return untilStatus(service, data.id, 'succeeded', 'failed', 'cancelled', 'awaiting_input')
}

/** The status of each node of a run. */
export const statusesOf = (run: Body): Record<string, string> =>
  Object.fromEntries(Object.entries<Body>(run.nodes).map(([id, node]) => [id, node.status]))

/** Waits until each live worker has been seen `count` more times; between two of these times, a worker has looked for runs. */
export async function turns(service: Service, count: number): Promise<void> {
  const seen = async (): Promise<string[]> =>
    (await service.rows<{ seen_at: string }>('select seen_at from workers order by id')).map(({ seen_at }) => seen_at)
  for (let turn = 0; turn < count; turn += 1) {
    const before = await seen()
    await eventually(async () => {
      if ((await seen()).some((at, index) => at === before[index])) throw new Error('A worker was not seen.')
    })
  }
}
