// In charge of where a list stands after its page was reloaded: where it stood before. Only the pages of lists load this script, so
// that the board does not have to.
import { useEffect } from 'react'
import { remember, remembered } from '../lib/storage.ts'
import { scrollWhenLongEnough } from './scroll-when-long-enough.ts'

/** Whether the kept place was used or given up: a page that is opened later in the same document begins at its top. */
let isTaken = false
/** The kept place, as long as the page is not long enough to be there; null if there is none, or the user has gone elsewhere. */
let awaited: number | null = null

/** Keeps how far the page is scrolled when it is reloaded, and scrolls back to there. */
export function useReloadScroll(): void {
  useEffect(() => {
    const main = document.getElementById('main')
    if (!main) return
    const keep = () => keepTop(main.scrollTop)
    addEventListener('pagehide', keep)
    const top = takeTop()
    awaited = top
    const stop = top === null ? null : scrollWhenLongEnough(main, top, () => (awaited = null))
    return () => {
      removeEventListener('pagehide', keep)
      stop?.()
    }
  }, [])
}

type Pages = {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Reads as many pages of a list as the place needs to which `useReloadScroll` scrolls: the user had read them by “More”. */
export function useReloadPages({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): void {
  // After each render, because what counts is how long the page is by now.
  useEffect(() => {
    if (awaited === null || !hasNextPage || isFetching || isFetchNextPageError) return
    const main = document.getElementById('main')
    if (main && main.scrollHeight - main.clientHeight < awaited) void fetchNextPage()
  })
}

const keepTop = (top: number): void => remember('scroll', { address: addressOf(location.href), top }, 'tab')

/** Returns the place that was kept for this page, once; null if the page was not reloaded. */
function takeTop(): number | null {
  if (isTaken) return null
  isTaken = true
  const [opening] = performance.getEntriesByType('navigation')
  const isReload = opening instanceof PerformanceNavigationTiming && opening.type === 'reload'
  const address = addressOf(location.href)
  // The user may have come here from another page, which was the one that was reloaded.
  if (!isReload || addressOf(opening.name) !== address) return null
  const kept = remembered<Place | null>('scroll', isPlace, null, 'tab')
  return kept?.address === address ? kept.top : null
}

const addressOf = (href: string): string => href.split('#', 1)[0] ?? ''

type Place = { address: string; top: number }

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'address' in value &&
  typeof value.address === 'string' &&
  'top' in value &&
  typeof value.top === 'number'
