// Facts about which results are made again and which come from the cache, and how much is written for large graphs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, runThrough, statusesOf } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

const patch = (id: string, body: object) => service.patch(`/api/v1/runs/${id}`, body)
const callsWith = (text: string) => provider.calls.filter(({ prompt }) => prompt.includes(text)).length

describe('another definition', () => {
  const inputs = { prompt: 'made once' }
  const before = definitionOf({ copy: { type: 'test.paid', inputs } })
  /** Runs `before`, applies `change` to the run's definition or layout, and returns the run after a second start. */
  const after = async (change: object): Promise<Body> => {
    const { id } = await makeRun(service, before)
    await runThrough(service, id)
    expect((await patch(id, change)).status).toBe(200)
    return runThrough(service, id)
  }

  test.each([
    ['another type', { copy: { type: 'test.safe', inputs } }],
    ['another param', { copy: { type: 'test.paid', inputs, params: { suffix: '!' } } }],
    ['another input', { copy: { type: 'test.paid', inputs: { prompt: 'made twice' } } }],
  ])('%s is made anew', async (_, nodes) => {
    expect(statusesOf(await after({ definition: definitionOf(nodes) }))).toEqual({ copy: 'succeeded' })
  })

  test('a node that is called otherwise, or lies elsewhere, is not', async () => {
    const renamed = definitionOf({ headline: { type: 'test.paid', inputs } })
    expect(statusesOf(await after({ definition: renamed }))).toEqual({ headline: 'cached' })
    expect(statusesOf(await after({ ui_state: { nodes: { copy: { x: 99, y: 1 } } } }))).toEqual({ copy: 'cached' })
  })
})

test('a re-roll of one item of twenty is one paid call; what comes of the others is untouched', async () => {
  const rows = Array.from({ length: 20 }, (_, row) => `of twenty ${row}.`)
  const definition = definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: rows } },
      copy: { type: 'test.paid', each: ['prompt'] },
      next: { type: 'test.safe', params: { suffix: ', next' }, each: ['prompt'] },
    },
    'list.list > copy.prompt',
    'copy.text > next.prompt',
  )
  const { id } = await makeRun(service, definition)
  const first = await runThrough(service, id)
  const made = callsWith('of twenty')
  const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 3 }] })
  expect(callsWith('of twenty') - made).toBe(2) // the item, and the next node's call for it
  for (const node of ['copy', 'next']) {
    const states = Object.values<{ status: string }>(rolled.nodes[node].items).map(({ status }) => status)
    expect(states.toSpliced(3, 1)).toEqual(Array(19).fill('cached'))
    expect(states[3]).toBe('succeeded')
    expect(rolled.nodes[node].outputs.text.toSpliced(3, 1)).toEqual(first.nodes[node].outputs.text.toSpliced(3, 1))
    expect(rolled.nodes[node].outputs.text[3]).not.toBe(first.nodes[node].outputs.text[3])
  }
  expect(rolled).toMatchObject({ credits_consumed: 4, credits_total: 84 })
  const again = await runThrough(service, id)
  expect(again.nodes.next.outputs).toEqual(rolled.nodes.next.outputs)
  expect(again.credits_consumed).toBe(0)
})

describe('what is written', () => {
  /** Does `work`; returns its run, how many states and statements the triggers counted, and the number of saves. */
  const counting = async (
    work: () => Promise<Body>,
  ): Promise<{ run: Body; rows: number; statements: number; saves: number }> => {
    await service.rows('truncate written')
    const run = await work()
    const [written] = await service.rows(
      'select count(*) filter (where row)::int as rows, count(*) filter (where not row)::int as statements from written',
    )
    const [saved] = await service.rows('select changes::int as saves from runs where id = $1', [run.id])
    return { run, ...written, ...saved }
  }
  beforeAll(async () => {
    await service.database.script(`
      create table written (row boolean);
      create function note_row() returns trigger language plpgsql as $$ begin insert into written values (true); return null; end $$;
      create function note_statement() returns trigger language plpgsql as $$ begin insert into written values (false); return null; end $$;
      create trigger note_rows after insert or update on run_states for each row execute function note_row();
      create trigger note_statements after insert or update on run_states for each statement execute function note_statement();`)
  })

  test('grows with the units: 5,000 items are a few rows each, in statements that many share', async () => {
    const values = Array.from({ length: 5000 }, (_, row) => `row ${row}`)
    const definition = definitionOf(
      {
        list: { type: 'list.collect', inputs: { values } },
        line: { type: 'text.template', params: { template: '<{{ x }}>' }, each: ['x'] },
      },
      'list.list > line.x',
    )
    const { id } = await makeRun(service, definition)
    const { run, rows, statements, saves } = await counting(() => runThrough(service, id))
    expect(run).toMatchObject({ status: 'succeeded', error: null })
    expect(Object.keys(run.nodes.line.items)).toHaveLength(5000)
    expect(rows).toBeLessThan(5000 * 4)
    expect(statements).toBeLessThan(1500)
    expect(saves).toBeLessThan(1500)
  })

  test('grows with the nodes: a thousand of them are a few rows each', async () => {
    const nodes = Array.from(
      { length: 1000 },
      (_, n) =>
        [`n${n}`, { type: 'text.template', params: { template: n % 100 === 0 ? `${n}` : `${n} {{ x }}` } }] as const,
    )
    // Ten chains of a hundred nodes each.
    const edges = nodes.flatMap((_, n) => (n % 100 === 0 ? [] : [`n${n - 1}.text > n${n}.x`]))
    const { id } = await makeRun(service, definitionOf(Object.fromEntries(nodes), ...edges))
    const { run, rows, statements } = await counting(() => runThrough(service, id))
    expect(run).toMatchObject({ status: 'succeeded', error: null })
    expect(rows).toBeLessThan(1000 * 4)
    expect(statements).toBeLessThan(1000)
  })
})

test('a restore of a restore stands as what it went back to stood, and siblings are not touched', async () => {
  const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'restored twice' } } })
  const { id, graph_id } = await makeRun(service, definition)
  const { data: sibling } = await service.post(`/api/v1/graphs/${graph_id}/runs`, { execute: false })
  const first = await runThrough(service, id)
  const history = async (): Promise<Body[]> => (await service.get(`/api/v1/runs/${id}/history`)).data.items
  const restore = async (at: string): Promise<Body> =>
    (await service.post(`/api/v1/runs/${id}/history/restore`, { at })).data
  const [rest] = await history()
  const second = await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
  await restore(rest?.at)
  const [restored, left] = await history()
  expect([restored?.kind, left?.kind]).toEqual(['restored', 'left'])
  const back = await restore(left?.at)
  expect(back.nodes.copy.outputs).toEqual(second.nodes.copy.outputs)
  const forth = await restore(restored?.at)
  expect(forth.nodes.copy.outputs).toEqual(first.nodes.copy.outputs)
  expect(forth).toMatchObject({ generation: second.generation + 3, credits_total: 4, status: 'succeeded' })
  // The restore also brought back the re-roll, whose result comes from the cache, so the run pays nothing again.
  expect(await runThrough(service, id)).toMatchObject({
    credits_consumed: 0,
    nodes: { copy: { outputs: first.nodes.copy.outputs } },
  })
  expect((await service.get(`/api/v1/runs/${sibling.id}`)).data).toEqual(sibling)
})
