// In charge of the HTTP routes for launches and for the creative lookup, which other systems call.
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound } from '@atelier/contract/wire/errors.ts'
import { JsonParts, json } from '../../../platform/http/answer.ts'
import type { Bind } from '../../../platform/http/bind.ts'
import { listPage } from '../../../platform/http/list.ts'
import type { Services } from '../../../platform/services.ts'
import { hasTask } from '../store.ts'
import { correctLaunch } from './correct.ts'
import { listLaunches, readLaunch } from './correction-store.ts'
import { turnsOfLookups } from './large-lookups.ts'
import { lookUpInTurn } from './lookup.ts'
import { recordCreativeLaunches, recordPackLaunches } from './record.ts'

export function bindLaunches(bind: Bind, { database, directory, cursors }: Services): void {
  bind(routes.recordCreativeLaunches, async ({ db, body, actor }) => ({
    data: await recordCreativeLaunches(db, body, actor),
  }))

  bind(routes.recordPackLaunches, async ({ db, body, actor }) => ({
    data: await recordPackLaunches(db, body, actor),
  }))

  bind(routes.listLaunches, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return listPage(
      { cursors, scope: `launches/${task_id}`, query },
      (after, take) => listLaunches(db, task_id, after, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  bind(routes.correctLaunch, async ({ db, params: { launch_id }, body, actor }) => {
    await correctLaunch(db, launch_id, body, actor)
    const launch = await readLaunch(db, launch_id)
    if (!launch) throw new Error(`The launch ${launch_id} is gone from its own transaction.`)
    return { data: json(launch.text) }
  })

  const turns = turnsOfLookups()
  bind(routes.lookupCreatives, async ({ body }) => ({
    data: new JsonParts(await lookUpInTurn(turns, database, directory, body)),
  }))
}
