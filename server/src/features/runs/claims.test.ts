// Facts about what the content credentials of a run's files say.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { expect, test } from 'vitest'
import { freshUnit, type UnitState, unitKey } from '../../engine/model/units.ts'
import { askedBy, askedForFile, claimOf, labelsOf, originsOf, whyUnclaimed } from './claims.ts'

const file = (name: string): FileValue => ({ digest: name.padEnd(64, '0'), media_type: 'image/png', size: 1, name })
const unit = (node: string, outputs: Record<string, unknown>): UnitState => ({
  ...freshUnit({ node, item: '' }),
  status: 'succeeded',
  outputs,
})

/** Returns the origins of the files in a run. `nodes` contains the type, the inputs and the outputs of each node of the run. */
function origins(
  nodes: Record<string, [type: string, inputs: Record<string, unknown>, outputs: Record<string, unknown>]>,
) {
  const definition = {
    schema: 1,
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([id, [type]]) => [id, { type, version: 1, params: {}, inputs: {}, each: [] }]),
    ),
    edges: [],
  }
  const units = Object.entries(nodes).map(([id, [, , outputs]]) => unit(id, outputs))
  const inputs = new Map(Object.entries(nodes).map(([id, [, given]]) => [unitKey({ node: id, item: '' }), given]))
  return originsOf(definition, units, inputs)
}

test('a picture of a model keeps its edits in order', () => {
  const found = origins({
    made: ['image.generate', { prompt: 'a flask' }, { image: file('a') }],
    pick: ['gate.choose', { options: [file('a')] }, { chosen: [file('a')], first: file('a') }],
    cut: ['image.crop', { image: file('a') }, { image: file('b') }],
    small: ['image.resize', { image: file('b') }, { images: [file('c'), file('d')], image: file('c') }],
  })
  expect(claimOf(file('d'), found)).toEqual({
    origin: 'model',
    base: file('a'),
    parts: [],
    edits: [{ action: 'c2pa.cropped' }, { action: 'c2pa.resized' }],
    asked: [{ picture: file('d'), node: 'made', prompt_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }].map(
      (one) => ({ ...one, picture: file('a') }),
    ),
  })
})

test('an upload is the parent of what was made from it, and leaves as it came where nothing was', () => {
  const found = origins({
    given: ['input.file', {}, { file: file('a') }],
    cut: ['image.crop', { image: file('a') }, { image: file('b') }],
  })
  expect(claimOf(file('a'), found)).toBeNull()
  expect(claimOf(file('b'), found)).toMatchObject({
    origin: null,
    base: file('a'),
    edits: [{ action: 'c2pa.cropped' }],
  })
})

test('a layout goes back to the pictures in it, through edits and other layouts, each once; samples are none', () => {
  const found = origins({
    given: ['input.file', {}, { file: file('a') }],
    made: ['image.generate', { prompt: 'x' }, { image: file('b') }],
    sample: ['sample.image', {}, { image: file('s') }],
    cut: ['image.crop', { image: file('b') }, { image: file('c') }],
    inner: ['layout.render', { image: file('c'), logo: file('s') }, { images: [file('d')] }],
    outer: ['layout.render', { image: file('d'), logo: file('a') }, { images: [file('e')] }],
  })
  expect(claimOf(file('e'), found)).toMatchObject({
    origin: 'layout',
    base: null,
    parts: [file('b'), file('a')],
    asked: [{ node: 'made' }],
  })
})

test('a picture that a model edited is the part of a layout; the picture before the edit is not', () => {
  const found = origins({
    given: ['input.file', {}, { file: file('a') }],
    edited: ['image.edit', { image: file('a'), prompt: 'x' }, { image: file('b') }],
    ad: ['layout.render', { image: file('b') }, { images: [file('c')] }],
  })
  expect(claimOf(file('c'), found)).toMatchObject({ parts: [file('b')], asked: [{ picture: file('b') }] })
})

test('a file without a claim was passed on, or made by a node about which credentials say nothing', () => {
  const found = origins({
    given: ['input.file', {}, { file: file('a') }],
    fetched: ['http.request', {}, { file: file('b') }],
  })
  expect([claimOf(file('a'), found), claimOf(file('b'), found)]).toEqual([null, null])
  expect(whyUnclaimed(file('a'), found)).toBe('The run passed it on as it came.')
  expect(whyUnclaimed(file('b'), found)).toBe('There are no credentials for files that “http.request” made.')
})

test('a label is on what was rendered with it and at most converted; cut, resized or set into another it counts no more', () => {
  const labels = ['eu']
  const found = origins({
    ad: ['layout.render', {}, { image: file('a'), labels }],
    plain: ['layout.render', {}, { image: file('p') }],
    small: ['image.convert', { image: file('a') }, { image: file('b') }],
    cut: ['image.crop', { image: file('b') }, { image: file('c') }],
    sized: ['image.resize', { image: file('a') }, { image: file('d') }],
    outer: ['layout.render', { image: file('a') }, { image: file('e'), labels: [] }],
    loop: ['image.convert', { image: file('f') }, { image: file('f2') }],
    pool: ['image.convert', { image: file('f2') }, { image: file('f') }],
  })
  const on = Object.fromEntries(['a', 'p', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, labelsOf(file(name), found)]))
  expect(on).toEqual({ a: labels, p: [], b: labels, c: [], d: [], e: [], f: [] })
})

test('a run whose files go in a circle comes to an end', () => {
  const found = origins({
    one: ['image.crop', { image: file('b') }, { image: file('a') }],
    two: ['image.resize', { image: file('a') }, { image: file('b') }],
  })
  expect(claimOf(file('a'), found)).toBeNull()
})

test('a video that a gate passes on is the work of the model that made it; other files of the gate are not', () => {
  const node = (type: string) => ({ type, version: 1, params: {}, inputs: {}, each: [] })
  const nodes = { film: node('video.generate'), pick: node('gate.choose') }
  const definition = {
    nodes,
    edges: [{ from: { node: 'film', port: 'video' }, to: { node: 'pick', port: 'options' } }],
  }
  const made = origins({
    film: ['video.generate', {}, { video: file('a') }],
    pick: ['gate.choose', { options: [file('a')] }, { first: file('a') }],
  })
  const asked = ['a', 'b'].map((name) => askedForFile(definition, 'pick', file(name), made))
  expect(asked).toEqual(['generated', 'assisted'])
})

test('a node asks models where one does at any distance before it, in a circle too', () => {
  const node = (type: string) => ({ type, version: 1, params: {}, inputs: {}, each: [] })
  const edge = (from: string, to: string) => ({ from: { node: from, port: 'o' }, to: { node: to, port: 'i' } })
  const nodes = {
    chat: node('llm.chat'),
    text: node('text.template'),
    ad: node('layout.render'),
    other: node('layout.render'),
  }
  const definition = { nodes, edges: [edge('chat', 'text'), edge('text', 'ad'), edge('ad', 'text')] }
  expect([askedBy(definition, 'ad'), askedBy(definition, 'other')]).toEqual(['assisted', 'none'])
})
