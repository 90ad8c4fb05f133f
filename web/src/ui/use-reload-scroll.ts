// In charge of where a list stands after its page was reloaded: where it stood before. Only the pages of lists load this script, so
// that the board does not have to.
import { useEffect } from 'react'
import { remember, remembered } from '../lib/storage.ts'
import { scrollWhenLongEnough } from './scroll-when-long-enough.ts'

/** Whether the kept place was used or given up: a page that is opened later in the same document begins at its top. */
let isTaken = false

/** Keeps how far the page is scrolled when it is reloaded, and scrolls back to there. */
export function useReloadScroll(): void {
  useEffect(() => {
    const main = document.getElementById('main')
    if (!main) return
    const keep = () => keepTop(main.scrollTop)
    addEventListener('pagehide', keep)
    const top = takeTop()
    const stop = top === null ? null : scrollWhenLongEnough(main, top)
    return () => {
      removeEventListener('pagehide', keep)
      stop?.()
    }
  }, [])
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
