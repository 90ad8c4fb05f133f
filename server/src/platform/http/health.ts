// In charge of the endpoints for operators' monitoring: whether the process is alive, whether it is ready, and metrics.
import { timingSafeEqual } from 'node:crypto'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance } from 'fastify'
import { bearerToken, hashToken } from '../auth.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { Metrics } from '../metrics.ts'
import { isMigrated } from '../migrate.ts'
import { productVersion } from '../version.ts'

type Deps = {
  database: Pick<Database, 'main'>
  config: Pick<Config, 'metricsHost' | 'metricsPort' | 'metricsToken'>
  metrics: Pick<Metrics, 'text' | 'contentType'>
  draining: () => boolean
  unavailable: () => Refusal
}

export function bindHealth(server: FastifyInstance, { database, config, metrics, draining, unavailable }: Deps): void {
  server.get(outsideRoutes.healthz.path, { config: { routeId: 'healthz', unlimited: true } }, async () => ({
    status: 'ok',
    version: productVersion,
  }))

  /** The process is ready if the database responds, this version supports the schema, and the process is not stopping. */
  server.get(outsideRoutes.readyz.path, { config: { routeId: 'readyz', unlimited: true } }, async () => {
    if (draining()) throw new Refusal('shutting_down', 'This server is stopping; another one is ready.')
    const ready = await isMigrated(database.main).catch(() => false)
    if (!ready) throw unavailable()
    return { status: 'ready' }
  })

  // If `metricsPort` is set, the metrics are served at a separate port instead.
  if (config.metricsPort !== null) return
  server.get(
    outsideRoutes.metrics.path,
    { config: { routeId: 'metrics', unlimited: true } },
    async (request, reply) => {
      if (config.metricsToken !== null) refuseOthers(request.headers.authorization, config.metricsToken)
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}

/** Throws unless the header contains the token. Compares digests, so that the duration reveals nothing about the token. */
export function refuseOthers(header: string | undefined, token: string): void {
  if (header === undefined)
    throw new Refusal('unauthenticated', 'Send the token of ATELIER_METRICS_TOKEN: Authorization: Bearer <token>.')
  const given = bearerToken(header)
  if (given === null || !timingSafeEqual(hashToken(given), hashToken(token)))
    throw new Refusal('invalid_token', 'That is not the token of ATELIER_METRICS_TOKEN.')
}
