// In charge of which card gets the focus when cards leave a column, for example because they are deleted. Pure.

/** Returns the card that then is in the place of the first of the cards `gone`; undefined if none of these is in the column. */
export function cardAfter<T extends { id: string }>(cards: readonly T[], gone: ReadonlySet<string>): T | undefined {
  const at = cards.findIndex(({ id }) => gone.has(id))
  if (at === -1) return undefined
  const stays = ({ id }: T) => !gone.has(id)
  return cards.slice(at).find(stays) ?? cards.slice(0, at).findLast(stays)
}
