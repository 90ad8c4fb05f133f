// In charge of which card gets the focus when cards leave a column, for example because they are deleted. Pure.

/** Returns the card that then is in the place of the first of the cards `gone`; undefined if none of these is in the column. */
export function cardAfter<T extends { id: string }>(cards: readonly T[], gone: ReadonlySet<string>): T | undefined {
  const at = cards.findIndex(({ id }) => gone.has(id))
  if (at === -1) return undefined
  const stays = ({ id }: T) => !gone.has(id)
  return cards.slice(at).find(stays) ?? cards.slice(0, at).findLast(stays)
}

/**
 * Returns the card that gets the focus after the focused card `id` has left its column, which had the cards `before` and has the cards
 * `now`. `arrived`: the column where the card is now, and gets the focus; null if it cannot get the focus anywhere. `column` is null
 * for a card of the same column; undefined is returned if no card is left there.
 */
export function cardToFocus(
  before: readonly { id: string }[],
  now: readonly { id: string }[],
  id: string,
  arrived: string | null,
): { id: string; column: string | null } | undefined {
  if (arrived !== null) return { id, column: arrived }
  const left = new Set(now.map((card) => card.id))
  const at = before.findIndex((card) => card.id === id)
  const near = [...before.slice(at + 1), ...before.slice(0, Math.max(at, 0)).toReversed()]
  const next = near.find((card) => left.has(card.id)) ?? now[0]
  return next && { id: next.id, column: null }
}
