// Facts about filters over HTTP: which tasks the rules of each field type select, and which filters are valid.
import { filterFields } from '@atelier/contract/filter-fields.ts'
import type { TaskCard } from '@atelier/contract/tasks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawTasks, insertTasks } from '../support/feed-model.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { feedPath, pageThrough } from '../support/paging.ts'

const board = { feed: 'board', status: null } as const
let service: Service
let cards: TaskCard[]
let glow: string
beforeAll(async () => {
  service = await startService()
  await insertTasks(service.database, drawTasks(150))
  const { task, product } = makers(service)
  glow = (await product('Glow')).id
  await task({ name: 'Glow one', product_id: glow, creation_complexity: 3, execution_complexity: 2, count: 4 })
  await task({ name: 'Glow two', product_id: glow, creation_complexity: 3, task_owner_id: service.owner.id })
  const seen: TaskCard[] = []
  await pageThrough(async (cursor) => {
    const { data } = await service.get(feedPath(board, { limit: 100, cursor }))
    seen.push(...data.tasks)
    return data
  })
  cards = seen
})
afterAll(() => service.close())

const rule = (field: string, operator: string, value: unknown = null) => ({ field, operator, value })
const all = (...rules: unknown[]) => ({ combinator: 'and', rules })
const any = (...rules: unknown[]) => ({ combinator: 'or', rules })

/** Expects the filter to select exactly the cards for which `holds` returns true: at least one card, but not all. */
async function expectSelected(query: unknown, holds: (card: TaskCard) => boolean): Promise<void> {
  const expected = cards.filter(holds).map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.length).toBeLessThan(cards.length)
  await expectExactly(query, expected)
}

async function expectExactly(query: unknown, expected: string[]): Promise<void> {
  const totals: (number | null)[] = []
  const ids = await pageThrough(async (cursor) => {
    const { data, text } = await service.get(feedPath(board, { query, limit: 50, cursor }))
    expect(data, text).not.toBeNull()
    totals.push(data.meta.total)
    return data
  })
  expect(ids).toEqual(expected)
  expect(totals[0]).toBe(expected.length)
}

const january = '2026-01-01T00:00:00.000Z'
const person = '019aa0e5-0000-7000-8000-000000000001'

describe('a rule selects by', () => {
  test.for<[string, unknown, (card: TaskCard) => boolean]>([
    ['part of a text', rule('subject', 'contains', 'A'), ({ subject }) => /a/i.test(subject ?? '')],
    ['text without it, nulls too', rule('subject', 'doesNotContain', 'a'), (card) => !/a/i.test(card.subject ?? '')],
    ['the beginning of a text', rule('audience', 'beginsWith', '50'), (card) => !!card.audience?.startsWith('50')],
    ['a wildcard, literally', rule('audience', 'contains', '_'), (card) => !!card.audience?.includes('_')],
    ['letters beyond ASCII', rule('subject', '=', 'Ä'), ({ subject }) => subject === 'Ä'],
    ['letters in another case', rule('subject', 'contains', 'Ä'), ({ subject }) => /ä/iu.test(subject ?? '')],
    ['no text', rule('generated_name', 'null'), (card) => card.generated_name === null],
    ['a fixed enumeration', rule('status', 'in', ['done', 'archived']), (card) => /done|archived/.test(card.status)],
    ['another status', rule('status', '!=', 'done'), ({ status }) => status !== 'done'],
    [
      'no such test status',
      rule('test_status', 'notIn', 'tested,in_test'),
      (card) => card.test_status === 'not_tested',
    ],
    ['a vocabulary', rule('language', 'notNull'), ({ language }) => language !== null],
    ['an integer', rule('priority', '<=', '2'), ({ priority }) => priority !== null && priority <= 2],
    ['a range', rule('count', 'between', [4, 2]), ({ count }) => count !== null && count >= 2 && count <= 4],
    ['outside a range', rule('count', 'notBetween', '2,4'), ({ count }) => count === null || count < 2 || count > 4],
    ['points', rule('creation_points', '>', 2.5), ({ creation_points }) => (creation_points ?? 0) > 2.5],
    ['no points', rule('execution_points', 'null'), ({ execution_points }) => execution_points === null],
    ['a flag', rule('manual_launch', '=', true), ({ manual_launch }) => manual_launch],
    ['a flag as text', rule('manual_launch', '!=', 'true'), ({ manual_launch }) => !manual_launch],
    ['an instant', rule('deadline_at', '=', '2026-01-01T01:00:00+01:00'), (card) => card.deadline_at === january],
    [
      'a day',
      rule('deadline_at', '<', '2026-01-01'),
      (card) => card.deadline_at !== null && card.deadline_at < january,
    ],
    ['when it was made', rule('created_at', '>=', january), ({ created_at }) => created_at >= january],
    ['a person', rule('assignee_id', '=', person.toUpperCase()), ({ assignee_id }) => assignee_id === person],
    ['nobody', rule('assignee_id', 'null'), ({ assignee_id }) => assignee_id === null],
    ['an owner', rule('task_owner_id', 'notNull'), ({ task_owner_id }) => task_owner_id !== null],
    ['a member of a set', rule('varied_elements', 'contains', 'hook'), (card) => card.varied_elements.includes('hook')],
    ['the empty set', rule('varied_elements', 'null'), (card) => card.varied_elements.length === 0],
    ['its number', rule('number', 'in', [1, 3, 5, 151]), ({ number }) => [1, 3, 5, 151].includes(number ?? 0)],
  ])('%s', async ([, one, holds]) => {
    await expectSelected(all(one), holds)
  })

  test('a product', async () => {
    await expectSelected(all(rule('product_id', 'in', [glow])), ({ product_id }) => product_id === glow)
  })

  test('a campaign id, of which cards do not tell', async () => {
    const [first, second] = cards
    await service.rows(`update tasks set ad_id = '23852150404470549' where id = $1::uuid`, [first?.id])
    await service.rows(`update tasks set ad_id = '23852150404470550' where id = $1::uuid`, [second?.id])
    await expectExactly(all(rule('ad_id', '=', '23852150404470549')), [first?.id ?? ''])
  })
})

