// Facts about what a change does to a task: when its names are built again, and what the activity shows of it.
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import { type NameTemplate, parseNameTemplate } from '@atelier/contract/names.ts'
import { nullMembers, type TaskVariant } from '@atelier/contract/tasks.ts'
import { expect, test } from 'vitest'
import { decideChange, derivedNames, describeChanges, type TaskRow } from './changes.ts'

function templateOf(text: string): NameTemplate {
  const parsed = parseNameTemplate(text)
  if ('errors' in parsed) throw new Error(parsed.errors.join('; '))
  return parsed.template
}

const now = '2026-03-01T00:00:00.000Z'
const naming = { template: templateOf('T{number}_{subject}_V{variant}_{index}'), product: null }
const bare = { ...nullMembers, number: 7, name: 'Glow', count: 3, variants: [], planned_creative_names: [] }
const named = { ...bare, ...derivedNames(bare as unknown as TaskRow, naming) }
/** A task with planned names that its members do not give: names that are built again are other ones. */
const task = {
  ...named,
  planned_creative_names: named.planned_creative_names.with(2, 'Kept'),
} as unknown as TaskRow // the members that no test here needs are left out

test('names are kept by a change of what they are not made of', () => {
  expect(decideChange(task, { notes: 'x', priority: 1, subject: null, count: 3 }, now, naming)).toEqual({
    notes: 'x',
    priority: 1,
  })
})

test('names are built again by a change of what they are made of', () => {
  expect(decideChange(task, { subject: 'Hands' }, now, naming)).toMatchObject({
    generated_name: 'T7_Hands',
    planned_creative_names: ['T7_Hands_01', 'T7_Hands_02', 'T7_Hands_03'],
  })
  const two = [1, 2].map((variation_num) => ({ key: `${variation_num}`, variation_num }))
  expect(decideChange(task, { count: 1, variants: two }, now, naming)).toMatchObject({
    planned_creative_names: ['T7_V1_01', 'T7_V2_01'],
  })
})

test('names are built again by any change once the template is another one, for tasks or only for creatives', () => {
  for (const text of ['X{number}_V{variant}_{index}', 'T{number}_V{variant}_N{index}']) {
    const changed = decideChange(task, { notes: 'x' }, now, { ...naming, template: templateOf(text) })
    expect(changed.planned_creative_names).toHaveLength(3)
    expect(changed.planned_creative_names).not.toContain('Kept')
  }
})

/** Ten variants or as many as asked for, v1 and so on, each with a note. */
const variants = (count = 10): TaskVariant[] =>
  Array.from({ length: count }, (_, at) => ({
    ...emptyVariant,
    ...{ key: `v${at + 1}`, variation_num: at + 1, notes: `note ${at}` },
  }))
const told = (before: Partial<TaskRow>, after: Partial<TaskRow>) => describeChanges({ ...task, ...before }, after)

test('of the variants, only those that were added, removed or changed are told, with the members that differ', () => {
  const before = variants()
  const after = before.map((variant) => (variant.key === 'v7' ? { ...variant, notes: 'changed!' } : variant))
  expect(told({ variants: before }, { variants: after })).toEqual({
    variants: { from: [{ key: 'v7', notes: 'note 6' }], to: [{ key: 'v7', notes: 'changed!' }] },
  })
  expect(told({ variants: before }, { variants: before.slice(1) })).toEqual({
    variants: { from: [{ key: 'v1', variation_num: 1, notes: 'note 0' }], to: [] },
  })
  expect(told({ variants: before.slice(1) }, { variants: before })).toEqual({
    variants: { from: [], to: [{ key: 'v1', variation_num: 1, notes: 'note 0' }] },
  })
})

test('of variants in another order, the keys are told', () => {
  const before = variants(2)
  expect(told({ variants: before }, { variants: before.toReversed() })).toEqual({
    variants: { from: ['v1', 'v2'], to: ['v2', 'v1'] },
  })
})

test('of very many long variants, what is told stays short and names each of them', () => {
  const long = variants(100).map((variant) => ({ ...variant, notes: 'x'.repeat(20_000) }))
  const { from, to } = told({ variants: variants(100) }, { variants: long }).variants ?? {}
  expect(from).toHaveLength(100)
  expect(to).toMatchObject(long.map(({ key }) => ({ key })))
  expect(JSON.stringify({ from, to }).length).toBeLessThan(15_000)
})

test('of long texts, the parts that differ are told, with little of what stands before them', () => {
  const same = 'Same words. '.repeat(100)
  const { notes } = told({ notes: `${same}Before.` }, { notes: `${same}After.` })
  expect(notes).toEqual({
    from: '…ords. Same words. Same words. Before.',
    to: '…ords. Same words. Same words. After.',
  })
  const [one] = variants(1)
  const of = (text: string) => (one ? [{ ...one, notes: `${same}${text}` }] : [])
  expect(told({ variants: of('Before.') }, { variants: of('After.') })).toEqual({
    variants: { from: [{ key: 'v1', notes: notes?.from }], to: [{ key: 'v1', notes: notes?.to }] },
  })
})

test('lists stay lists, and are shortened where they are very long', () => {
  const ids = Array.from({ length: 100 }, (_, at) => `01a21c18-9fd8-7000-8000-${String(at).padStart(12, '0')}`)
  expect(told({ source_creative_ids: [] }, { source_creative_ids: ids })).toEqual({
    source_creative_ids: { from: [], to: ids },
  })
  const { subtopics } = told({ subtopics: [] }, { subtopics: ids.map((id) => id.repeat(5)) })
  expect(subtopics?.to).toContain('…')
  expect(JSON.stringify(subtopics).length).toBeLessThan(8_500)
})
