// Facts about the columns of the lookup table.
import { expect, test } from 'vitest'
import type { LookupRow } from '../lib/types.ts'
import { csvRows, linesOf } from './columns.ts'

const creative: LookupRow['creatives'][number] = {
  id: 'c1',
  name: 'T1_01',
  ad_id: '23852150404470549',
  locale: 'de',
  geo: 'DE',
  subject: null,
  topic: null,
  subtopics: ['a', 'b'],
  primary_anchor: null,
  audience: null,
  awareness_stage: null,
  messaging_angle: null,
  hook_trigger: null,
  hook_type: null,
  ad_format: null,
  tags: [],
  traffic_flow: null,
  landing: { url: 'x' },
  funnel: null,
  cpp: null,
  varied_elements: [],
  task_owner: { name: 'Ada', initials: 'A' },
  assignee: null,
  created_at: '2026-03-01T00:00:00.000Z',
}
const rows: LookupRow[] = [
  { query: '23852150404470549', handle: 'ad_id', creatives: [creative, { ...creative, id: 'c2' }] },
  { query: 'nobody', handle: 'name', creatives: [] },
]

test('every creative of a handle has a line, and so has a handle without any', () => {
  expect(linesOf(rows).map(({ creative, first }) => [creative?.id ?? null, first])).toEqual([
    ['c1', true],
    ['c2', false],
    [null, true],
  ])
})

test('the CSV has the handle, labels, and everything else a creative is', () => {
  const [head = [], first = [], , none = []] = csvRows(linesOf(rows), (vocabulary, value) => `${vocabulary}:${value}`)
  const at = (title: string) => first[head.indexOf(title)]
  expect(at('Asked')).toBe('23852150404470549')
  expect(at('Language')).toBe('Language:de')
  expect(at('Subtopics')).toBe('a; b')
  expect(at('Landing')).toBe('{"url":"x"}')
  expect(at('Task owner')).toBe('Ada')
  expect(none.slice(0, 3)).toEqual(['nobody', 'name', null])
})
