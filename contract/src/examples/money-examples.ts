// In charge of the example records for budgets, approvals and spending that the documentation shows.
import type { Static } from 'typebox'
import type { Approval, Budget, EndedBudget, Money, RunCosts, Spend } from '../spending.ts'
import { examples } from './examples.ts'
import { runExamples } from './run-examples.ts'

const budget = {
  id: '019a3c80-1f0e-7b11-8a55-3f4c8b2d1e91',
  person_id: null,
  period: 'month',
  amount: 50_000_000,
  spent: 12_480_000,
  held: 400_000,
  set_by: examples.ids.user,
  set_at: '2026-03-01T09:30:00.000Z',
  amount_before: 40_000_000,
} satisfies Static<typeof Budget>

const ended = {
  id: '019a3c7f-0d1e-7a00-9f44-2e3b7a1c0d80',
  person_id: examples.ids.user,
  period: 'always',
  amount: 20_000_000,
  ended_by: examples.ids.user,
  ended_at: '2026-03-02T08:15:00.000Z',
} satisfies Static<typeof EndedBudget>

const money = { currency: 'USD', approval_above: 5_000_000, budgets: [budget], ended: [ended] } satisfies Static<
  typeof Money
>

const approval = {
  id: '019a3c81-2a3b-7c22-9b66-4a5d9c3e2f02',
  run_id: runExamples.run.id,
  graph_name: 'Localized banners',
  review_comment_id: null,
  body: {},
  most: 6_400_000,
  currency: 'USD',
  asked_by: examples.ids.user,
  asked_at: '2026-03-04T11:58:00.000Z',
  approved: null,
  decided_by: null,
  decided_at: null,
  used_at: null,
  overtaken: false,
} satisfies Static<typeof Approval>

const spent = { calls: 2, planned_most: 90_000, amount: 73_123, at_most: 73_123 }
const spend = {
  currency: 'USD',
  rows: [{ key: '2026-03', name: null, ...spent, planned_known: 90_000, calls_unplanned: 0 }],
  next_cursor: null,
} satisfies Static<typeof Spend>

const runCosts = { currency: 'USD', max_cost: null, planned_least: 40_000, ...spent } satisfies Static<typeof RunCosts>

export const moneyExamples = { budget, money, approval, spend, runCosts }
