// Facts about the JSON that the database itself makes of cards, records and creatives: it contains exactly what was written.
// The harness checks each response against the contract's schema; these tests compare it with the written values.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { everyPlainMember, makers, utc } from '../support/make.ts'
import { feedPath } from '../support/paging.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const card = async (number: number, feed: 'board' | 'deleted' = 'board'): Promise<Body> => {
  const { data } = await service.get(feedPath({ feed, status: null }, { search: String(number) }))
  expect(data.tasks).toHaveLength(1)
  return data.tasks[0]
}
const record = async (id: string): Promise<Body> => (await service.get(`/api/v1/tasks/${id}`)).data

/** Expects equal values in the members that a card and a record share. */
const expectAlike = (card: Body, task: Body): void => {
  const { automation, creation_points, execution_points, creatives_total, creatives_done, ...shared } = card
  expect(task).toMatchObject(shared)
  expect(task.rollups).toMatchObject({ creation_points, execution_points })
  expect(task.automation).toMatchObject(automation)
  expect([creatives_total, creatives_done].every(Number.isInteger)).toBe(true)
}

/** Texts with a special meaning in JSON, SQL, array literals or JavaScript. */
const texts = [
  ...[
    '"quoted"',
    'back\\slash',
    '\\"',
    '\\u0000',
    "it's",
    '{braced}',
    '{"json":true}',
    'a,b',
    'NULL',
    'null',
    ' ',
    '%s $1 ?',
  ],
  ...[
    'line\nbreak\r\n\ttab',
    'bell \u0007 escape \u001b del \u007f',
    'next \u0085 line',
    'sep \u2028 para \u2029 end',
    'nb\u00a0sp \ufeff',
  ],
  ...[
    '👩‍👩‍👧‍👦 🏳️‍🌈 🇦🇹',
    '\u{10ffff}\u{1f3ac}',
    '\uffff\ufffe\ue000',
    'e\u0301 é ﷺ',
    'שלום \u202eevil\u202c مرحبا',
    '日本語の文',
    '</script>',
  ],
]
const lines = texts.filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.trim() === text && text !== '')

describe('a task with every nullable member null', () => {
  test('is a card and a record', async () => {
    const id = '019aa0e5-0000-7000-8000-0000000000aa'
    await service.rows(
      `insert into tasks (id, number, name, search_text) values ($1::uuid, 900001, 'Bare', E'bare\n')`,
      [id],
    )
    const [bare, task] = [await card(900001), await record(id)]
    expectAlike(bare, task)
    const kept = ['id', 'name', 'number', 'status', 'test_status', 'source', 'manual_launch', 'varied_elements']
    for (const [member, value] of Object.entries(bare)) {
      if (kept.includes(member) || /^(created|updated)_at$|^comment_count$|^creatives_/.test(member)) continue
      expect(value, member).toEqual(member === 'automation' ? { state: null, error: null, started_at: null } : null)
    }
    expect(task).toMatchObject({ landing: null, funnel: null, cpp: null, variants: [], subtopics: [], ad_id: null })
    expect(task.rollups).toEqual({
      derived_task_count: 0,
      creation_points: null,
      execution_points: null,
      return_count: 0,
    })
  })
})

