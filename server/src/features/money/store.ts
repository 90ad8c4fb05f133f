// In charge of the SQL for budgets, for the sum above which starting a run needs an approval, and for approvals.
import type { RunStart } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { approvalsChangeId, moneyChangeId } from '@atelier/contract/wire/money-changes.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { currentMonth, withUse } from '../../engine/store/run-costs.ts'
import type { RunRow } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import { type ApprovalRow, noteApprovalAsked, noteApprovalDecided } from './notices.ts'

type BudgetRow = {
  id: string
  person_id: string | null
  period: 'month' | 'always'
  amount: number
  set_by: string | null
  set_at: string
  amount_before: number | null
}

/** Who set a budget is known only where this version did it last: an older one leaves `set_at` and what belongs to it as they are. */
const budgetColumns = sql`id, person_id, period, amount::float8 as amount, iso(updated_at) as set_at,
  case when set_at = updated_at then set_by end as set_by,
  case when set_at = updated_at then amount_before::float8 end as amount_before`

/** How many budgets `readMoney` returns at most, and how many that were ended. */
const [mostBudgets, mostEnded] = [500, 100]

type EndedRow = {
  id: string
  person_id: string | null
  period: 'month' | 'always'
  amount: number
  ended_by: string | null
  ended_at: string
}

/**
 * Returns the budgets of a currency, those of the workspace first, each with what has been spent and reserved of it so far; and those
 * that were ended, the last one first.
 */
export async function readMoney(db: Db, currency: string) {
  const { rows } = await sql<BudgetRow>`
    select ${budgetColumns} from budgets where currency = ${currency}
    order by person_id nulls first, period limit ${mostBudgets}`.execute(db)
  const { rows: ended } = await sql<EndedRow>`
    select id, person_id, period, amount::float8 as amount, ended_by, iso(ended_at) as ended_at from ended_budgets
    where currency = ${currency} order by ended_at desc, id desc limit ${mostEnded}`.execute(db)
  const { rows: settings } = await sql<{ above: number | null }>`
    select approval_above::float8 as above from money_settings`.execute(db)
  const month = await currentMonth(db)
  const budgets = await withUse(db, rows, { currency, month })
  return { currency, approval_above: settings[0]?.above ?? null, budgets, ended }
}

export async function setApprovalAbove(tx: Db, above: number | null): Promise<void> {
  await sql`
    insert into money_settings (approval_above) values (${above}::bigint)
    on conflict (only_row) do update set approval_above = excluded.approval_above`.execute(tx)
  tellChanged(tx, 'money', moneyChangeId)
}

export async function setBudget(
  tx: Db,
  { personId, period, amount, currency }: { personId: string | null; period: string; amount: number; currency: string },
  actor: Actor,
) {
  const { rows } = await sql<BudgetRow>`
    insert into budgets (id, person_id, period, amount, currency, set_by, updated_at, set_at)
    select ${uuidv7()}::uuid, ${personId}::uuid, ${period}::text, ${amount}::bigint, ${currency}::text,
      ${actor.userId ?? actor.tokenId}::uuid, w.at, w.at
    from (select now_ms() as at) w
    on conflict (coalesce(person_id, '00000000-0000-0000-0000-000000000000'), period, currency)
    do update set amount = excluded.amount, amount_before = budgets.amount, set_by = excluded.set_by,
      updated_at = excluded.updated_at, set_at = excluded.set_at
    returning ${budgetColumns}`.execute(tx)
  tellChanged(tx, 'money', moneyChangeId)
  const [written] = await withUse(tx, rows, { currency, month: await currentMonth(tx) })
  if (!written) throw new Error('The budget was not written.')
  return written
}

