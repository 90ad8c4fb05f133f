// In charge of a separate port for monitoring: whether the process is alive, whether it is ready, and metrics. A process that only
// works on runs has no other port.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { Refusal, refusals } from '@atelier/contract/wire/errors.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { isMigrated } from '../migrate.ts'
import { OperatorError, wordsOf } from '../operator-error.ts'
import { productVersion } from '../version.ts'
import { refuseHead } from './expectations.ts'
import { refuseOthers } from './health.ts'
import { problemOf } from './refuse.ts'

type Watched = {
  log: Log
  config: Pick<Config, 'metricsHost' | 'metricsPort' | 'metricsToken'>
  database: Database
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** Whether the process has been asked to stop. */
  draining(): boolean
}

/** `port` is the port on which the server listens. */
export type WatchServer = { port: number; close(): void }

/** Listens at the host and port in the settings; returns null if the settings contain no port. */
export async function startWatchServer(watched: Watched): Promise<WatchServer | null> {
  const { metricsHost, metricsPort } = watched.config
  if (metricsPort === null) return null
  // What Node.js would refuse by itself, without a body, `answer` refuses as the port of the API does.
  const server = createServer({ requireHostHeader: false })
  for (const event of ['request', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) => void answer(watched, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(metricsPort, metricsHost, resolve)
  }).catch((error: unknown) => {
    throw new OperatorError(
      `Cannot listen on ${metricsHost}, port ${metricsPort} (ATELIER_METRICS_HOST, ATELIER_METRICS_PORT): ` +
        `${wordsOf(error)}. Each process needs a port of its own.`,
    )
  })
  const { port } = server.address() as AddressInfo // the server listens on a TCP port, so the address is not a string
  return {
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(watched: Watched, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? ''
  const send = (status: number, type: string, body: string): void => {
    const head = { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' }
    response.writeHead(status, head).end(body)
  }
  try {
    const refusal = refuseHead(request)
    if (refusal?.code === 'malformed_request') response.setHeader('connection', 'close')
    if (refusal) throw refusal
    if (path === outsideRoutes.healthz.path) {
      send(200, 'application/json', JSON.stringify({ status: 'ok', version: productVersion }))
    } else if (path === outsideRoutes.readyz.path) {
      const status = await readiness(watched)
      send(status === 'ready' ? 200 : 503, 'application/json', JSON.stringify({ status }))
    } else if (path === outsideRoutes.metrics.path) {
      if (watched.config.metricsToken !== null) refuseOthers(request.headers.authorization, watched.config.metricsToken)
      send(200, watched.metrics.contentType, await watched.metrics.text())
    } else {
      throw new Refusal('route_not_found', 'This port has /healthz, /readyz and /metrics.')
    }
  } catch (error) {
    const refusal = error instanceof Refusal ? error : bugOf(error, watched.log)
    send(refusals[refusal.code].status, 'application/problem+json', JSON.stringify(problemOf(refusal, path)))
  }
}

function bugOf(error: unknown, log: Log): Refusal {
  const id = randomUUID()
  log.error({ err: error, request_id: id }, 'a bug: this request ended in a 500')
  return new Refusal('internal_error', `The figures could not be read. The log has it under the request id ${id}.`)
}

async function readiness({ database, draining }: Watched): Promise<'ready' | 'stopping' | 'database_unavailable'> {
  if (draining()) return 'stopping'
  return (await isMigrated(database.main).catch(() => false)) ? 'ready' : 'database_unavailable'
}
