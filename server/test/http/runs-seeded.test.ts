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

const copiesOfCard = definitionOf(
  {
    card: { type: 'task.fields' },
    rows: { type: 'text.split' },
    copy: { type: 'test.paid', each: ['prompt'] },
  },
  'card.notes > rows.text',
  'rows.parts > copy.prompt',
)

test('items of the other run do not count where a card is read before them, and the other run was for another card', async () => {
  const cardOf = async (notes: string): Promise<string> =>
    (await service.post('/api/v1/tasks', { name: 'Of these lines', notes })).data.id
  const [first, second] = [await cardOf('card a\ncard b'), await cardOf('card b\ncard a')]
  const seed = await makeRun(service, copiesOfCard, { task_id: first })
  await runThrough(service, seed.id)
  const other = await makeRun(service, copiesOfCard, { task_id: second, from_run: seed.id })
  for (const what of ['plan', 'start'] as const) {
    for (const from of [{}, { from_run: seed.id }]) {
      expect(placesOf(await ask(other.id, what, { ...from, ...rollSecond }))).toEqual(['body.regenerate.0.item'])
    }
  }
  // Nothing was rolled: the rows of the other card are those that the seed has paid for.
  expect(await runThrough(service, other.id)).toMatchObject({ credits_consumed: 0 })
  expect(await textsOf(other.id)).toEqual((await textsOf(seed.id)).toReversed())

  const again = await makeRun(service, copiesOfCard, { task_id: first })
  expect(await runThrough(service, again.id, { from_run: seed.id, ...rollSecond })).toMatchObject({
    ...{ status: 'succeeded', credits_consumed: 2 },
  })
  expect((await textsOf(again.id))[0]).toBe((await textsOf(seed.id))[0])
})

const copiesOfIdeas = definitionOf(
  {
    ideas: { type: 'test.paid', inputs: { prompt: 'idea a\nidea b' } },
    rows: { type: 'text.split' },
    copy: { type: 'test.paid', each: ['prompt'] },
  },
  'ideas.text > rows.text',
  'rows.parts > copy.prompt',
)

test('items of the other run do not count where what they are made of was or is rolled again in one run alone', async () => {
  const refused = async (id: string, body: object): Promise<void> => {
    for (const what of ['plan', 'start'] as const)
      expect((await ask(id, what, body)).body.detail).toMatchObject([{ loc: expect.arrayContaining(['item']) }])
  }
  const seed = await makeRun(service, copiesOfIdeas)
  await runThrough(service, seed.id)
  const rollIdeas = { node_id: 'ideas' }
  const { id } = await makeRun(service, copiesOfIdeas)
  await refused(id, { from_run: seed.id, regenerate: [rollIdeas, ...rollSecond.regenerate] })
  await ask(id, 'start', { regenerate: [rollIdeas], execute: false })
  await refused(id, { from_run: seed.id, ...rollSecond })

  const made = await makeRun(service, copiesOfIdeas, { from_run: seed.id })
  await runThrough(service, seed.id, { regenerate: [rollIdeas] })
  await refused(made.id, rollSecond)
  // Where both have the same rolls, they count.
  const both = await makeRun(service, copiesOfIdeas, { from_run: seed.id })
  expect(await runThrough(service, both.id, rollSecond)).toMatchObject({ status: 'succeeded', credits_consumed: 2 })
})
