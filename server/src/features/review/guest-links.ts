// In charge of the routes at which people of the workspace list, create and revoke links for guests.
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { authorOf } from '../../platform/actor.ts'
import { hashToken } from '../../platform/auth.ts'
import type { Bind, BindStaged } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { hasTask, lockTask } from '../tasks/store.ts'
import { newSecret, sealPassword } from './guest-entrance.ts'
import { insertGuestLink, listGuestLinks, readGuestLink, revokeLink } from './guest-store.ts'
import { refuseDeleted } from './locking.ts'

export function bindGuestLinks(bind: Bind, bindStaged: BindStaged, { config, cursors }: Services): void {
  bind(routes.listGuestLinks, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return listPage(
      { cursors, scope: `guest-links/${task_id}`, query },
      (after, take) => listGuestLinks(db, task_id, after, take),
      { text: ({ link }) => JSON.stringify(link), position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  // The password is hashed before the transaction begins, since hashing takes long.
  bindStaged(routes.createGuestLink, async ({ body: { password: given } }) => {
    const password = given ? await sealPassword(given) : null
    return async ({ db, params: { task_id }, body, actor }) => {
      const task = await lockTask(db, task_id)
      if (!task?.in_retention) throw notFound('task', task_id)
      refuseDeleted(task)
      const secret = newSecret()
      const { name, may_comment = true, may_decide = false, expires_in = 14 * 86_400 } = body
      const wanted = body.creative_ids && [...new Set(body.creative_ids.map((one) => one.toLowerCase()))]
      const row = { id: uuidv7(), task_id: task.id, hash: hashToken(secret), password, name, may_comment, may_decide }
      const isWhole = await insertGuestLink(
        db,
        { ...row, ...authorOf(actor), created_at: task.now },
        { creativeIds: wanted?.filter(isUuid) ?? null, seconds: expires_in },
      )
      if (!isWhole || wanted?.some((one) => !isUuid(one))) {
        const why = 'each must be a live creative of the task'
        throw invalidAt(['body', 'creative_ids'], valueError(why), body.creative_ids)
      }
      const changes = { link: { from: null, to: name } }
      await insertActivity(db, actor, [{ task_id: task.id, kind: 'guest_link_created', subject_id: row.id, changes }])
      const url = `${config.publicUrl?.replace(/\/$/, '') ?? ''}/guest#${secret}`
      return { data: { ...(await readGuestLink(db, row.id)), url } }
    }
  })

  bind(routes.revokeGuestLink, async ({ db, params: { link_id }, actor }) => {
    const gone = () => new Refusal('not_found', `There is no link for guests with the id ${link_id}.`)
    const found = await readGuestLink(db, link_id)
    const task = found && (await lockTask(db, found.task_id))
    if (!found || !task?.in_retention) throw gone()
    // A link to a deleted task can be revoked too, since the task may be restored later.
    if (found.revoked_at === null) {
      await revokeLink(db, { id: link_id, taskId: task.id })
      const changes = { link: { from: found.name, to: null } }
      await insertActivity(db, actor, [{ task_id: task.id, kind: 'guest_link_revoked', subject_id: link_id, changes }])
    }
    return { data: await readGuestLink(db, link_id) }
  })
}
