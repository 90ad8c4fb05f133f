// In charge of the routes that guests use: opening a link, viewing its creatives and their comments, and adding comments and
// decisions.
import type { GuestCreative } from '@atelier/contract/guests.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Actor, Guest } from '../../platform/actor.ts'
import { hashToken } from '../../platform/auth.ts'
import type { Db } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind, BindStaged } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { commentPage, textsOfComments } from './comment-page.ts'
import { addReviewComment } from './comments.ts'
import { decide, type MoveTask, moveOn } from './decisions.ts'
import { newSecret, openLink, readableName } from './guest-entrance.ts'
import {
  guestComments,
  insertGuest,
  listShown,
  lockAndCountGuests,
  mostGuests,
  noteLook,
  readShown,
} from './guest-store.ts'
import { lockReviewed } from './locking.ts'

export function bindGuestRoutes(bind: Bind, bindStaged: BindStaged, services: Services, move: MoveTask): void {
  const { database, cursors, fileLinks } = services
  bindGuestWrites(bind, services, move)

  bindStaged(routes.enterAsGuest, async ({ body: { link, name: given, password = null } }) => {
    const name = readableName(given)
    const opened = await openLink(database.main, link, password)
    return async ({ db, actor }) => {
      if ((await lockAndCountGuests(db, opened.id)) >= mostGuests)
        throw new Refusal('invalid_guest_link', 'Too many have come by this link. Ask for another one.')
      const token = newSecret()
      const id = uuidv7()
      await insertGuest(db, { id, link_id: opened.id, name, hash: hashToken(token) })
      await noteLook(db, id)
      await tellLook(db, actor, { taskId: opened.task_id, linkId: opened.id, name })
      const { may_comment, may_decide, expires_at } = opened
      return { data: { token, name, may_comment, may_decide, expires_at } }
    }
  })

  bind(routes.listGuestCreatives, async ({ db, query, actor }) => {
    const guest = guestOf(actor)
    if (query.cursor === undefined) {
      await database.tx(async (tx) => {
        if (await noteLook(tx, guest.id)) await tellLook(tx, actor, guest)
      })
    }
    return listPage(
      { cursors, scope: `guest/${guest.id}`, query },
      async (after, take) => {
        const rows = await listShown(db, guest.id, after && { name: after.key ?? '', id: after.id }, take)
        return withLinks({ fileLinks, db }, actor, rows)
      },
      {
        text: (row) => JSON.stringify(row),
        position: ({ creative_id, name }) => ({ key: name, id: creative_id }),
      },
    )
  })

  bind(routes.listGuestComments, async ({ db, params: { creative_id }, query, actor }) => {
    const guest = guestOf(actor)
    if (!(await readShown(db, guest.id, creative_id))) throw notFound('creative', creative_id)
    const asked = { cursors, scope: `guest/${guest.id}/${creative_id}`, query }
    return commentPage(db, asked, guestComments(guest.id, creative_id))
  })
}

function bindGuestWrites(bind: Bind, { fileLinks }: Services, move: MoveTask): void {
  bind(routes.createGuestComment, async ({ db, params: { creative_id }, body, actor }) => {
    const guest = guestOf(actor)
    const reviewed = await lockShown(db, guest, creative_id)
    if (!guest.mayComment) throw new Refusal('guest_right', 'This link does not allow comments.')
    const author = { by_user: null, by_token: null, by_guest: guest.id }
    const only = await addReviewComment(db, reviewed, { ...body, visibility: 'guests' }, author)
    await insertActivity(db, actor, [{ task_id: guest.taskId, kind: 'review_commented', subject_id: creative_id }])
    const made = await textsOfComments(db, guestComments(guest.id, creative_id), [only])
    return { data: json(made.get(only) ?? 'null') }
  })

  bind(routes.decideAsGuest, async ({ db, params: { creative_id }, body, actor }) => {
    const guest = guestOf(actor)
    const reviewed = await lockShown(db, guest, creative_id)
    if (!guest.mayDecide) throw new Refusal('guest_right', 'This link does not allow decisions.')
    await decide(db, reviewed, body, { by_user: null, by_token: null, by_guest: guest.id })
    const changes = { decision: { from: null, to: body.decision } }
    await insertActivity(db, actor, [
      { task_id: guest.taskId, kind: 'review_decided', subject_id: creative_id, changes },
    ])
    await moveOn(db, reviewed.task, actor, move)
    const row = await readShown(db, guest.id, creative_id)
    const [data] = row ? await withLinks({ fileLinks, db }, actor, [row]) : []
    if (!data) throw notFound('creative', creative_id)
    return { data }
  })
}

/**
 * Locks a creative that the guest may see. For any other id the error is a 404, whether or not there is a creative with this id.
 */
async function lockShown(tx: Db, { id }: Guest, creativeId: string) {
  const gone = () => notFound('creative', creativeId)
  // `readShown` is called before `lockReviewed`, whose errors would reveal that a creative outside the link exists, and again
  // under the lock, since the guest may have lost access to the creative while this transaction waited for the lock.
  if (!(await readShown(tx, id, creativeId))) throw gone()
  const reviewed = await lockReviewed(tx, creativeId, gone)
  if (!(await readShown(tx, id, creativeId))) throw gone()
  return reviewed
}

async function withLinks(
  { fileLinks, db }: Pick<Services, 'fileLinks'> & { db: Db },
  actor: Actor,
  rows: Awaited<ReturnType<typeof listShown>>,
): Promise<GuestCreative[]> {
  const { mayComment: may_comment, mayDecide: may_decide } = guestOf(actor)
  const digests = rows.map(({ file }) => file)
  const links = await fileLinks.sign(db, actor, digests)
  return rows.flatMap((row, at) => {
    const { url, thumbnail_url } = links[at] ?? {}
    return url && thumbnail_url ? [{ ...row, url, thumbnail_url, may_comment, may_decide }] : []
  })
}

function guestOf({ guest }: Actor): Guest {
  if (!guest) throw new Error('A route for guests was asked by somebody else.')
  return guest
}

/** The guest is named here, as whoever enters is no guest yet: `insertActivity` names only guests who act. */
const tellLook = (tx: Db, actor: Actor, { taskId, linkId, name }: Pick<Guest, 'taskId' | 'linkId' | 'name'>) =>
  insertActivity(tx, actor, [
    { task_id: taskId, kind: 'guest_looked', subject_id: linkId, changes: { guest: { from: null, to: name } } },
  ])
