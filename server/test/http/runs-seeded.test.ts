// Facts about starts that reuse the results of another run, and name items of it that this run has not executed yet.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

const copies = (...values: string[]) =>
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values } },
      copy: { type: 'test.paid', each: ['prompt'] },
    },
    'rows.list > copy.prompt',
  )

/** An executed run with these items, and the texts that it has made of them. */
async function executed(...values: string[]): Promise<{ id: string; texts: string[] }> {
  const { id } = await makeRun(service, copies(...values))
  await runThrough(service, id)
  return { id, texts: await textsOf(id) }
}

const textsOf = async (id: string): Promise<string[]> => (await readRun(service, id)).nodes.copy.outputs.text

const ask = (id: string, what: 'start' | 'plan', body: object) => service.post(`/api/v1/runs/${id}/${what}`, body)
const rollSecond = { regenerate: [{ node_id: 'copy', item: 1 }] }
const placesOf = ({ body }: { body: Body }) => body.detail?.map(({ loc }: Body) => loc.join('.'))

test('a start that takes over a run rolls one item of it again, as its plan says, and pays for that one alone', async () => {
  const seed = await executed('over a', 'over b', 'over c')
  const { id } = await makeRun(service, copies('over a', 'over b', 'over c'))
  const body = { from_run: seed.id, ...rollSecond }
  const { data: plan } = await ask(id, 'plan', body)
  expect(plan.nodes.copy).toMatchObject({ outcome: 'paid', calls: 3, cached: 2, credits: { least: 2, most: 2 } })
  expect(await runThrough(service, id, body)).toMatchObject({ status: 'succeeded', credits_consumed: 2 })
  const [first, second, third] = await textsOf(id)
  expect([first, third]).toEqual([seed.texts[0], seed.texts[2]])
  expect(second).not.toBe(seed.texts[1])
  expect(await textsOf(seed.id)).toEqual(seed.texts)
})

test('a draft that was made from a run rolls items of it again, however often it is prepared before its start', async () => {
  const seed = await executed('draft a', 'draft b')
  const { id } = await makeRun(service, copies('draft a', 'draft b'), { from_run: seed.id })
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await ask(id, 'start', { ...rollSecond, execute: false })).data).toMatchObject({ regenerate: ['copy/1'] })
  }
  expect(await runThrough(service, id)).toMatchObject({ status: 'succeeded', credits_consumed: 2 })
  const [first, second] = await textsOf(id)
  expect(first).toBe(seed.texts[0])
  expect(second).not.toBe(seed.texts[1])
})

test('of items that the run has executed itself, those of the other run say nothing', async () => {
  const seed = await executed('known a', 'known b')
  const { id } = await executed('known a')
  for (const what of ['plan', 'start'] as const) {
    expect(placesOf(await ask(id, what, { from_run: seed.id, ...rollSecond }))).toEqual(['body.regenerate.0.item'])
  }
})

test('items of the other run count where their node and all before it are defined as there, whatever comes after them', async () => {
  const seed = await executed('moved a', 'moved b')
  const { id } = await makeRun(service, copies('moved b', 'moved a'))
  for (const what of ['plan', 'start'] as const) {
    expect(placesOf(await ask(id, what, { from_run: seed.id, ...rollSecond }))).toEqual(['body.regenerate.0.item'])
  }
  expect(await readRun(service, id)).toMatchObject({ status: 'draft', generation: 0 })

  const { nodes, edges } = copies('moved a', 'moved b')
  const longer = await makeRun(service, {
    ...copies('moved a', 'moved b'),
    nodes: { ...nodes, after: { type: 'list.collect', version: 1 } },
    edges: [...edges, { from: { node: 'copy', port: 'text' }, to: { node: 'after', port: 'values' } }],
  })
  const body = { from_run: seed.id, ...rollSecond }
  expect(await runThrough(service, longer.id, body)).toMatchObject({ status: 'succeeded', credits_consumed: 2 })
  expect((await textsOf(longer.id))[0]).toBe(seed.texts[0])
})

test('an item that the other run does not have either is refused, and so is one of a node without items', async () => {
  const seed = await executed('short a')
  const { id } = await makeRun(service, copies('short a'))
  const whole = await makeRun(service, definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'short a' } } }))
  const first = { regenerate: [{ node_id: 'copy', item: 0 }] }
  for (const what of ['plan', 'start'] as const) {
    expect(placesOf(await ask(id, what, { from_run: seed.id, ...rollSecond }))).toEqual(['body.regenerate.0.item'])
    expect(placesOf(await ask(whole.id, what, { from_run: seed.id, ...first }))).toEqual(['body.regenerate.0.item'])
  }
})
