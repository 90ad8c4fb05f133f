// Facts about which selected cards on pages that are not loaded an action is for.
import { beforeEach, expect, test } from 'vitest'
import type { Card } from '../lib/types.ts'
import { sampleCard } from './sample-cards.ts'
import {
  foundOrSeen,
  narrowing,
  noteAnswer,
  noteChange,
  noteSelected,
  noteWritten,
  unsureCards,
} from './selected-seen.ts'
import { clearSelected, selectMany } from './selection.ts'

const loaded = new Map<string, Card>()
const find = (id: string) => loaded.get(id)
const few = narrowing({ search: 'few' })
const ids = (cards: readonly { id: string }[]): string[] => cards.map(({ id }) => id)
const countedUnder = (under: string): string[] => ['a', 'b'].filter((id) => foundOrSeen(find, under)(id) !== undefined)

beforeEach(() => {
  loaded.clear()
  for (const id of ['a', 'b']) loaded.set(id, sampleCard(id))
  clearSelected()
  noteSelected(find, '')
  selectMany(['a', 'b'])
})

test('a board without search and filter shows each selected card that it has ever shown', () => {
  noteSelected(find, few)
  loaded.clear()
  expect(countedUnder('')).toEqual(['a', 'b'])
})

test('under a search, a card that was in sight counts until the service says that it is hidden', () => {
  noteSelected(find, few)
  loaded.clear()
  noteSelected(find, few)
  expect(ids(unsureCards(few))).toEqual(['a', 'b'])
  expect(countedUnder(few)).toEqual(['a', 'b'])
  noteAnswer(unsureCards(few), [sampleCard('b', { priority: 1 })], few)
  expect(unsureCards(few)).toEqual([])
  expect(countedUnder(few)).toEqual(['b'])
  expect(foundOrSeen(find, few)('b')?.priority).toBe(1)
  // Once it is written, the search may hide it.
  noteWritten(['a', 'b'])
  expect(ids(unsureCards(few))).toEqual(['b'])
})

test('a card that another search has shown counts only once the service says that this one shows it too', () => {
  noteSelected(find, '')
  loaded.clear()
  expect(countedUnder(few)).toEqual([])
  noteSelected(find, few)
  expect(countedUnder(few)).toEqual([])
  const asked = unsureCards(few)
  noteAnswer(asked, [sampleCard('a')], narrowing({ search: 'a search that is over' }))
  expect(countedUnder(few)).toEqual([])
  noteAnswer(asked, [sampleCard('a')], few)
  expect(countedUnder(few)).toEqual(['a'])
})

test('a card out of sight is as this user has made it, and as it was if that was refused', () => {
  noteSelected(find, '')
  loaded.clear()
  const takeBack = noteChange(['a'], (card) => ({ ...card, status: 'done' }))
  expect(foundOrSeen(find, '')('a')?.status).toBe('done')
  takeBack()
  expect(foundOrSeen(find, '')('a')?.status).toBe('backlog')
})

test('of a change that was refused for some cards only, the others stay as this user has made them', () => {
  noteSelected(find, '')
  loaded.clear()
  const takeBack = noteChange(['a', 'b'], (card) => ({ ...card, priority: 3 }))
  takeBack(['a'])
  expect(['a', 'b'].map((id) => foundOrSeen(find, '')(id)?.priority)).toEqual([3, sampleCard('b').priority])
})
