// In charge of the positions of tiles in the gallery, and of which tile a key moves to. Pure.

export const tileGap = 16
/** The height of the text below a picture: its name and its status. */
const wordsHeight = 58
/** Below this width, as on phones, tiles are smaller, since two small pictures side by side show more than one large one. */
const narrow = 520

export type Tiles = { lanes: number; width: number; height: number }

/** As many tiles in a row as fit, all of one size, with pictures in 4 : 3. */
export function tilesFor(room: number): Tiles {
  const least = room < narrow ? 150 : 240
  const lanes = Math.max(1, Math.floor((room + tileGap) / (least + tileGap)))
  const width = Math.max(1, Math.floor((room - tileGap * (lanes - 1)) / lanes))
  return { lanes, width, height: Math.round(width * 0.75) + wordsHeight }
}

/** The tile that a key moves the focus to; null if there is none. If no tile has the focus, it is the first one. */
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
  // From the last complete row, the key down moves to the last tile of the shorter row below.
  const isRowBelow = step === lanes && Math.floor(at / lanes) < Math.floor((count - 1) / lanes)
  if (next >= count) return isRowBelow ? count - 1 : null
  return next < 0 ? null : next
}
