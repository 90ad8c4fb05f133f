// Facts about keeping a whole graph visible, when its canvas becomes smaller and beside the small map, and about graphs too large for that.
import { expect, test } from 'vitest'
import { bestSpace, fullestCluster, inView, movedIntoView, type Placed, spacesBeside } from './in-view.ts'

const bounds = { x: 0, y: 100, width: 400, height: 200 }
const viewport = { x: 50, y: 200, zoom: 1 }

test('all of it is in sight, or a part of it is not', () => {
  expect(inView(bounds, viewport, { width: 800, height: 500 })).toBe(true)
  expect(inView(bounds, viewport, { width: 800, height: 400 })).toBe(false)
  expect(inView(bounds, { ...viewport, x: -1 }, { width: 800, height: 500 })).toBe(false)
})

test('it is moved no further than needed, and keeps its zoom', () => {
  const moved = movedIntoView(bounds, viewport, { width: 800, height: 300 })
  expect(moved).toEqual({ x: 50, y: 0, zoom: 1 })
  expect(moved && inView(bounds, moved, { width: 800, height: 300 })).toBe(true)
})

test('what does not fit at this zoom is not moved', () => {
  expect(movedIntoView(bounds, viewport, { width: 800, height: 150 })).toBe(null)
})

test('beside the small map, a wide graph stands above it and a tall one on its left; the tools to zoom cover neither', () => {
  const [canvas, map, tools] = [
    { width: 1000, height: 600 },
    { width: 200, height: 150 },
    { width: 100, height: 60 },
  ]
  const spaceFor = (width: number, height: number) => bestSpace({ width, height }, canvas, spacesBeside(map, tools))
  expect(spaceFor(4000, 300)).toEqual({ left: 0, right: 0, bottom: 150 })
  expect(spaceFor(1200, 900)).toEqual({ left: 0, right: 200, bottom: 60 })
  expect(spaceFor(300, 4000)).toEqual({ left: 100, right: 200, bottom: 0 })
  expect(spaceFor(100, 100)).toEqual({ left: 0, right: 0, bottom: 150 })
})

test('without a small map, as on a phone, only the corner of the tools is left free', () => {
  const spaces = spacesBeside({ width: 0, height: 0 }, { width: 100, height: 60 })
  expect(bestSpace({ width: 4000, height: 300 }, { width: 390, height: 600 }, spaces).bottom).toBe(60)
  expect(bestSpace({ width: 300, height: 4000 }, { width: 390, height: 600 }, spaces).left).toBe(100)
})

const at = (id: string, x: number, y: number, more: Partial<Placed> = {}): Placed => ({
  ...{ id, x, y, width: 200, height: 100, isCard: true },
  ...more,
})
const room = { width: 1000, height: 600 }

test('of a graph that fits into one of the rooms, all is shown', () => {
  const tall = [at('a', 0, 0), at('b', 0, 900)]
  expect(fullestCluster(tall, [room, { width: 600, height: 1000 }])).toEqual(['a', 'b'])
  expect(fullestCluster([at('a', 0, 0), at('b', 800, 500)], [room])).toEqual(['a', 'b'])
})

test('of a graph that fits nowhere, the fullest part is shown, without what stands far from it', () => {
  const graph = [at('far', -1e6, 0), at('a', 0, 0), at('b', 700, 400), at('c', 820, 0), at('below', 0, 1e6)]
  expect(fullestCluster(graph, [room])).toEqual(['a', 'b'])
  expect(fullestCluster([...graph, at('d', 900, 500)], [room])).toEqual(['b', 'c', 'd'])
  expect(fullestCluster([at('left', 0, 0), at('right', 5000, 0)], [room])).toEqual(['left'])
})

test('one node counts for more than many notes, and the notes beside it are shown with it', () => {
  const note = { isCard: false }
  const notes = [at('n1', -9000, 0, note), at('n2', -9000, 200, note)]
  const beside = [at('n3', 300, 0, note), at('frame', 0, 0, { ...note, width: 4000 })]
  expect(fullestCluster([...notes, at('a', 0, 0), ...beside], [room])).toEqual(['a', 'n3'])
  expect(fullestCluster([at('frame', 0, 0, { ...note, width: 4000 })], [room])).toEqual([])
})

test('a place is found that begins neither at the first nor at the topmost element', () => {
  const graph = [at('top', 0, -5000), ...[0, 1, 2, 3, 4].map((row) => at(`row${row}`, 10 * row, 150 * row))]
  expect(fullestCluster(graph, [room])).toEqual(['row0', 'row1', 'row2', 'row3'])
})

test('among thousands of elements, of which not every place is tried, all of a group is found', () => {
  const spread = Array.from({ length: 3000 }, (_, index) => at(`s${index}`, 2000 * index + (index % 7), 0))
  const group = Array.from({ length: 9 }, (_, index) => at(`g${index}`, 3_000_500 + 20 * index, 200))
  expect(fullestCluster([...spread, ...group], [room]).filter((id) => id.startsWith('g'))).toHaveLength(9)
})
