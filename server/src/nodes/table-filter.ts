// In charge of `table.filter`: selects the rows of a table that meet conditions.
import { setImmediate as nextTurn } from 'node:timers/promises'
import Type from 'typebox'
import { type Condition, conditions, judgeOf } from './condition.ts'
import { defineNode, gives, needs, Rows } from './define.ts'
import { NodeFailure } from './node-type.ts'

const Rule = Type.Object(
  {
    column: Type.String({
      title: 'Column',
      description: 'Its name, as the first line of the table has it.',
      minLength: 1,
      maxLength: 200,
    }),
    condition: Type.Unsafe<Condition>({
      type: 'string',
      enum: [...conditions],
      title: 'Condition',
      description: 'What must hold.',
    }),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        title: 'Compared with',
        description: 'Not used for empty and not_empty.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const tableFilter = defineNode({
  type: 'table.filter',
  title: 'Filter rows',
  summary: 'Keeps the rows of a table that meet your conditions.',
  group: 'data',
  help: `
Each rule looks at one column. **All** keeps rows that meet every rule, **any** those that meet at least one. Without rules
every row is kept. Rows that are not kept leave by **Others**.`,
  params: {
    rules: Type.Array(Rule, {
      title: 'Rules',
      description: 'What a row must meet.',
      default: [],
      maxItems: 50,
      examples: [[{ column: 'locale', condition: 'equals', value: 'de' }]],
    }),
    match: Type.Unsafe<'all' | 'any'>({
      type: 'string',
      enum: ['all', 'any'],
      title: 'Match',
      description: 'Whether all rules must hold, or one is enough.',
      default: 'all',
    }),
    limit: Type.Integer({
      title: 'At most',
      description: 'How many rows to keep; 0 for all.',
      default: 0,
      minimum: 0,
      maximum: 10_000,
    }),
  },
  inputs: { rows: needs({ title: 'Rows', description: 'The table, as rows by column name.', schema: Rows }) },
  outputs: {
    rows: gives('Rows', 'The rows that are kept.', Rows),
    others: gives('Others', 'The rows that are not.', Rows),
    count: gives('Count', 'How many rows are kept.', Type.Integer()),
  },
  pure: true,
  run: async ({ params: { rules, match, limit }, inputs, signal }) => {
    const known = new Set(inputs.rows.flatMap((row) => Object.keys(row)))
    const unknown = inputs.rows.length > 0 && rules.find(({ column }) => !known.has(column))
    if (unknown)
      throw new NodeFailure(
        `No row has a column “${unknown.column}”. There are: ${[...known].slice(0, 20).join(', ')}.`,
      )
    const judges = rules.map(({ column, condition, value }) => ({
      column,
      holds: judgeOf(condition, value ?? '', true),
    }))
    let since = performance.now()
    const rows: Record<string, unknown>[] = []
    const others: Record<string, unknown>[] = []
    for (const row of inputs.rows) {
      let isKept = true
      for (const { column, holds } of judges) {
        // Other work of this process gets a turn about every 10 ms: a table may have many rows, and long texts in them.
        if (performance.now() - since > 10) {
          await nextTurn()
          signal.throwIfAborted()
          since = performance.now()
        }
        isKept = holds(row[column] ?? '')
        if (isKept === (match === 'any')) break
      }
      ;(isKept && (limit === 0 || rows.length < limit) ? rows : others).push(row)
    }
    return { outputs: { rows, others, count: rows.length }, message: `${rows.length} of ${inputs.rows.length} rows` }
  },
})
