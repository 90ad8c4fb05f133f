// In charge of calculating the positions of tiles in the gallery, and the tile that a key moves the focus to. Pure.

export const tileGap = 16
/** The height in pixels of the text below a picture: the name and the status of the task. */
const wordsHeight = 58
/** In a gallery that is fewer pixels wide than this, as on phones, tiles are smaller, so that two pictures fit side by side. */
const narrow = 520

export type Tiles = { lanes: number; width: number; height: number }

/** How many tiles fit beside each other in `room` pixels, and the size of a tile; the picture in a tile has the ratio 4 : 3. */
export function tilesFor(room: number): Tiles {
  const least = room < narrow ? 150 : 240
  const lanes = Math.max(1, Math.floor((room + tileGap) / (least + tileGap)))
  const width = Math.max(1, Math.floor((room - tileGap * (lanes - 1)) / lanes))
  return { lanes, width, height: Math.round(width * 0.75) + wordsHeight }
}

/**
 * The index of the tile that a key moves the focus to; null if the focus stays where it is. `at`: the index of the focused tile,
 * null if no tile has the focus. `lanes`: the number of tiles in a row; `count`: the number of all tiles.
 */
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
  // If no tile is directly below, because the last row is shorter, the key moves the focus to the last tile.
  const isRowBelow = step === lanes && Math.floor(at / lanes) < Math.floor((count - 1) / lanes)
  if (next >= count) return isRowBelow ? count - 1 : null
  return next < 0 ? null : next
}
