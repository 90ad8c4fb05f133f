// In charge of the HTTP routes of creatives: connecting each route of the contract with decisions and SQL.
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Db } from '../../../platform/db.ts'
import { type Answer, etagOf, json } from '../../../platform/http/answer.ts'
import type { Bind, BindStaged, Context } from '../../../platform/http/bind.ts'
import { largeListPage } from '../../../platform/http/large-list.ts'
import { listPage } from '../../../platform/http/list.ts'
import type { Services } from '../../../platform/services.ts'
import { checkReferences } from '../reference-store.ts'
import { hasTask, lockTask } from '../store.ts'
import { bindCovers } from './covers.ts'
import {
  type CreativeText,
  fileOfVersion,
  keepProvenance,
  listCreatives,
  readCreative,
  readTexts,
  readWritten,
  takeProvenance,
} from './store.ts'
import { listVersions } from './versions.ts'
import { changeCreative, createCreative, deleteCreative, lockOwned, restoreCreative } from './write.ts'

/**
 * Reads from a file how it was made, before the transaction. Returns a function that stores the result, which is called in the
 * transaction that puts the file on a creative. The wiring passes `NoteFile` in.
 */
export type NoteFile = (digest: string | null | undefined) => Promise<(tx: Db) => Promise<void>>

export function bindCreatives(bind: Bind, bindStaged: BindStaged, services: Services, noteFile: NoteFile): void {
  const { config, cursors } = services
  bindCovers(bind, services)

  bind(routes.listCreatives, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return largeListPage(
      { cursors, scope: `creatives/${task_id}`, query },
      (after, take) => listCreatives(db, task_id, after && { name: after.key ?? '', id: after.id }, take),
      { position: ({ id, name }) => ({ key: name, id }), readTexts: (ids) => readTexts(db, ids) },
    )
  })

  bindStaged(routes.createCreative, async ({ body: given }) => {
    const keep = await noteFile(given?.file)
    return (context) => create(context, keep)
  })
  type Keep = (tx: Db) => Promise<void>
  const create = async (
    { db, params: { task_id }, body, actor }: Context<typeof routes.createCreative>,
    keep: Keep,
  ): Promise<Answer> => {
    const members = await checkReferences(db, body ?? {}, ['body'])
    const task = await lockTask(db, task_id)
    if (!task?.in_retention) throw notFound('task', task_id)
    if (task.deleted_at !== null) {
      throw new Refusal('task_deleted', `The task ${task.number} is deleted; restore it before you add to it.`)
    }
    const id = await createCreative(db, task, members, actor, config.nameTemplate)
    await keep(db)
    return answerCreative(db, id)
  }

  bind(routes.getCreative, async ({ db, params: { creative_id } }) =>
    answer(creative_id, await readCreative(db, creative_id)),
  )

  bindStaged(routes.patchCreative, async ({ body: given }) => {
    const keep = await noteFile(given.file)
    return (context) => change(context, keep)
  })
  const change = async (
    { db, params: { creative_id }, body, actor, requireMatch }: Context<typeof routes.patchCreative>,
    keep: Keep,
  ): Promise<Answer> => {
    const patch = await checkReferences(db, body, ['body'])
    const owned = await lockOwned(db, creative_id)
    requireMatch(owned.creative.revision)
    await changeCreative(db, owned, patch, actor)
    await keep(db)
    return answerCreative(db, creative_id)
  }

  bind(routes.deleteCreative, async ({ db, params: { creative_id }, actor, requireMatch }) => {
    const owned = await lockOwned(db, creative_id)
    requireMatch(owned.creative.revision)
    if (owned.task.deleted_at !== null && owned.creative.delete_id === owned.task.delete_id) {
      throw new Refusal('task_deleted', `Its task ${owned.task.number} is deleted, and the creative with it.`)
    }
    await deleteCreative(db, owned, actor)
    return answerCreative(db, creative_id)
  })

  bind(routes.listCreativeVersions, async ({ db, params: { creative_id }, query }) => {
    if (!(await readCreative(db, creative_id))) throw notFound('creative', creative_id)
    return listPage(
      { cursors, scope: `versions/${creative_id}`, query },
      (after, take) => listVersions(db, creative_id, after?.key ? Number(after.key) : null, take),
      { text: ({ text }) => text, position: ({ number }) => ({ key: String(number), id: creative_id }) },
    )
  })

  bind(routes.chooseCreativeVersion, async ({ db, params: { creative_id }, body: { number }, actor }) => {
    const owned = await lockOwned(db, creative_id)
    const file = await fileOfVersion(db, creative_id, number)
    if (file === undefined)
      throw invalidAt(['body', 'number'], valueError('the creative has no version with this number'), number)
    await keepProvenance(db, creative_id)
    await changeCreative(db, owned, { file }, actor)
    await takeProvenance(db, creative_id, number, owned.task.now)
    return answerCreative(db, creative_id)
  })

  bind(routes.restoreCreative, async ({ db, params: { creative_id }, actor, requireMatch }) => {
    await restoreCreative(db, creative_id, actor, requireMatch)
    return answerCreative(db, creative_id)
  })
}

const answerCreative = async (tx: Db, id: string): Promise<Answer> => answer(id, await readWritten(tx, id))

function answer(id: string, creative: CreativeText | undefined): Answer {
  if (!creative) throw notFound('creative', id)
  // `volatile`: members that follow from the task and from launches change without a new revision.
  return { data: json(creative.text), etag: etagOf(creative.revision), volatile: true }
}
