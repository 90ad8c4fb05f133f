// In charge of producing metrics in Prometheus's text format.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countsRegistry } from './counts.ts'
import { productVersion } from './version.ts'
import { checkedWithinMs, within } from './within.ts'

export type Metrics = {
  /** `ms` is the time from the first byte of the request to the end of the response. */
  observeRequest(route: string, method: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

/** A metric; `name` is without the prefix `atelier_`. If `figures` is an object, each key becomes a value of the label `state`. */
export type Measure = { name: string; help: string; figures: Record<string, number> | number }

type Given = {
  database: 'postgres' | 'embedded'
  connections(): { total: number; idle: number; waiting: number }
  /** Reads figures from the database for a response of `/metrics`; if they cannot be read in time, the response does not contain them. */
  measures(): Promise<Measure[]>
}

const prefix = 'atelier_'

export function createMetrics({ database, connections, measures }: Given): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: `${prefix}http_request_seconds`,
    help: 'Time to answer a request, by route of the contract.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  new Gauge({
    name: `${prefix}database_connections`,
    help: 'Database connections of this process; waiting: requests that want one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = connections()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  const build = new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node', 'database'],
    registers,
  })
  build.set({ version: productVersion, node: process.version, database }, 1)
  return {
    observeRequest: (route, method, status, ms) => requests.observe({ route, method, status }, ms / 1000),
    text: async () => `${await registry.metrics()}\n${await countsRegistry.metrics()}\n${await textOf(measures)}`,
    contentType: registry.contentType,
  }
}

/** Returns the figures from the database and `database_up` 1; if the database does not respond, only `database_up` 0. */
async function textOf(measures: Given['measures']): Promise<string> {
  const registry = new Registry()
  const read = await within(checkedWithinMs, measures()).catch(() => null)
  const up: Measure = { name: 'database_up', help: '1 where the database answers.', figures: read === null ? 0 : 1 }
  for (const { name, help, figures } of [up, ...(read ?? [])]) {
    const several = typeof figures === 'object'
    const gauge = new Gauge({ name: prefix + name, help, labelNames: several ? ['state'] : [], registers: [registry] })
    if (!several) gauge.set(figures)
    else for (const [state, figure] of Object.entries(figures)) gauge.set({ state }, figure)
  }
  return registry.metrics()
}
