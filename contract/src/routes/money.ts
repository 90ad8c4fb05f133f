// In charge of the routes for money: budgets, approvals of starts, and reports about spending.
import Type from 'typebox'
import { examplePage, examples } from '../examples/examples.ts'
import { moneyExamples } from '../examples/money-examples.ts'
import { RunStart } from '../runs.ts'
import {
  Approval,
  ApprovalDecision,
  Budget,
  BudgetSet,
  Money,
  MoneyPatch,
  mostSpendRows,
  RunCosts,
  Spend,
  spendGroups,
} from '../spending.ts'
import { Page, pageSizes } from '../wire/envelope.ts'
import { Closed, Enumeration, Id, Reference } from '../wire/schema.ts'
import { valueError } from '../wire/validation-errors.ts'
import { cursor, limit, route } from './building.ts'
import type { Route } from './route.ts'

const Day = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    'x-error': valueError('must be a day such as 2026-03-31'),
    description,
  })

export const moneyRoutes = {
  getSpend: route({
    id: 'getSpend',
    method: 'GET',
    path: '/api/v1/spend',
    tag: 'Money',
    summary: 'What was spent, by run, task, product, creative, person, model or month',
    description:
      'The most first. Of runs, creatives and tasks that are purged too: the books stay, with the ids of these and without their names.',
    access: 'read',
    query: Closed({
      by: Enumeration(spendGroups, { description: 'What is put together.' }),
      from: Type.Optional(Day('The first day, in UTC.')),
      to: Type.Optional(Day('The last day, in UTC.')),
      task_id: Type.Optional(Reference({ description: 'Only of runs that were started for this task.' })),
      run_id: Type.Optional(Reference({ description: 'Only of this run, with all its starts.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostSpendRows, default: 100, description: 'Rows at most.' }),
      ),
      cursor,
    }),
    data: Spend,
    examples: { data: moneyExamples.spend },
  }),
  getRunCosts: route({
    id: 'getRunCosts',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/costs',
    tag: 'Money',
    summary: 'What a run was planned to cost, and what it cost',
    description: 'Of its present generation, as far as its calls were begun.',
    access: 'read',
    params: Closed({ run_id: Id({ description: 'Run id.' }) }),
    data: RunCosts,
    examples: { data: moneyExamples.runCosts },
  }),
  getMoney: route({
    id: 'getMoney',
    method: 'GET',
    path: '/api/v1/money',
    tag: 'Money',
    summary: 'Budgets, what is left of them, and when a start needs an approval',
    description: 'Amounts are whole millionths of the currency.',
    access: 'read',
    data: Money,
    examples: { data: moneyExamples.money },
  }),
  patchMoney: route({
    id: 'patchMoney',
    method: 'PATCH',
    path: '/api/v1/money',
    tag: 'Money',
    summary: 'Set the sum above which a start needs an approval',
    description: 'Null: none does.',
    access: 'admin',
    body: MoneyPatch,
    data: Money,
    examples: { body: { approval_above: 5_000_000 }, data: moneyExamples.money },
  }),
  setBudget: route({
    id: 'setBudget',
    method: 'POST',
    path: '/api/v1/budgets',
    tag: 'Money',
    summary: 'Set a budget',
    description:
      'Of everybody or one person, for each month or all time. Every start holds the most of its plan in each budget that applies, and is refused where one has not enough left. While there is a budget, models whose price is not known are refused.',
    access: 'admin',
    body: BudgetSet,
    data: Budget,
    examples: { body: { period: 'month', amount: 50_000_000 }, data: moneyExamples.budget },
  }),
  deleteBudget: route({
    id: 'deleteBudget',
    method: 'DELETE',
    path: '/api/v1/budgets/{budget_id}',
    tag: 'Money',
    summary: 'End a budget',
    description: 'What was spent stays on the books. The list of budgets goes on to say who ended it, and when.',
    access: 'admin',
    params: Closed({ budget_id: Id({ description: 'Budget id.' }) }),
    data: Money,
    examples: { data: moneyExamples.money },
  }),
  listApprovals: route({
    id: 'listApprovals',
    method: 'GET',
    path: '/api/v1/approvals',
    tag: 'Money',
    summary: 'Starts that were asked to be approved',
    description: 'Newest first.',
    access: 'read',
    query: Closed({
      open: Type.Optional(
        Type.Boolean({
          description: 'Only what waits for a decision: neither decided nor overtaken, and its run is not deleted.',
        }),
      ),
      run_id: Type.Optional(Reference({ description: 'Only of this run.' })),
      limit: limit(pageSizes.list),
      cursor,
    }),
    data: Page(Approval),
    examples: { data: examplePage(moneyExamples.approval) },
  }),
  askApproval: route({
    id: 'askApproval',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/approvals',
    tag: 'Money',
    summary: 'Ask for the approval of a start',
    description:
      'Takes the body of the start that was refused with `approval_needed`. Admins get a notice of it. Asked again with the same plan, the same approval is answered; one that was declined waits to be decided anew.',
    access: 'runs:write',
    params: Closed({ run_id: Id({ description: 'Run id.' }) }),
    body: RunStart,
    bodyOptional: true,
    data: Approval,
    refuses: [
      'run_busy',
      'run_deleted',
      'take_outdated',
      'price_unknown',
      'limit_needed',
      'budget_exceeded',
      'approval_not_needed',
    ],
    examples: { body: {}, data: moneyExamples.approval },
  }),
  decideApproval: route({
    id: 'decideApproval',
    method: 'POST',
    path: '/api/v1/approvals/{approval_id}/decision',
    tag: 'Money',
    summary: 'Approve a start, or decline it',
    description: 'Starts nothing: whoever asked starts it, with the same body. Another plan needs another approval.',
    access: 'admin',
    params: Closed({ approval_id: Id({ description: 'Approval id.' }) }),
    body: ApprovalDecision,
    data: Approval,
    refuses: ['approval_overtaken', 'approval_used'],
    examples: {
      body: { approved: true },
      data: {
        ...moneyExamples.approval,
        approved: true,
        decided_by: examples.ids.user,
        decided_at: '2026-03-04T12:00:00.000Z',
      },
    },
  }),
} as const satisfies Record<string, Route>
