// In charge of the wire shapes of money: budgets, approvals of starts, and reports about spending.
import Type from 'typebox'
import { RunStart } from './runs.ts'
import { Closed, Count, DateTime, Enumeration, Id, Nullable, Reference } from './wire/schema.ts'

/** The largest amount that can be set: a thousand million units of the currency, in millionths. */
const mostAmount = 1_000_000_000_000_000
const amount = (description: string) => Type.Integer({ minimum: 0, maximum: mostAmount, description })
const currency = Type.String({ description: 'Its code in ISO 4217: that of the prices in the list of models.' })
const period = Enumeration(['month', 'always'], {
  description: 'Each calendar month in UTC, by that of the start of a run, or all time.',
})

export const Budget = Closed(
  {
    id: Id(),
    person_id: Nullable(
      Type.String({ description: 'Of this person, or token of an integration; null: of everybody.' }),
    ),
    period,
    amount: amount('In millionths of the currency.'),
    spent: Count({
      description:
        'In millionths: what was paid, and the most of what may have been. Of a month: by runs started in it.',
    }),
    held: Count({ description: 'In millionths: what runs under way may still cost. It is released when they rest.' }),
    set_by: Nullable(
      Type.String({
        description: 'The person, or token of an integration, who set it last; null: an older version did.',
      }),
    ),
    set_at: DateTime({ description: 'When it was set last.' }),
    amount_before: Nullable(
      Count({ description: 'In millionths: what it was before; null: it was new, or nobody knows.' }),
    ),
  },
  { $id: 'Budget' },
)

export const EndedBudget = Closed(
  {
    id: Id(),
    person_id: Nullable(Type.String({ description: 'Whose it was, as of a budget.' })),
    period,
    amount: amount('In millionths: what it was when it was ended.'),
    ended_by: Nullable(Type.String({ description: 'The person, or token of an integration, who ended it.' })),
    ended_at: DateTime(),
  },
  { $id: 'EndedBudget' },
)

export const BudgetSet = Closed(
  {
    person_id: Type.Optional(Nullable(Reference({ description: 'Whose; null or left out: of everybody.' }))),
    period,
    amount: amount('In millionths. What is spent and held already stays so, even where it is more.'),
  },
  { $id: 'BudgetSet', description: 'Replaces the budget of the same person and period.' },
)

export const Money = Closed(
  {
    currency,
    approval_above: Nullable(amount('A start that may cost more needs an approval. Null: none does.')),
    budgets: Type.Array(Budget, { description: 'At most 500.' }),
    ended: Type.Array(EndedBudget, {
      description:
        'Budgets that were ended, the last one first, at most 100. Those that an older version ended are not among them.',
    }),
  },
  { $id: 'Money', description: 'The settings of money, and how its budgets stand.' },
)

export const MoneyPatch = Closed(
  { approval_above: Nullable(amount('A start that may cost more needs an approval; null: none does.')) },
  { $id: 'MoneyPatch' },
)

export const Approval = Closed(
  {
    id: Id(),
    run_id: Id(),
    graph_name: Nullable(Type.String({ description: 'Of the run; null where its graph is purged.' })),
    review_comment_id: Nullable(Id({ description: 'Of a new take: the comment that asks for it.' })),
    body: RunStart,
    most: Count({ description: 'In millionths: what the start may cost.' }),
    currency,
    asked_by: Type.String(),
    asked_at: DateTime(),
    approved: Nullable(Type.Boolean({ description: 'Null: not decided yet.' })),
    decided_by: Nullable(Type.String()),
    decided_at: Nullable(DateTime()),
    used_at: Nullable(DateTime({ description: 'When the start that it was for was made.' })),
    overtaken: Type.Boolean({
      description: 'Whether the run was changed or started since, so that no start can use it. It is not open then.',
    }),
  },
  { $id: 'Approval', description: 'Asked for a start; good for one start of the same run, body and plan.' },
)

export const ApprovalDecision = Closed({ approved: Type.Boolean() }, { $id: 'ApprovalDecision' })

export const spendGroups = ['run', 'task', 'product', 'creative', 'person', 'model', 'month'] as const

/** The maximum number of rows in one report about spending. */
export const mostSpendRows = 1000

const spent = {
  calls: Count({ description: 'Calls that were paid, or may have been; of a creative, all those of its runs.' }),
  planned_most: Nullable(
    Count({ description: 'In millionths: what they were to cost at most; null where nobody could say.' }),
  ),
  amount: Count({ description: 'In millionths: what is known to have been paid.' }),
  at_most: Count({ description: 'In millionths: the same, with the most of what nobody knows. Budgets count this.' }),
}

export const Spend = Closed(
  {
    currency,
    rows: Type.Array(
      Closed({
        key: Nullable(Type.String({ description: 'Id, model or month; null: of none.' })),
        name: Nullable(Type.String({ description: 'What people call it; null where it is gone, or has no name.' })),
        ...spent,
        planned_known: Count({
          description: 'In millionths: what those calls were to cost at most of which somebody could say it.',
        }),
        calls_unplanned: Count({ description: 'Of how many calls nobody could say it.' }),
      }),
      { description: 'The most first.' },
    ),
    next_cursor: Nullable(Type.String({ description: 'Of the next page; null: this is the last one.' })),
  },
  {
    $id: 'Spend',
    description:
      'What was spent, put together. What a run made and nobody chose is part of it: creatives share what their runs cost in equal parts, those of takes that were used among them, and runs without creatives stand under a null key.',
  },
)

export const RunCosts = Closed(
  {
    currency,
    max_cost: Nullable(Count({ description: 'In millionths: the limit of the start; null: none was given.' })),
    planned_least: Count({ description: 'In millionths, of the calls that were begun.' }),
    ...spent,
  },
  { $id: 'RunCosts', description: 'What the present generation of a run was planned to cost, and what it cost.' },
)
