// Facts about which outputs of a run can be exported to a card, and about the display of values.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { expect, test } from 'vitest'
import { costWords, durationWords, sizeWords } from '../canvas/words.ts'
import { exportBody, isPlanned } from './export-body.ts'
import { likelyOutputs, longLists, outputGroups, withWhole } from './outputs.ts'
import { shapeOf } from './shapes.ts'

const file = (letter: string) => ({ digest: letter.repeat(64), media_type: 'image/png', size: 1, name: null })
const state = (outputs: Record<string, unknown>): NodeRunState => ({
  ...{ status: 'succeeded', progress: 1, outputs, error: '', message: '', credits_consumed: 0, duration_seconds: 0 },
  ...{ checkpoint: {}, items: {} },
})
const definition = readDefinition({
  nodes: { art: { type: 'a', version: 1 }, gate: { type: 'b', version: 1 } },
  edges: [{ from: { node: 'art', port: 'image' }, to: { node: 'gate', port: 'options' } }],
})

test('files come by node and port, the last node first; what is no file is left out', () => {
  const groups = outputGroups(
    {
      art: state({ image: [file('a'), null, file('b')], words: 'x' }),
      gate: state({ chosen: [file('a')], first: file('a') }),
    },
    ['art', 'gate'],
  )
  expect(groups.map(({ node, port, outputs }) => [node, port, outputs.map(({ item }) => item)])).toEqual([
    ['gate', 'chosen', [0]],
    ['gate', 'first', [null]],
    ['art', 'image', [0, 2]],
  ])
  expect([...likelyOutputs(groups, definition)]).toEqual(['["gate","chosen",0,null]'])
})

test('of items that have several files each, every file is one to export', () => {
  const images = [[file('a'), file('b')], null, [file('c')], [file('d'), 'x', file('e')]]
  const { started_at: _, items: __, ...item } = state({})
  const nodes = { art: { ...state({ images }), items: { 0: item } }, once: state({ lists: images }) }
  const [group, ...others] = outputGroups(nodes, ['art', 'once'])
  expect(others).toEqual([])
  const outputs = group?.outputs ?? []
  expect(outputs.map(({ item, index, file: { digest } }) => [item, index, digest[0]])).toEqual([
    [0, 0, 'a'],
    [0, 1, 'b'],
    [2, null, 'c'],
    [3, 0, 'd'],
    [3, 2, 'e'],
  ])
  expect(likelyOutputs(group ? [group] : [], definition).size).toBe(5)
  const [first, second, single] = outputs
  const body = exportBody('task', outputs.slice(0, 3), new Map([[second?.key ?? '', 4]]))
  expect(body.outputs).toEqual([
    { node_id: 'art', port: 'images', item: 0, index: 0 },
    { node_id: 'art', port: 'images', item: 0, index: 1, variation_num: 4 },
    { node_id: 'art', port: 'images', item: 2 },
  ])
  const planned = { node_id: 'art', port: 'images', item: 0, index: 1 }
  expect([first, second, single].map((output) => output && isPlanned(output, planned))).toEqual([false, true, false])
  expect(single && isPlanned(single, { ...planned, item: 2, index: 0 })).toBe(true)
})

test('a list of files that is too long to stand in the run is told from other long values, and takes its place', () => {
  const files = [file('a'), file('b')]
  const short = (value: unknown) => ({
    $value: { digest: 'd', bytes: 70_000, type: 'array', head: JSON.stringify(value) },
  })
  const nodes = { pick: state({ chosen: short(files), rows: short([{ a: 1 }]), first: file('a') }) }
  expect(longLists(nodes)).toEqual([{ node: 'pick', port: 'chosen', digest: 'd' }])
  expect(outputGroups(nodes, ['pick']).map(({ port }) => port)).toEqual(['first'])
  const whole = withWhole(nodes, [{ node: 'pick', port: 'chosen', value: files }])
  expect(outputGroups(whole, ['pick']).map(({ port, outputs }) => [port, outputs.length])).toEqual([
    ['chosen', 2],
    ['first', 1],
  ])
})

test('a long value is shown as how it begins', () => {
  const reference = { $value: { digest: 'd', bytes: 70_000, type: 'string', head: 'Once' } }
  expect(shapeOf(reference).kind).toBe('reference')
  expect(shapeOf([reference, null])).toMatchObject({ kind: 'list' })
  expect(shapeOf({ $$value: 1 })).toEqual({ kind: 'members', members: [['$value', 1]] })
  expect(sizeWords(70_000)).toBe('70 kB')
})

test('a value is shown as what it is', () => {
  expect(shapeOf(file('a')).kind).toBe('file')
  expect(shapeOf([file('a'), null]).kind).toBe('files')
  expect(shapeOf([{ a: 1 }, { b: 2 }])).toMatchObject({ kind: 'table', columns: ['a', 'b'] })
  expect(shapeOf(['a', 'b']).kind).toBe('list')
  expect(shapeOf({ a: 1 }).kind).toBe('members')
  expect(shapeOf(3)).toEqual({ kind: 'text', text: '3' })
  expect(shapeOf(null).kind).toBe('nothing')
})

test('costs and durations read short', () => {
  expect(costWords({ least: 0, most: 0 })).toBe('free')
  expect(costWords({ least: 1, most: 1 })).toBe('1 credit')
  expect(costWords({ least: 1, most: 4 })).toBe('1 to 4 credits')
  expect(costWords({ least: 2, most: null })).toBe('at least 2 credits')
  expect([durationWords(0.44), durationWords(12.2), durationWords(185)]).toEqual(['0.4 s', '12 s', '3 min 5 s'])
})
