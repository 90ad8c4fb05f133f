// In charge of the HTTP routes of notices: listing them, counting them, and marking them as read.
import { noticeRules } from '@atelier/contract/notice-kinds.ts'
import type { Notice } from '@atelier/contract/notices.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { countUnread, listNotices, markRead, type NoticeRow } from './store.ts'

export function bindNotices(bind: Bind, { cursors }: Services): void {
  bind(routes.listNotices, ({ db, query, actor: { userId } }) => {
    const onlyUnread = query.unread === true
    return listPage<NoticeRow>(
      { cursors, scope: `notices/${userId}/${onlyUnread}`, query },
      async (after, take) => (userId === null ? [] : listNotices(db, { userId, onlyUnread }, after, take)),
      { text: (row) => JSON.stringify(noticeToWire(row)), position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  bind(routes.countNotices, ({ db, actor }) => answerCount(db, actor))

  bind(routes.readNotices, async ({ db, body: { ids, read = true }, actor }) => {
    const chosen = ids?.filter(isUuid) ?? (read ? null : [])
    if (actor.userId !== null) await markRead(db, actor.userId, { ids: chosen, read })
    return answerCount(db, actor)
  })
}

const answerCount = async (db: Db, { userId }: Actor) => ({
  data: { unread: userId === null ? 0 : await countUnread(db, userId) },
})

function noticeToWire(row: NoticeRow): Notice {
  const { id, kind, at, unread, excerpt, task, run, creative, graph } = row
  const rule = noticeRules[kind]
  return {
    ...{ id, kind, at, unread, excerpt, sentence: rule.sentence(row), path: rule.path(row) },
    ...{
      task_id: task?.id ?? null,
      run_id: run?.id ?? null,
      creative_id: creative?.id ?? null,
      graph_id: graph?.id ?? null,
    },
  }
}
