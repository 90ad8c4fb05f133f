// In charge of notices about approvals: a request notifies the admins, and a decision notifies the person who made the request.
import { amountWords } from '@atelier/contract/money.ts'
import { type Selectable, sql } from 'kysely'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { settleNotices, writeNotices } from '../../platform/notices.ts'
import type { ApprovalsTable } from '../../platform/tables.ts'

export type ApprovalRow = Pick<
  Selectable<ApprovalsTable>,
  'id' | 'run_id' | 'most' | 'currency' | 'asked_by' | 'approved' | 'review_comment_id'
>

export async function noteApprovalAsked(tx: Db, approval: ApprovalRow, actor: Actor): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from users where active and role = 'admin'`.execute(tx)
  const people = rows.map(({ id }) => id)
  await writeNotices(tx, [{ kind: 'approval_asked', people, by: authorOf(actor), ...(await aboutOf(tx, approval)) }])
}

/**
 * Notifies the requester that the approval was granted or declined. Marks the admins' notices about the request as read, and the
 * notice about an earlier decision, which no longer holds.
 */
export async function noteApprovalDecided(tx: Db, approval: ApprovalRow, actor: Actor): Promise<void> {
  for (const kind of ['approval_asked', 'start_approved', 'start_declined'] as const)
    await settleNotices(tx, kind, approval.run_id, approval.id)
  const kind = approval.approved ? 'start_approved' : 'start_declined'
  const people = [approval.asked_by]
  await writeNotices(tx, [{ kind, people, by: authorOf(actor), ...(await aboutOf(tx, approval)) }])
}

async function aboutOf(tx: Db, { id, run_id, review_comment_id, most, currency }: ApprovalRow) {
  const { rows } = await sql<{ creative_id: string; task_id: string }>`
    select c.id as creative_id, c.task_id from review_comments m join creatives c on c.id = m.creative_id
    where m.id = ${review_comment_id}::uuid`.execute(tx)
  return { place: id, run_id, review_comment_id, ...rows[0], words: `It may cost ${amountWords(most, currency)}.` }
}