/** Ends a budget, and records who ended it. Returns false if there is no such budget. */
export async function endBudget(tx: Db, id: string, actor: Actor): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with gone as (delete from budgets where id = ${id} returning id, person_id, period, amount, currency)
    insert into ended_budgets (id, person_id, period, amount, currency, ended_by)
    select id, person_id, period, amount, currency, ${actor.userId ?? actor.tokenId}::uuid from gone`.execute(tx)
  if (numAffectedRows !== 0n) tellChanged(tx, 'money', moneyChangeId)
  return numAffectedRows !== 0n
}

/** Whether the id belongs to a user or a token. Only users and tokens can have a budget of their own. */
export async function isKnownPurse(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${id} union all select 1 from tokens where id = ${id}`.execute(db)
  return rows.length > 0
}

/**
 * Returns SQL for whether the approval `a` is overtaken by its run `r`: since the request, the run has got another generation or
 * definition, or an answer at a gate, so that no start can use the approval. Never true of approvals that were used. Requests that an
 * older version stored have no generation and definition; they are overtaken only by answers.
 */
export const isOvertaken = (a: string, r: string) => {
  const of = (table: string, column: string) => sql.ref(`${table}.${column}`)
  return sql<boolean>`(${of(a, 'used_at')} is null and (
    coalesce(${of(a, 'generation')} <> ${of(r, 'generation')} or ${of(a, 'signature')} <> ${of(r, 'signature')}, false)
    or exists (select from run_answers w where w.run_id = ${of(r, 'id')} and w.at > ${of(a, 'asked_at')})))`
}

const overtakenText = sql<boolean>`(select ${isOvertaken('approvals', 'r')} from runs r where r.id = approvals.run_id)`

const approvalText = sql<string>`json_build_object('id', approvals.id, 'run_id', run_id,
  'graph_name', (select g.name from runs r join graphs g on g.id = r.graph_id where r.id = run_id),
  'review_comment_id', review_comment_id, 'body', body, 'most', most, 'currency', currency,
  'asked_by', asked_by, 'asked_at', iso(asked_at), 'approved', approved, 'decided_by', decided_by, 'decided_at', iso(decided_at),
  'used_at', iso(used_at), 'overtaken', ${overtakenText})::text`

const approvalColumns = sql`approvals.id, run_id, most::float8 as most, currency, asked_by, approved, review_comment_id`

export type Asked = {
  run: Pick<RunRow, 'id' | 'generation' | 'signature'>
  reviewCommentId: string | null
  digest: string
  body: unknown
  most: number
  currency: string
  askedBy: string
}

/**
 * Requests an approval for the plan of a locked run; `digest` identifies the plan. If an earlier request for the plan was declined,
 * it is opened again. If the earlier request is still open or was approved, nothing changes and no admin is notified. Returns the
 * approval as JSON text in the form of the API.
 */
export async function askApproval(tx: Db, asked: Asked, actor: Actor): Promise<string> {
  const { run, reviewCommentId, digest, body, most, currency, askedBy } = asked
  const { rows } = await sql<ApprovalRow>`
    insert into approvals (id, run_id, generation, signature, review_comment_id, digest, body, most, currency, asked_by)
    values (${uuidv7()}, ${run.id}, ${run.generation}, ${run.signature}, ${reviewCommentId}::uuid, ${digest},
      ${JSON.stringify(body)}::json, ${most}::bigint, ${currency}, ${askedBy})
    on conflict (run_id, digest) where used_at is null do update
      set generation = excluded.generation, signature = excluded.signature,
        asked_by = excluded.asked_by, asked_at = now_ms(), approved = null, decided_by = null, decided_at = null
      where not approvals.approved
    returning ${approvalColumns}`.execute(tx)
  const [approval] = rows
  if (approval) {
    tellChanged(tx, 'money', approvalsChangeId)
    await noteApprovalAsked(tx, approval, actor)
  } else await askAgain(tx, run.id, digest)
  const { rows: shown } = await sql<{ text: string }>`
    select ${approvalText} as text from approvals
    where run_id = ${run.id} and digest = ${digest} and used_at is null`.execute(tx)
  const [row] = shown
  if (!row) throw new Error('The approval was not written.')
  return row.text
}

/**
 * Of an approved plan that is asked for again, only the time changes: the digest shows that what was answered since does not belong
 * to the plan, so that the approval is not overtaken by it.
 */
