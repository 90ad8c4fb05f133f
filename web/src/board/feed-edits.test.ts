// Facts about the loaded pages of a column: changing them before the service has responded, and reading them again.
import { taskStatuses } from '@atelier/contract/enums.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { describe, expect, test } from 'vitest'
import {
  cardsOf,
  compareCards,
  totalOf,
  withCard,
  withCardsOf,
  withChanged,
  withKnownCards,
  withoutCards,
  withTotalOf,
} from './feed-edits.ts'
import { sampleCard, sampleFeed } from './sample-cards.ts'

const newest = { field: 'created_at', direction: -1 } as const
const [a, b, c, d] = ['04', '03', '02', '01'].map((day) =>
  sampleCard(`t${day}`, { created_at: `2026-03-${day}T00:00:00.000Z` }),
)
const cards = [a, b, c, d].filter((card) => card !== undefined)
const ids = (feed: ReturnType<typeof sampleFeed>) => cardsOf(feed).map(({ id }) => id)

describe('taking out', () => {
  test('counts only what was there', () => {
    const feed = sampleFeed([cards.slice(0, 2), cards.slice(2)], { total: 4 })
    const left = withoutCards(feed, new Set(['t03', 'elsewhere']))
    expect(ids(left)).toEqual(['t04', 't02', 't01'])
    expect(totalOf(left)).toBe(3)
    expect(withoutCards(feed, new Set(['elsewhere']))).toBe(feed)
  })

  test('keeps an unknown total unknown', () => {
    expect(totalOf(withoutCards(sampleFeed([cards], { total: null }), new Set(['t03'])))).toBeNull()
  })
})

describe('putting in', () => {
  test('finds the place the sort has for it', () => {
    const feed = sampleFeed([cards.slice(0, 2), cards.slice(3)], { total: 3 })
    const put = withCard(feed, cards[2] ?? sampleCard('x'), newest)
    expect(ids(put)).toEqual(['t04', 't03', 't02', 't01'])
    expect(totalOf(put)).toBe(4)
  })

  test('goes to the end where all has been read, and only into the total where not', () => {
    const last = sampleCard('t00', { created_at: '2026-02-01T00:00:00.000Z' })
    expect(ids(withCard(sampleFeed([cards], { total: 4 }), last, newest)).at(-1)).toBe('t00')
    const more = withCard(sampleFeed([cards], { total: 9, more: true }), last, newest)
    expect(ids(more)).not.toContain('t00')
    expect(totalOf(more)).toBe(10)
  })

  test('reaches to where the last page ended, even if the card that stood there has moved away', () => {
    const feed = sampleFeed([cards.slice(0, 2), cards.slice(2)], { total: 9, more: true })
    const renamed = sampleCard('t01', { created_at: '2026-03-01T00:00:00.000Z', name: 'Renamed' })
    expect(cardsOf(withCard(feed, renamed, newest)).at(-1)).toBe(renamed)
    const left = withoutCards(feed, new Set(['t01']))
    const [before, after] = ['2026-03-01T12:00:00.000Z', '2026-02-28T00:00:00.000Z'].map((created_at) =>
      withCard(left, sampleCard('arriving', { created_at }), newest),
    )
    expect(cardsOf(before).map(({ id }) => id)).toEqual(['t04', 't03', 't02', 'arriving'])
    expect(cardsOf(after).map(({ id }) => id)).toEqual(['t04', 't03', 't02'])
    expect([totalOf(before), totalOf(after)]).toEqual([9, 9])
  })

  test('a card that is there already is not there twice', () => {
    const feed = sampleFeed([cards], { total: 4 })
    expect(totalOf(withCard(feed, cards[1] ?? sampleCard('x'), newest))).toBe(4)
  })
})

describe('cards that have changed', () => {
  const feed = sampleFeed([cards.slice(0, 2), cards.slice(2)], { total: 9, more: true })

  test('stand where the sort has them now, and those that are no longer here are gone', () => {
    const later = sampleCard('t02', { created_at: '2026-03-03T12:00:00.000Z', name: 'Renamed' })
    const edited = withCardsOf(feed, new Set(['t02', 't04', 'elsewhere']), [later], newest)
    expect(ids(edited)).toEqual(['t02', 't03', 't01'])
    expect(cardsOf(edited)[0]?.name).toBe('Renamed')
    expect(totalOf(edited)).toBe(8)
  })

  test('that say the same stay the same objects', () => {
    const same = sampleCard('t03', { created_at: '2026-03-03T00:00:00.000Z' })
    expect(cardsOf(withCardsOf(feed, new Set(['t03']), [same], newest))[1]).toBe(cards[1])
  })

  test('a total that was read counts, whatever stands on the pages', () => {
    expect(totalOf(withTotalOf(feed, 7))).toBe(7)
  })
})

