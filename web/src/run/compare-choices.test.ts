// Facts about the rows among which the user chooses a run to compare with.
import { expect, test } from 'vitest'
import { ageOf, choiceOf, choicesLike, comparedTitle } from './compare-choices.ts'

const run = {
  id: '01890000-0000-7000-8000-0000aaaa1111',
  status: 'succeeded' as const,
  created_at: '2026-11-27T09:05:00.000Z',
  credits_total: 4,
  generation: 1,
  owner_id: 'ann',
  task_id: 'tea' as string | null,
  pinned_task_id: null,
}
const names = {
  task: (id: string) => (id === 'tea' ? { number: 12, name: 'Tea for two' } : undefined),
  owner: (id: string) => (id === 'ann' ? 'Ann Lee' : undefined),
}
const later = { ...run, id: `${run.id.slice(0, -8)}bbbb2222`, created_at: '2026-11-27T09:17:00.000Z' }

test('a row tells the task, the time on the clock, the owner and the end of the id', () => {
  const { title, facts } = choiceOf(run, names)
  expect(title).toBe('#12 Tea for two')
  expect(facts).toMatch(/2026, \d\d:05 · Ann Lee · generation 1 · .*4.* · aaaa1111$/)
  expect(choiceOf({ ...run, task_id: null, owner_id: 'gone' }, names)).toMatchObject({
    title: 'Without a task',
    facts: expect.stringContaining('Unknown person'),
  })
})

test('rows are found by words of anything that they show, in any order and case', () => {
  const choices = [choiceOf(run, names), choiceOf({ ...later, task_id: null }, names)]
  const found = (search: string) => choicesLike(choices, search).map(({ id }) => id)
  expect(found('  ')).toEqual([run.id, later.id])
  expect(found('lee TEA')).toEqual([run.id])
  expect(found('bbbb2222')).toEqual([later.id])
  expect(found('coffee')).toEqual([])
})

test('of two runs the one that was made first is the older, by its id if both were made at the same moment', () => {
  expect([ageOf(run, later), ageOf(later, run)]).toEqual(['older', 'newer'])
  const twin = { ...later, created_at: run.created_at }
  expect([ageOf(run, twin), ageOf(twin, run)]).toEqual(['older', 'newer'])
})

test('the title of the page names the graph, and when each of the two runs was made', () => {
  expect(comparedTitle('Ads', run, later)).toMatch(
    /^Two runs compared: Ads, 27 Nov 2026, \d\d:05 and 27 Nov 2026, \d\d:17$/,
  )
  expect(comparedTitle('Ads', run, undefined)).toBe('Two runs compared: Ads')
})
