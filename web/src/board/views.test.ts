// Facts about saved views.
import { expect, test } from 'vitest'
import { currentView, withView } from './views.ts'

const views = [
  { name: 'Mine', search: { q: 'a' } },
  { name: 'Urgent', search: { sort: 'deadline_at' } },
]

test('a view of the same name is replaced, and all stand by name', () => {
  const next = withView(views, { name: 'Mine', search: { q: 'b' } })
  expect(next).toEqual([{ name: 'Mine', search: { q: 'b' } }, views[1]])
  expect(withView(views, { name: 'Late', search: {} }).map(({ name }) => name)).toEqual(['Late', 'Mine', 'Urgent'])
})

test('the current view is the one that shows the same', () => {
  expect(currentView(views, { sort: 'deadline_at' })?.name).toBe('Urgent')
  expect(currentView(views, { sort: '-deadline_at' })).toBeUndefined()
})