test('nulls come last both ways, ids break ties', () => {
  const [one, none, other] = [
    sampleCard('1', { priority: 2 }),
    sampleCard('2', { priority: null }),
    sampleCard('3', { priority: 2 }),
  ]
  const sorted = (direction: 1 | -1) =>
    [none, other, one].toSorted((x, y) => compareCards(x, y, { field: 'priority', direction })).map(({ id }) => id)
  expect(sorted(1)).toEqual(['1', '3', '2'])
  expect(sorted(-1)).toEqual(['3', '1', '2'])
})

test('statuses are sorted as their columns stand, not by the alphabet', () => {
  const cards = [...taskStatuses].toSorted().map((status) => sampleCard(status, { status }))
  const sorted = (direction: 1 | -1) =>
    cards.toSorted((x, y) => compareCards(x, y, { field: 'status', direction })).map(({ status }) => status)
  expect(sorted(1)).toEqual(taskStatuses)
  expect(sorted(-1)).toEqual(taskStatuses.toReversed())
})

test('names are sorted as the service sorts them: folded, and then by the bytes of their characters', () => {
  const cards = [
    ...[
      'Fußball',
      'Fussbett',
      'Fus',
      'fussball 2',
      'Zebra',
      'apple',
      'Äpfel',
      'A\u0308pfel 2',
      'İzmir',
      'izmit',
      'ıspanak',
    ],
    ...['😀 Smile', 'Ａ wide', '\ue000 private', '😁 Grin', 'Σίγμας', 'σίγμασ 2', ''],
  ].map((name, at) => sampleCard(`t${at}`, { name }))
  const bytes = ({ name }: { name: string }) =>
    [...new TextEncoder().encode(foldText(name))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const wanted = cards.toSorted((x, y) => (bytes(x) < bytes(y) ? -1 : 1)).map(({ name }) => name)
  const sorted = (direction: 1 | -1) =>
    cards.toSorted((x, y) => compareCards(x, y, { field: 'name', direction })).map(({ name }) => name)
  expect(sorted(1)).toEqual(wanted)
  expect(sorted(-1)).toEqual(wanted.toReversed())
})

test('a card whose name has a ß stays on the page on which the service has it', () => {
  const names = ['Fus', 'Fußball', 'Fussbett']
  const feed = sampleFeed([names.map((name) => sampleCard(name, { name }))], { total: 9, more: true })
  const changed = sampleCard('Fußball', { name: 'Fußball', priority: 1 })
  const edited = withCardsOf(feed, new Set(['Fußball']), [changed], { field: 'name', direction: 1 })
  expect(ids(edited)).toEqual(names)
})

test('a card on two pages is shown once', () => {
  expect(ids(sampleFeed([cards.slice(0, 2), cards.slice(1)], { total: 4 }))).toEqual(['t04', 't03', 't02', 't01'])
})

test('a change reaches the card and nothing else', () => {
  const changed = withChanged(sampleFeed([cards], { total: 4 }), 't03', { name: 'New' })
  expect(cardsOf(changed).map(({ name }) => name)).toEqual(['A task', 'New', 'A task', 'A task'])
})

describe('reading again', () => {
  test('keeps the cards that say the same, wherever they stand now', () => {
    const before = sampleFeed([cards.slice(0, 2), cards.slice(2)], { total: 4 })
    const [page] = structuredClone(sampleFeed([[...cards.slice(1), sampleCard('new')]], { total: 4 }).pages)
    if (!page || !b || !c || !d) throw new Error('There are cards.')
    const changed = {
      ...page,
      tasks: page.tasks.map((card) => (card.id === c.id ? { ...card, name: 'Renamed' } : card)),
    }
    const [first, second, third, fourth] = withKnownCards(changed, before).tasks
    expect([first, third]).toEqual([b, d])
    expect(first).toBe(b)
    expect(third).toBe(d)
    expect(second).toEqual({ ...c, name: 'Renamed' })
    expect(fourth?.id).toBe('new')
  })

  test('takes a page as it is where nothing was read before', () => {
    const { pages } = sampleFeed([cards.slice(0, 2), cards.slice(2)], { total: 4 })
    expect(pages.map((page) => withKnownCards(page, undefined))).toEqual(pages)
  })
})
