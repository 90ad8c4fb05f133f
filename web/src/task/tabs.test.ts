// Facts about the tabs of a task in the fragment of its address.
import { expect, test } from 'vitest'
import { namedTab, tabOf } from './tabs.ts'

test('a fragment names a tab, and after a slash what is open in it', () => {
  for (const hash of ['creatives', '#creatives', '#creatives/some-id']) expect(namedTab(hash)).toBe('creatives')
})

test('where a fragment names no tab, the details are shown', () => {
  for (const hash of ['', '#', '#unknown', '#/runs', '#said-1']) {
    expect(namedTab(hash)).toBeUndefined()
    expect(tabOf(hash)).toBe('details')
  }
})
