// In charge of the HTTP routes of people: listing, adding and changing users, and telling callers who they are.
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { announceAuthChange } from '../../platform/auth.ts'
import { afterCommit } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { changeUser, insertUser, listUsers, readUser } from './store.ts'

export function bindPeople(bind: Bind, { cursors, auth }: Services): void {
  bind(routes.listUsers, async ({ db, query }) =>
    listPage({ cursors, scope: 'users', query }, (after, take) => listUsers(db, after, take), {
      text: ({ text }) => text,
      position: ({ id, key }) => ({ key, id }),
    }),
  )

  bind(routes.createUser, async ({ db, body }) => {
    const id = await insertUser(db, { name: body.name, email: body.email ?? null, role: body.role ?? 'reader' })
    return { data: json((await readUser(db, id)) ?? 'null') }
  })

  bind(routes.patchUser, async ({ db, params: { user_id }, body }) => {
    const changed = await changeUser(db, user_id, body)
    if (changed === 'last_admin') {
      throw new Refusal('last_admin', 'This is the last active admin; make somebody else an admin first.')
    }
    if (changed === null) throw notFound('person', user_id)
    await announceAuthChange(db)
    afterCommit(db, auth.forget)
    return { data: json(changed) }
  })

  bind(routes.getCaller, async ({ db, actor }) => {
    const user = actor.userId === null ? null : await readUser(db, actor.userId)
    const caller = { kind: user ? 'person' : 'integration', name: actor.name, scopes: [...actor.scopes] }
    return { data: json(`{"user":${user ?? 'null'},${JSON.stringify(caller).slice(1)}`) }
  })
}
