// Facts about which files of a run a request for an export means.
import { Invalid } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { processorMs } from '../../../test/support/processor-time.ts'
import { freshUnit, type UnitState } from '../../engine/model/units.ts'
import { chooseOutputs, countFiles, indexOf, itemOf } from './choose-outputs.ts'

const file = (number: number) => {
  const digest = number.toString(16).padStart(64, '0')
  return { digest, media_type: 'image/png', size: 1, name: null }
}

const unit = (node: string, position: number | null, outputs: Record<string, unknown>): UnitState => ({
  ...freshUnit({ node, item: position === null ? '' : `item ${position}` }, position),
  status: 'succeeded',
  outputs,
})

const units = [
  ...[0, 1, 2].map((number) => unit('each', number, { image: file(number), words: 'no file' })),
  { ...unit('each', 3, { image: file(3) }), status: 'failed' as const },
  unit('list', null, { images: [file(10), 'no file', file(12)] }),
  unit('both', null, { image: file(20), film: file(21) }),
  unit('none', null, { text: 'no file' }),
  ...[0, 1].map((number) => unit('sizes', number, { images: [30, 31].map((size) => file(size + 10 * number)) })),
]

type Asked = Parameters<typeof chooseOutputs>[1]
const chosen = (asked: Asked) =>
  chooseOutputs(units, asked).map(({ file: { digest }, variant }) => [Number.parseInt(digest, 16), variant])

test('files are found by node, port and item, in the order in which they are asked for', () => {
  expect(chosen([{ node_id: 'list' }, { node_id: 'each', item: 1, variation_num: 4 }])).toEqual([
    [10, undefined],
    [12, undefined],
    [1, 4],
  ])
  expect(chosen([{ node_id: 'both', port: 'film', variation_num: null }])).toEqual([[21, null]])
  expect(chosen([{ node_id: 'list', port: 'images', item: 2 }])).toEqual([[12, undefined]])
})

test('of an item that made several files, all are found, or the one at an index', () => {
  expect(chosen([{ node_id: 'sizes', item: 1 }])).toEqual([
    [40, undefined],
    [41, undefined],
  ])
  expect(chosen([{ node_id: 'sizes', item: 1, index: 1, variation_num: 2 }])).toEqual([[41, 2]])
  const places = chooseOutputs(units, [{ node_id: 'sizes' }, { node_id: 'list' }, { node_id: 'each', item: 1 }])
  expect(places.map((output) => [itemOf(output), indexOf(output)])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [0, null],
    [2, null],
    [1, null],
  ])
  const named = { node_id: 'sizes', port: 'images', item: 1 }
  expect(
    [{}, { index: null }, { index: 1 }, { index: 2 }].map((index) => countFiles(units, { ...named, ...index })),
  ).toEqual([2, 2, 1, 0])
})

test('a file that is asked for several times is one, as it was asked for first', () => {
  const asked = [
    { node_id: 'each', item: 2, variation_num: 3 },
    { node_id: 'each' },
    { node_id: 'each', port: 'image' },
  ]
  expect(chosen(asked)).toEqual([
    [2, 3],
    [0, undefined],
    [1, undefined],
  ])
})

test('all that is wrong with a request is said at once', () => {
  const asked = [
    { node_id: 'gone' },
    { node_id: 'each', port: 'words' },
    { node_id: 'both' },
    { node_id: 'none' },
    { node_id: 'each', item: 3 },
    { node_id: 'list', item: 1 },
    { node_id: 'each', item: 0 },
    { node_id: 'sizes', item: 0, index: 2 },
    { node_id: 'sizes', index: 1 },
  ]
  const refusal = (() => {
    try {
      return chooseOutputs(units, asked)
    } catch (error) {
      return error
    }
  })()
  expect(refusal instanceof Invalid && refusal.detail.map(({ loc, msg }) => [...loc.slice(2), msg])).toEqual([
    [0, 'node_id', 'Value error, the run has no node “gone”'],
    [1, 'port', 'Value error, the node “each” has no file at “words”'],
    [2, 'port', 'Value error, the node “both” has files at image, film: name one'],
    [3, 'node_id', 'Value error, the node “none” has made no file'],
    [4, 'item', 'Value error, the node “each” has no file at item 3'],
    [5, 'item', 'Value error, the node “list” has no file at item 1'],
    [7, 'index', 'Value error, item 0 of the node “sizes” has no file at index 2'],
    [8, 'index', 'Value error, it is a place in the list of one item: name the item'],
  ])
})

test('hundreds of thousands of files are chosen from quickly', () => {
  const many = Array.from({ length: 5000 }, (_, number) => unit('each', number, { image: file(number) }))
  const began = processorMs()
  const single = Array.from({ length: 500 }, (_, number) => ({ node_id: 'each', item: number * 7 }))
  expect(chooseOutputs(many, single)).toHaveLength(500)
  expect(
    chooseOutputs(
      many,
      Array.from({ length: 500 }, () => ({ node_id: 'each' })),
    ),
  ).toHaveLength(5000)
  expect(processorMs() - began).toBeLessThan(600)
})
