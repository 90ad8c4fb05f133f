// In charge of the positions of tiles in the gallery, and of which tile a key moves to. Pure.

export const tileGap = 16
/** The height of the text below a picture: its name and its status. */
const wordsHeight = 58
/** On a phone two small ones beside each other say more than one large one. */
const narrow = 520

export type Tiles = { lanes: number; width: number; height: number }

/** As many beside each other as fit, all of one size, pictures in 4 : 3. */
export function tilesFor(room: number): Tiles {
  const least = room < narrow ? 150 : 240
  const lanes = Math.max(1, Math.floor((room + tileGap) / (least + tileGap)))
  const width = Math.max(1, Math.floor((room - tileGap * (lanes - 1)) / lanes))
  return { lanes, width, height: Math.round(width * 0.75) + wordsHeight }
}

/** The tile that a key leads to; null where it leads to none. Without one that has the focus it is the first. */
export function tileAfter(key: string, at: number | null, lanes: number, count: number): number | null {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    l: 1,
    ArrowLeft: -1,
    h: -1,
    ArrowDown: lanes,
    j: lanes,
    ArrowUp: -lanes,
    k: -lanes,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return null
  if (at === null) return 0
  const next = at + step
  // From the last whole row down to a shorter one: to its last tile.
  const isRowBelow = step === lanes && Math.floor(at / lanes) < Math.floor((count - 1) / lanes)
  if (next >= count) return isRowBelow ? count - 1 : null
  return next < 0 ? null : next
}
