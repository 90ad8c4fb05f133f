// In charge of the HTTP routes of money: budgets, approvals, and the sum above which starting a run needs an approval.
import { currencyOf } from '@atelier/contract/graph/model-catalogue.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { seeRun } from '../../engine/store/runs.ts'
import type { Db } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { readRunCosts, readSpend } from './spend-store.ts'
import {
  decideApproval,
  endBudget,
  isKnownPurse,
  listApprovals,
  readMoney,
  readUndecided,
  setApprovalAbove,
  setBudget,
  type Undecided,
} from './store.ts'

/** Whether the start that an approval was requested for has another plan by now, so that it could not use the approval. */
export type HasOtherPlan = (db: Db, asked: Undecided) => Promise<boolean>

export function bindMoney(bind: Bind, { config, cursors }: Services, hasOtherPlan: HasOtherPlan): void {
  const currency = currencyOf(config.models.list)
  bind(routes.getMoney, async ({ db }) => ({ data: await readMoney(db, currency) }))

  bind(routes.getSpend, async ({ db, query }) => {
    const { by, from = null, to = null, task_id = null, run_id = null, limit = 100, cursor } = query
    for (const [name, day] of Object.entries({ from, to })) {
      if (day !== null && !isDay(day)) throw invalidAt(['query', name], valueError('there is no such day'), day)
    }
    // Without `run_id`, the scope is what it was before there was one, so that cursors of 0.3.0 go on.
    const scope = JSON.stringify(['spend', by, currency, from, to, task_id, ...(run_id === null ? [] : [run_id])])
    const after = cursor === undefined ? null : cursors.read(scope, cursor)
    const canBe = [task_id, run_id].every((id) => id === null || isUuid(id))
    const asked = { currency, from, to, taskId: task_id, runId: run_id }
    const found = canBe ? await readSpend(db, by, asked, after, limit + 1) : []
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    const next = last && cursors.write(scope, { key: String(last.at_most), id: last.key ?? '' })
    return { data: { currency, rows, next_cursor: next ?? null } }
  })

  bind(routes.getRunCosts, async ({ db, params: { run_id } }) => {
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    return { data: await readRunCosts(db, run_id, run.generation, currency) }
  })

  bind(routes.patchMoney, async ({ db, body }) => {
    await setApprovalAbove(db, body.approval_above)
    return { data: await readMoney(db, currency) }
  })

  bind(routes.setBudget, async ({ db, body: { person_id = null, period, amount }, actor }) => {
    if (person_id !== null && !(isUuid(person_id) && (await isKnownPurse(db, person_id))))
      throw invalidAt(['body', 'person_id'], valueError('there is no person or token with this id'), person_id)
    return { data: await setBudget(db, { personId: person_id, period, amount, currency }, actor) }
  })

  bind(routes.deleteBudget, async ({ db, params: { budget_id }, actor }) => {
    if (!(await endBudget(db, budget_id, actor))) throw notFound('budget', budget_id)
    return { data: await readMoney(db, currency) }
  })

  bind(routes.listApprovals, async ({ db, query: { open: isOpen = false, run_id: runId = null, ...query } }) =>
    listPage(
      { cursors, scope: JSON.stringify(['approvals', isOpen, runId]), query },
      async (after, take) => (runId === null || isUuid(runId) ? listApprovals(db, { isOpen, runId }, after, take) : []),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    ),
  )

  bind(routes.decideApproval, async ({ db, params: { approval_id }, body, actor }) => {
    // A plan that does not hold any more can be declined, so that it waits for nobody.
    const asked = body.approved ? await readUndecided(db, approval_id) : null
    if (asked && (await hasOtherPlan(db, asked)))
      throw new Refusal(
        'approval_overtaken',
        'What this start does or may cost has changed since this was asked for. Nothing was approved: decline it, and whoever wants the start asks for it anew.',
      )
    const text = await decideApproval(db, approval_id, body.approved, actor)
    if (text === null) throw notFound('approval', approval_id)
    return { data: json(text) }
  })
}

/** Whether the date exists in the calendar and is one that the database accepts. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && !day.startsWith('0000')
}
