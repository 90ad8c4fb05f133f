// In charge of where the columns of the board stand: after a reload, and when the user comes back to the board by the browser's
// history, they are where they were left. Kept are cards and no heights: only cards that are drawn have been measured.
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { remember, remembered } from '../lib/storage.ts'
import type { Card } from '../lib/types.ts'
import { entryOf } from '../ui/entry-of.ts'
import { type Place, rowOf } from './kept-row.ts'

/** `left`: how far the board is scrolled to the right. Columns that stand at their top are left out. */
type Kept = { left: number; columns: Record<string, Place> }

/** For how many entries of the browser's history places are kept. */
const mostEntries = 20

const isKept = (value: unknown): value is [string, Kept][] => Array.isArray(value) && value.every(Array.isArray)
/** By the entry of the history, the one that was left last at the end. */
const kept = new Map(remembered('columns', isKept, [], 'tab'))

function keep(entry: string, board: HTMLElement): void {
  const columns = [...board.querySelectorAll<HTMLElement>('.column')].flatMap((column) => {
    const place = placeIn(column.querySelector('.column-cards'))
    return place ? [[column.dataset.column ?? '', place] as const] : []
  })
  kept.delete(entry)
  kept.set(entry, { left: board.scrollLeft, columns: Object.fromEntries(columns) })
  const [oldest] = kept.keys()
  if (kept.size > mostEntries && oldest !== undefined) kept.delete(oldest)
  remember('columns', [...kept], 'tab')
}

function placeIn(scroller: HTMLElement | null): Place | null {
  if (!scroller || scroller.scrollTop === 0) return null
  const edge = scroller.getBoundingClientRect().top
  const row = [...scroller.querySelectorAll('li')].find((one) => one.getBoundingClientRect().bottom > edge)
  const id = row?.querySelector('[data-card]')?.getAttribute('data-card')
  if (!row || !id) return null
  return { id, index: Number(row.dataset.index), hidden: edge - row.getBoundingClientRect().top }
}

/** Keeps where the columns stand when the page is left, reloaded or closed, and how far the board is scrolled to the right. */
export function useKeptColumns(place: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useLayoutEffect(() => {
    const board = place.current
    if (!board) return
    board.scrollLeft = kept.get(entryOf(router.state.location))?.left ?? 0
    const onHide = () => keep(entryOf(router.state.location), board)
    addEventListener('pagehide', onHide)
    const leave = router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      if (fromLocation) keep(entryOf(fromLocation), board)
    })
    return () => {
      removeEventListener('pagehide', onHide)
      leave()
    }
  }, [router, place])
}

type List = {
  cards: readonly Pick<Card, 'id'>[]
  column: string
  scroller: RefObject<HTMLElement | null>
  /** Whether all pages have been read. */
  isAll: boolean
  /** Where the row with this index begins, in pixels from the top of the list. */
  startOf: (index: number) => number | undefined
}

/** Scrolls a column to where it was left, as soon as its pages up to there are read, unless the user does something before. */
export function useKeptPlace({ cards, column, scroller, isAll, startOf }: List): void {
  const router = useRouter()
  /** Undefined until it was looked for; null if there is none, or it is reached or given up. */
  const awaited = useRef<Place | null>(undefined)
  // After each render, because what counts is which rows are drawn by now, and where they are.
  useLayoutEffect(() => {
    if (awaited.current === undefined) awaited.current = takePlace(entryOf(router.state.location), column)
    const place = awaited.current
    if (!place || !scroller.current) return
    const at = rowOf(place, cards, isAll)
    // At its end, the list reads its next page.
    if (at === 'unread') scroller.current.scrollTop = scroller.current.scrollHeight
    else if (at === null || scrollTo(scroller.current, at, startOf(at.index))) awaited.current = null
  })
  useEffect(() => {
    const ending = new AbortController()
    const giveUp = () => {
      awaited.current = null
    }
    for (const sign of ['wheel', 'pointerdown', 'keydown'])
      addEventListener(sign, giveUp, { signal: ending.signal, capture: true, passive: true })
    return () => ending.abort()
  }, [])
}

/** Each place is used once: a column that is folded and unfolded later begins at its top. */
function takePlace(entry: string, column: string): Place | null {
  const columns = kept.get(entry)?.columns
  const place = columns?.[column]
  if (!columns || !place) return null
  delete columns[column]
  return place
}

/**
 * Returns whether the row is drawn and stands where it should. Otherwise scrolls to there, where the list then draws and measures
 * the row, which may move it.
 */
function scrollTo(scroller: HTMLElement, { index, hidden }: { index: number; hidden: number }, start = 0): boolean {
  const row = scroller.querySelector(`li[data-index="${index}"]`)
  const edge = scroller.getBoundingClientRect().top
  const away = row ? row.getBoundingClientRect().top - edge + hidden : start + hidden - scroller.scrollTop
  if (row && Math.abs(away) < 1) return true
  scroller.scrollTop += away
  return false
}