describe('a task with every member at its limit', () => {
  test('tells each as it is stored', async () => {
    const id = '019aa0e5-0000-7000-8000-0000000000bb'
    const most = 2_147_483_647
    const stored: Record<string, unknown> = {
      ...{ number: most, creation_complexity: most, execution_complexity: 0, count: 1, comment_count: most },
      ...{ creatives_total: most, creatives_done: 0, return_count: most, automation_error: texts.join('\n') },
      ...{ time_in_progress_seconds: 123456789012.345, time_on_check_seconds: 1e-7, automation_state: 'failed' },
      ...{ deadline_at: '0001-01-01T00:00:00Z', launched_at: '9999-12-31T23:59:59.999Z', ad_id: '9'.repeat(40) },
      ...{ started_at: '2026-03-29T01:30:00.0006Z', submitted_at: '2026-03-29T01:30:00.0004Z', revision: most },
    }
    const names = Object.keys(stored)
    await service.rows(
      `insert into tasks (id, name, search_text, ${names}) select $1::uuid, 'Full', E'full\n', ${names}
       from jsonb_populate_record(null::tasks, $2)`,
      [id, JSON.stringify(stored)],
    )
    const [full, task] = [await card(most), await record(id)]
    expectAlike(full, task)
    expect(full).toMatchObject({
      ...{ number: most, creation_points: most, execution_points: 0, comment_count: most, creatives_total: most },
      ...{ deadline_at: '0001-01-01T00:00:00.000Z', launched_at: '9999-12-31T23:59:59.999Z' },
      ...{ started_at: '2026-03-29T01:30:00.001Z', submitted_at: '2026-03-29T01:30:00.000Z' },
    })
    expect(full.automation.error).toBe(texts.join('\n'))
    expect(task).toMatchObject({ time_in_progress_seconds: 123456789012.345, time_on_check_seconds: 1e-7 })
    expect(task.ad_id).toBe('9'.repeat(40))
  })

  test('instants are written in milliseconds, whatever they came as', async () => {
    const { task } = makers(service)
    for (const [given, told] of [
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00.9999Z', '2026-01-01T00:00:00.999Z'],
      ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
      ['2026-01-01T05:30:00+05:30', '2026-01-01T00:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
    ]) {
      const made = await task({ deadline_at: given })
      expect(made.deadline_at).toBe(told)
      expect((await card(made.number)).deadline_at).toBe(told)
      for (const stamp of [made.created_at, made.updated_at, made.status_entered_at]) expect(stamp).toMatch(utc)
    }
  })
})

describe('texts', () => {
  test('come back as they were written, in every member that takes them', async () => {
    const { task, creative } = makers(service)
    for (const text of texts) {
      const line = lines.includes(text) ? text : 'A line'
      const lineMembers = {
        name: line,
        subject: line,
        topic: line,
        audience: line,
        drive_folder_id: line,
        subtopics: [line, line],
      }
      const textMembers = { notes: text, hypothesis: text, var_description: text, legacy_remap_list: text }
      const json = { landing: text, funnel: [text], cpp: { [text]: text } }
      const variants = [
        { key: line, variation_num: 1, audience: line, notes: text, description: text, tag_slugs: [line] },
      ]
      const made = await task({ ...lineMembers, ...textMembers, ...json, variants })
      const told = { ...lineMembers, ...textMembers, ...json, variants: [expect.objectContaining(variants[0])] }
      expect(made).toMatchObject(told)
      expect(await record(made.id)).toEqual(made)
      const { name, subject, topic, audience } = lineMembers
      expect(await card(made.number)).toMatchObject({ name, subject, topic, audience })
      const { data } = await service.post('/api/v1/tasks/bulk', { ids: [made.id], patch: { priority: 1 } })
      expect(data.updated[0]).toMatchObject(told)
      if (line !== text) continue
      const one = await creative(made.id, { name: `${text} ${made.number}`, tags: [text], variation_num: 1 })
      expect(one).toMatchObject({
        name: `${text} ${made.number}`,
        tags: [text],
        subject: line,
        audience: line,
        ...json,
      })
      expect((await service.get(`/api/v1/creatives/${one.id}`)).data).toEqual(one)
      expect((await service.get(`/api/v1/tasks/${made.id}/creatives`)).data.items).toEqual([one])
    }
  })

  test('of any characters come back, too', async () => {
    const { task } = makers(service)
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map((drawn) => drawn.toWellFormed().replaceAll('\0', '?'))
    await fc.assert(
      fc.asyncProperty(text, text, async (notes, member) => {
        const made = await task({ notes, landing: { [`${member}.`]: notes } })
        expect(await record(made.id)).toMatchObject({ notes, landing: { [`${member}.`]: notes } })
      }),
      { numRuns: 25, seed: 31 },
    )
  })

  test('the name that an index holds may be as long as names may be', async () => {
    const { task } = makers(service)
    // Case folding turns each letter into three characters of four bytes. In random order, the database cannot compress them.
    const parts = fc.constantFrom(
      ...'\u{1d15e}\u{1d15f}\u{1d160}\u{1d161}\u{1d162}\u{1d163}\u{1d164}\u{1d1bb}\u{1d1bc}\u{1d1bd}\u{1d1be}\u{1d1bf}\u{1d1c0}',
    )
    const names = fc.array(parts, { minLength: 255, maxLength: 255 }).map((drawn) => drawn.join(''))
    for (const name of fc.sample(names, { numRuns: 3, seed: 37 })) {
      const made = await task({ name })
      expect((await card(made.number)).name).toBe(name)
    }
  })
})

describe('JSON members', () => {
  const numbers = [0, 1, -1, 0.1, 5e-324, 1e-300, 1e-7, 123456789.12345679, 2 ** 53 - 1, 1 - 2 ** 53]
  const values = [
    ...[true, false, 0, '', [], {}, [[]], [null], { a: null }, [1, 'a', null, { b: [] }], numbers, { '': { ' ': 1 } }],
    ...[
      { constructor: 1, toString: null, length: 2 },
      { b: 1, a: 2, 10: 3, 9: 4 },
      { é: 1, 'e\u0301': 2 },
    ],
    JSON.parse(`${'['.repeat(90)}1${']'.repeat(90)}`),
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`member ${at}`, 'x'.repeat(50)])),
  ]

  test('come back as the values they were', async () => {
    const { task, creative } = makers(service)
    for (const value of values) {
      const made = await task({ landing: value, funnel: [value], cpp: { value } })
      expect(made).toMatchObject({ landing: value, funnel: [value], cpp: { value } })
      expect((await record(made.id)).landing).toEqual(value)
      expect((await creative(made.id)).landing).toEqual(value)
    }
  })

  test('null clears them', async () => {
    const { task, patched } = makers(service)
    const { id } = await task({ landing: { a: 1 }, funnel: 0, cpp: '' })
    expect(await patched(id, { landing: null, funnel: null, cpp: null })).toMatchObject({
      landing: null,
      funnel: null,
      cpp: null,
    })
  })
})

