// In charge of the selected cards on pages that are not loaded: each is kept as it was last seen, and whether the search and filter of
// the board show it. A card that they hide stays selected, but no action is for it.
import type { Card } from '../lib/types.ts'
import type { FeedParams } from './search-params.ts'
import { type Find, selectedIds } from './selection.ts'

/**
 * `loaded`: on a loaded page. `left`: was on one, and may be on another now, or hidden. `elsewhere`: not found since another search or
 * filter was set. Of these two, the service knows more. `shown`, `hidden`: as the service has said.
 */
type Place = 'loaded' | 'left' | 'elsewhere' | 'shown' | 'hidden'
/** `under`: the search and filter that `place` is about, as `narrowing` gives them. */
type Seen = { card: Card; under: string; place: Place }
const lastSeen = new Map<string, Seen>()

/** The search and filter of a board as one text; empty if it has none, and thus shows all cards. */
export const narrowing = ({ search, query }: FeedParams): string =>
  search === undefined && query === undefined ? '' : JSON.stringify([search, query])

/** Notes how the selected cards are now, since the page of a column on which a card is may not be loaded later. */
export function noteSelected(find: Find, under: string): void {
  for (const id of lastSeen.keys()) if (!selectedIds().has(id)) lastSeen.delete(id)
  for (const id of selectedIds()) {
    const card = find(id)
    const seen = lastSeen.get(id)
    if (card) lastSeen.set(id, { card, under, place: 'loaded' })
    else if (seen && seen.under !== under) lastSeen.set(id, { ...seen, under, place: 'elsewhere' })
    else if (seen?.place === 'loaded') lastSeen.set(id, { ...seen, place: 'left' })
  }
}

/** Notes cards that the service has just said to be shown under this search and filter. */
export function noteShown(cards: readonly Card[], under: string): void {
  for (const card of cards) lastSeen.set(card.id, { card, under, place: 'shown' })
}

/** Finds a selected card also if it is on a page that is not loaded, unless this search or filter hides it. */
export const foundOrSeen =
  (find: Find, under: string): Find =>
  (id) => {
    const card = find(id)
    if (card || !selectedIds().has(id)) return card
    const seen = lastSeen.get(id)
    // Until the service has answered, a card that was in sight counts, and one that another search or filter showed does not.
    const isShown = under === '' || (seen?.under === under && seen.place !== 'elsewhere' && seen.place !== 'hidden')
    return isShown ? seen?.card : undefined
  }

/** The selected cards of which only the service knows whether this search and filter show them. */
export const unsureCards = (under: string): Card[] =>
  under === ''
    ? []
    : [...lastSeen.values()].flatMap((seen) =>
        seen.under === under && (seen.place === 'left' || seen.place === 'elsewhere') ? [seen.card] : [],
      )

/** Notes what the service has said of the `asked` cards: those that are shown, as they are now. */
export function noteAnswer(asked: readonly Card[], shown: readonly Card[], under: string): void {
  const now = new Map(shown.map((card) => [card.id, card]))
  for (const { id } of asked) {
    const seen = lastSeen.get(id)
    if (seen?.under !== under || (seen.place !== 'left' && seen.place !== 'elsewhere')) continue
    const card = now.get(id)
    lastSeen.set(id, { card: card ?? seen.card, under, place: card ? 'shown' : 'hidden' })
  }
}

/**
 * Notes a change that this user is about to make to cards; returns a function that takes the note back, except of those cards that
 * were `written` all the same.
 */
export function noteChange(
  ids: readonly string[],
  change: (card: Card) => Card,
): (written?: readonly string[]) => void {
  const before = ids.flatMap((id) => lastSeen.get(id) ?? [])
  for (const seen of before) lastSeen.set(seen.card.id, { ...seen, card: change(seen.card) })
  return (written = []) => {
    const kept = new Set(written)
    for (const { card } of before) {
      const seen = lastSeen.get(card.id)
      if (seen && !kept.has(card.id)) lastSeen.set(card.id, { ...seen, card })
    }
  }
}

/** To be called when these cards have been written: the search or the filter may hide them now. */
export function noteWritten(ids: readonly string[]): void {
  for (const id of ids) {
    const seen = lastSeen.get(id)
    if (seen?.place === 'shown') lastSeen.set(id, { ...seen, place: 'left' })
  }
}