async function askAgain(tx: Db, runId: string, digest: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update approvals set asked_at = now_ms() from runs r
    where run_id = ${runId} and digest = ${digest} and r.id = run_id and ${isOvertaken('approvals', 'r')}`.execute(tx)
  if (numAffectedRows !== 0n) tellChanged(tx, 'money', approvalsChangeId)
}

/** A request that waits for an approval: the start that it is for, and the digest of the plan of that start. */
export type Undecided = { runId: string; askedBy: string; digest: string; body: RunStart }

/** Reads a request that can still be approved: one that is neither approved nor overtaken. */
export async function readUndecided(db: Db, id: string): Promise<Undecided | null> {
  const { rows } = await sql<Undecided>`
    select run_id as "runId", asked_by as "askedBy", digest, body from approvals
    where id = ${id} and approved is not true and used_at is null and not ${overtakenText}`.execute(db)
  return rows[0] ?? null
}

/**
 * Approves or declines a request, and returns the request as JSON text; null if there is no request with this id. The decision can
 * be changed until a start has used the approval. Throws if the approval is overtaken, or if it was used and is to be declined.
 */
export async function decideApproval(tx: Db, id: string, approved: boolean, actor: Actor): Promise<string | null> {
  const { rows: found } = await sql<{ overtaken: boolean; is_used: boolean }>`
    select ${overtakenText} as overtaken, used_at is not null as is_used from approvals where id = ${id} for update`.execute(
    tx,
  )
  if (found[0]?.is_used && !approved)
    throw new Refusal('approval_used', 'A start has used this approval already. Nothing was decided.')
  if (found[0]?.overtaken)
    throw new Refusal(
      'approval_overtaken',
      'The run was changed or started since this was asked for. Nothing was decided.',
    )
  const { rows: changed } = await sql<ApprovalRow>`
    update approvals set approved = ${approved}, decided_by = ${actor.userId ?? actor.tokenId}::uuid, decided_at = now_ms()
    where id = ${id} and used_at is null and approved is distinct from ${approved}
    returning ${approvalColumns}`.execute(tx)
  const [decided] = changed
  if (decided) {
    // The notice alone does not reach everybody: an admin who decides about their own request, or decides otherwise, gets none.
    tellChanged(tx, 'money', approvalsChangeId)
    await noteApprovalDecided(tx, decided, actor)
  }
  const { rows } = await sql<{ text: string }>`select ${approvalText} as text from approvals where id = ${id}`.execute(
    tx,
  )
  return rows[0]?.text ?? null
}

/** Marks the approval of a plan as used. Returns false if the plan is not approved, or if its approval has been used already. */
export async function consumeApproval(tx: Db, runId: string, digest: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update approvals set used_at = now_ms()
    where run_id = ${runId} and digest = ${digest} and approved and used_at is null`.execute(tx)
  if (numAffectedRows !== 0n) tellChanged(tx, 'money', approvalsChangeId)
  return numAffectedRows !== 0n
}

/**
 * SQL for whether a request waits for a decision. A deleted run cannot be started, so its request is closed until it is undeleted. An
 * overtaken one is closed unless the run's definition becomes what it was.
 */
const openText = sql`approved is null
  and exists (select 1 from runs r
    where r.id = approvals.run_id and r.deleted_at is null and not ${isOvertaken('approvals', 'r')})`

export async function listApprovals(
  db: Db,
  { isOpen, runId }: { isOpen: boolean; runId: string | null },
  after: Position | null,
  take: number,
): Promise<{ id: string; at: string; text: string }[]> {
  const found = await sql<{ id: string; at: string; text: string }>`
    select id, asked_at as at, ${approvalText} as text from approvals
    where ${isOpen ? openText : sql`true`}
      ${runId === null ? sql`` : sql`and run_id = ${runId}::uuid`}
      ${after ? sql`and (asked_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by asked_at desc, id desc limit ${take}`.execute(db)
  return found.rows
}