test('text is found as search finds it, however it is cased and composed', async () => {
  const text = 'Quergaße Nue\u0301'
  const { id } = await makers(service).task({ name: text, subject: text, topic: text, audience: text })
  for (const field of ['name', 'subject', 'topic', 'audience']) {
    for (const part of ['QUERGASSE', 'quergaße', 'NUÉ', 'nue\u0301']) {
      const { data } = await service.get(feedPath(board, { query: all(rule(field, 'contains', part)), limit: 100 }))
      expect([field, part, data.tasks.map((card: TaskCard) => card.id)]).toEqual([field, part, [id]])
    }
  }
  await service.rows('delete from tasks where id = $1', [id])
})

describe('groups', () => {
  test('combine, nest and negate', async () => {
    await expectSelected(
      any(all(rule('priority', '=', 1), rule('manual_launch', '=', true)), {
        ...all(
          rule('status', 'in', ['backlog', 'done', 'archived']),
          any(rule('geo', 'null'), rule('language', 'null')),
        ),
        not: true,
      }),
      ({ priority, manual_launch, status, geo, language }) =>
        (priority === 1 && manual_launch) ||
        !(['backlog', 'done', 'archived'].includes(status) && (geo === null || language === null)),
    )
  })

  test('a filter and its negation share all tasks out', async () => {
    for (const { name } of filterFields.filter(({ nullable }) => nullable)) {
      const total = async (not: boolean) => {
        const query = { ...all(rule(name, 'null')), not }
        return (await service.get(feedPath(board, { query, limit: 1 }))).data.meta.total
      }
      expect((await total(false)) + (await total(true)), name).toBe(cards.length)
    }
  })

  test('an empty list selects nothing, an empty group everything, its negation nothing', async () => {
    await expectExactly(all(rule('priority', 'in', [])), [])
    const ids = cards.map(({ id }) => id)
    await expectExactly(all(rule('priority', 'notIn', [])), ids)
    await expectExactly(all(), ids)
    await expectExactly({ ...all(), not: true }, [])
  })

  test('muted rules are not there, even half-written', async () => {
    const muted = { field: 'nothing of ours', operator: '', muted: true }
    await expectSelected(all(muted, rule('priority', '=', 1)), ({ priority }) => priority === 1)
    await expectExactly(
      all(muted),
      cards.map(({ id }) => id),
    )
  })

  test('hold within the column that is asked for', async () => {
    const query = all(rule('priority', 'null'))
    const { data } = await service.get(feedPath({ feed: 'board', status: 'done' }, { query, limit: 100 }))
    const expected = cards.filter(({ status, priority }) => status === 'done' && priority === null)
    expect(data.tasks.map(({ id }: TaskCard) => id)).toEqual(expected.map(({ id }) => id))
    expect(data.meta.total).toBe(expected.length)
  })

  test('apply to the Deleted feed alike', async () => {
    const query = all(rule('deleted_at', 'notNull'), rule('priority', 'notNull'))
    const { data } = await service.get(feedPath({ feed: 'deleted', status: null }, { query }))
    expect(data.tasks.length).toBeGreaterThan(0)
    expect(data.meta.total).toBe(data.tasks.length)
    expect(data.tasks.every(({ priority }: TaskCard) => priority !== null)).toBe(true)
    expect((await service.get(feedPath(board, { query }))).data.tasks).toEqual([])
  })
})

/** Puts `value` into the form that the operator takes. */
const valueFor = (operator: string, value: unknown): unknown => {
  if (operator === 'between' || operator === 'notBetween') return [value, value]
  return operator === 'in' || operator === 'notIn' ? [value] : value
}

test('every field the schema offers can be filtered by, with every operator it offers', async () => {
  const { data: schema } = await service.get('/api/v1/tasks/schema')
  const samples: Record<string, unknown> = {
    ...{ text: 'a', integer: 1, number: 1.5, boolean: true, datetime: january, id: person },
  }
  for (const { name, type, operators, vocabulary, values } of schema.filter_fields) {
    const value = samples[type] ?? values?.[0].value ?? schema.vocabularies[vocabulary][0].value
    const rules = operators.map((operator: string) => rule(name, operator, valueFor(operator, value)))
    for (const feed of ['board', 'deleted'] as const) {
      const { status, text } = await service.get(feedPath({ feed, status: null }, { query: any(...rules), limit: 1 }))
      expect(status, `${name}: ${text}`).toBe(200)
    }
  }
})

test('a filter as large as may be is answered', async () => {
  const rules = Array.from({ length: 50 }, (_, at) => rule('name', 'contains', `${'ä%'.repeat(40)}${at}`))
  const query = any(...rules)
  expect(JSON.stringify(query).length).toBeLessThan(16_384)
  expect((await service.get(feedPath(board, { query }))).data.tasks).toEqual([])
  const nested = all(all(all(all(all(rule('priority', '=', 1))))))
  await expectSelected(nested, ({ priority }) => priority === 1)
})
