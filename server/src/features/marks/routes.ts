// In charge of the HTTP routes of marks. Marks are: what the file of a creative says about its origin, what people have answered
// about the creative, and the missing labels that an admin has waived.
import type { CreativeMarksPatch } from '@atelier/contract/marks.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { type Invalid, invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { lockCreative, readCreative, taskOf } from '../tasks/creatives/store.ts'
import { hasTask, type LockedTask, lockTask } from '../tasks/store.ts'
import { listMarked, type MarkedRow, readMarked, readMarkedOf, writeAnswer } from './store.ts'
import { marksToWire, missingOf, waiverOf } from './wire.ts'

export function bindMarks(bind: Bind, { config, cursors }: Services): void {
  const rules = config.labelRules
  const toWire = (row: MarkedRow) => marksToWire(rules, row)

  bind(routes.listTaskMarks, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return listPage(
      { cursors, scope: `marks/${task_id}`, query },
      (after, take) => listMarked(db, task_id, after && { name: after.key ?? '', id: after.id }, take),
      { text: (row) => JSON.stringify(toWire(row)), position: ({ id, name }) => ({ key: name, id }) },
    )
  })

  bind(routes.getCreativeMarks, async ({ db, params: { creative_id } }) => {
    const row = (await readCreative(db, creative_id)) && (await readMarked(db, creative_id))
    if (!row) throw notFound('creative', creative_id)
    return { data: toWire(row) }
  })

  bind(routes.patchCreativeMarks, async ({ db, params: { creative_id }, body, actor }) => {
    const task = await lockMarked(db, creative_id)
    const row = await readMarked(db, creative_id)
    if (!row) throw notFound('creative', creative_id)
    const { file = row.file, ...said } = body
    if (file !== row.file)
      throw new Refusal(
        'version_not_current',
        'The creative has another file now; look at that one before you say what it shows.',
      )
    await answer(db, { row, task, said, actor })
    return { data: toWire((await readMarked(db, creative_id)) ?? row) }
  })

  bind(routes.waiveLabels, async ({ db, params: { task_id }, body, actor }) => {
    const task = await lockTask(db, task_id)
    if (!task?.in_retention) throw notFound('task', task_id)
    refuseDeleted(task)
    const waived = new Set<string>()
    for (const row of await readMarkedOf(db, [task_id])) {
      const missing = missingOf(rules, row, row.geo)
      if (missing.length === 0 || row.file === null) continue
      waived.add(row.id)
      for (const { rule } of missing) {
        const at = { creativeId: row.id, file: row.file, subject: waiverOf(rule), at: task.now }
        await writeAnswer(db, at, { value: true, reason: body.reason.trim() }, actor)
      }
      const markets = missing.map(({ market }) => market).join(', ')
      await tellActivity(db, row, { label_waived: { from: null, to: `${markets}: ${body.reason.trim()}` } }, actor)
    }
    return { data: (await readMarkedOf(db, [task_id])).filter(({ id }) => waived.has(id)).map(toWire) }
  })
}

/** Locks the creative's task and then the creative. Throws if the task or the creative is missing or deleted. */
async function lockMarked(tx: Db, creativeId: string): Promise<LockedTask> {
  const taskId = await taskOf(tx, creativeId)
  const task = taskId === undefined ? undefined : await lockTask(tx, taskId)
  const creative = task && (await lockCreative(tx, creativeId))
  if (!task?.in_retention || !creative || !(await readCreative(tx, creativeId))) throw notFound('creative', creativeId)
  refuseDeleted(task)
  if (creative.deleted_at !== null)
    throw new Refusal('creative_deleted', 'The creative is deleted; restore it before you say what it shows.')
  return task
}

function refuseDeleted(task: LockedTask): void {
  if (task.deleted_at === null) return
  throw new Refusal('task_deleted', `The task ${task.number} is deleted; restore it first.`)
}

type Answered = { row: MarkedRow; task: LockedTask; said: Omit<CreativeMarksPatch, 'file'>; actor: Actor }

async function answer(tx: Db, { row, task, said, actor }: Answered): Promise<void> {
  const { file } = row
  const changed = Object.entries(said).filter(([subject, value]) => value !== (row.answers[subject]?.value ?? null))
  if (changed.length === 0) return
  if (file === null) throw noFile(said)
  for (const [subject, value] of changed)
    await writeAnswer(tx, { creativeId: row.id, file, subject, at: task.now }, { value: value ?? null }, actor)
  const changes = changed.map(([subject, to]) => [subject, { from: row.answers[subject]?.value ?? null, to }])
  await tellActivity(tx, row, Object.fromEntries(changes), actor)
}

const noFile = (input: unknown): Invalid =>
  invalidAt(['body'], valueError('the creative has no file that this could be about; put one on it first'), input)

const tellActivity = (tx: Db, row: MarkedRow, changes: Record<string, unknown>, actor: Actor): Promise<void> =>
  insertActivity(tx, actor, [{ task_id: row.task_id, kind: 'creative_changed', subject_id: row.id, changes }])