describe('large and empty lists', () => {
  test('a hundred variants come back as they were, each whole', async () => {
    const { task } = makers(service)
    const {
      variants: [variant],
    } = everyPlainMember(service) as { variants: object[] }
    const variants = Array.from({ length: 100 }, (_, at) => ({ ...variant, key: `k${at}`, variation_num: 10_000 - at }))
    const made = await task({ variants, count: 2 })
    expect(made.variants).toEqual(variants)
    expect(made.planned_creative_names).toHaveLength(200)
    expect(await record(made.id)).toEqual(made)
  })

  test('empty lists are lists', async () => {
    const { task } = makers(service)
    const empty = { varied_elements: [], subtopics: [], source_creative_ids: [], variants: [] }
    const made = await task(empty)
    expect(made).toMatchObject({ ...empty, planned_creatives_done: [] })
    expect((await card(made.number)).varied_elements).toEqual([])
  })
})

test('a whole task is told alike by card, record and bulk, live and deleted', async () => {
  const { whole, deleted, creative } = makers(service)
  const { body, task } = await whole()
  await creative(task.id, { completed: true })
  const { data } = await service.get(`/api/v1/tasks/${task.id}?included=true`)
  expect(data.task).toMatchObject(body)
  expect(data.included.task_creatives).toHaveLength(1)
  expectAlike(await card(task.number), data.task)
  const gone = await deleted(`/api/v1/tasks/${task.id}`)
  expect(gone.deleted_at).toMatch(utc)
  const told = await card(task.number, 'deleted')
  expectAlike(told, gone)
  expect(told.status).toBe(body.status)
})
