// Facts about what a change does to a task: when its names are built again.
import { type NameTemplate, parseNameTemplate } from '@atelier/contract/names.ts'
import { nullMembers } from '@atelier/contract/tasks.ts'
import { expect, test } from 'vitest'
import { decideChange, derivedNames, type TaskRow } from './changes.ts'

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
