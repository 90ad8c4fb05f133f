// Facts about notes and frames: parsing them, finding the content of a frame, and moving them when nodes are arranged.
import { expect, test, vi } from 'vitest'
import {
  type Annotation,
  annotationName,
  annotationOf,
  heldBy,
  keptAround,
  newAnnotationId,
  readAnnotations,
} from './annotations.ts'
import { layoutOf } from './layout.ts'

const place = { x: 0, y: 0, width: 240, height: 140 }
const note: Annotation = { kind: 'note', colour: 'yellow', text: 'Why', ...place }
const frame: Annotation = { kind: 'frame', colour: 'blue', title: 'Copy', x: -50, y: -50, width: 500, height: 400 }

test('a new note gets an id of its own also on a page without TLS, where browsers have no `randomUUID`', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(newAnnotationId('note')).toMatch(/^note\/[0-9a-f]{12}$/)
  expect(newAnnotationId('note')).not.toBe(newAnnotationId('note'))
  vi.unstubAllGlobals()
})

test('what cannot be read of a layout is not drawn, and kept as it was written', () => {
  const odd = {
    'note/2': { ...note, x: 'left' },
    'note/3': { ...note, text: 5 },
    'arrow/1': { kind: 'arrow' },
    plain: note,
    'frame/2': null,
  }
  const layout = { mine: 1, annotations: { 'note/1': note, 'frame/1': frame, ...odd } }
  const annotations = readAnnotations(layout)
  expect(annotations).toEqual({ 'note/1': note, 'frame/1': frame })
  expect(layoutOf({ positions: {}, annotations: { 'frame/1': frame } }, layout)).toEqual({
    ...{ mine: 1, nodes: {} },
    annotations: { ...odd, 'frame/1': frame },
  })
  expect(readAnnotations({ annotations: 'none' })).toEqual({})
})

test('a size that cannot be taken hold of, and a colour of no name, become ones that can', () => {
  const read = readAnnotations({ annotations: { 'note/1': { ...note, width: -5, height: 1e9, colour: 'red' } } })
  expect(read['note/1']).toMatchObject({ width: 120, height: 20_000, colour: 'grey' })
})

test('a frame holds what has its middle in it, and of other frames those that are wholly in it', () => {
  const at = (x: number, isFrame = false) => [`${x}${isFrame}`, { ...place, x }, isFrame] as const
  expect(heldBy(frame, [at(0), at(300), at(340), at(200, true), at(220, true), ['itself', frame, true]])).toEqual([
    '0false',
    '300false',
    '200true',
  ])
})

test('where nodes are arranged, notes go with the nearest one, and frames around what they held', () => {
  const size = { width: 240, height: 100 }
  const annotations = { 'note/1': { ...note, y: 110 }, 'frame/1': frame, 'frame/2': { ...frame, x: 5000 } }
  const node = (x: number) => ({ box: { x, y: 0, ...size }, isFrame: false })
  const boxes = new Map([
    ['a', node(0)],
    ['b', node(900)],
    ...Object.entries(annotations).map(([id, box]) => [id, { box, isFrame: id !== 'note/1' }] as const),
  ])
  const held = (id: string) => (id === 'frame/1' ? ['a', 'note/1'] : [])
  const kept = keptAround(annotations, { boxes, held, positions: { a: { x: 1000, y: 500 }, b: { x: 0, y: 0 } } })
  expect(kept['note/1']).toMatchObject({ x: 1000, y: 624, text: 'Why' })
  expect(kept['frame/1']).toMatchObject({ x: 972, y: 472, width: 296, height: 320 })
  expect(kept['frame/2']).toEqual(annotations['frame/2'])
})

test('the name of a note is its first line, without its signs', () => {
  expect(annotationName({ ...note, text: '\n## Brand rules\n- no red' })).toBe('Note “Brand rules”')
  expect(annotationName({ ...frame, title: ' ' })).toBe('Frame')
})

test('no node is taken for a note because of its name', () => {
  expect(annotationOf({ 'note/1': note }, 'note/1')).toBe(note)
  expect(['constructor', 'toString', '__proto__'].map((name) => annotationOf({ 'note/1': note }, name))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
