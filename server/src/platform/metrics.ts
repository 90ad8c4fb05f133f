// In charge of metrics in Prometheus' format.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /** `ms`: time from the first byte of the request to the end of the answer. */
  observeRequest(route: string, method: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

export function createMetrics(connections: () => { total: number; idle: number; waiting: number }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'atelier_http_request_seconds',
    help: 'Time to answer a request, by route of the contract.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'atelier_database_connections',
    help: 'Database connections of this process; waiting: requests that want one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = connections()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  return {
    observeRequest: (route, method, status, ms) => requests.observe({ route, method, status }, ms / 1000),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
