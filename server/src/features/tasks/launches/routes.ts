// In charge of the HTTP face of launches and of the creative lookup: the doors for other systems.
import { routes } from '@atelier/contract/routes/routes.ts'
import { JsonParts } from '../../../platform/http/answer.ts'
import type { Bind } from '../../../platform/http/bind.ts'
import type { Services } from '../../../platform/services.ts'
import { lookUp } from './lookup.ts'
import { recordCreativeLaunches, recordPackLaunches } from './record.ts'

export function bindLaunches(bind: Bind, { database, directory }: Services): void {
  bind(routes.recordCreativeLaunches, async ({ db, body, actor }) => ({
    data: await recordCreativeLaunches(db, body, actor),
  }))

  bind(routes.recordPackLaunches, async ({ db, body, actor }) => ({
    data: await recordPackLaunches(db, body, actor),
  }))

  bind(routes.lookupCreatives, async ({ body }) => ({ data: new JsonParts(await lookUp(database, directory, body)) }))
}
