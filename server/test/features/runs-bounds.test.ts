// Facts about graphs whose results grow without limit, or in which a node gets a whole table for each row: their plans and runs
// come to an end, and other requests are served meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outputLimits, outputsTooLarge } from '../../src/engine/model/json-size.ts'
import { planRun } from '../../src/engine/read/plan.ts'
import { readRunRow } from '../../src/engine/store/runs.ts'
import { planningOf } from '../../src/engine/transitions/start.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn } from '../support/engine.ts'
import { eventually } from '../support/eventually.ts'
import { engine, type Service, startService } from '../support/harness.ts'
import { processorMs } from '../support/processor-time.ts'
import { makeRun } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

/** A graph of lists in lists: each level contains the one before it `width` times, so the last would have width^levels texts. */
function growing(levels: number, width: number, text: string) {
  const nodes: Parameters<typeof definitionOf>[0] = {
    text: { type: 'input.text', params: { value: text } },
    last: { type: 'json.expression' },
  }
  const edges: string[] = []
  let before = ['text.text']
  for (let level = 1; level <= levels; level++) {
    const ids = Array.from({ length: width }, (_, one) => `n${level}_${one}`)
    for (const id of ids) {
      nodes[id] = { type: 'list.collect', params: { join_lists: false } }
      for (const one of before) edges.push(`${one} > ${id}.values`)
    }
    before = ids.map((id) => `${id}.list`)
  }
  return definitionOf(nodes, ...edges, `n${levels}_0.list > last.value`)
}

/** Starts a run and reads its final state by SQL, because an API response would contain all results and take too long. */
async function endOf(id: string): Promise<{ status: string; error: string | null; nodes: Record<string, string[]> }> {
  await service.post(`/api/v1/runs/${id}/start`, {}, { headers: { prefer: 'return=minimal' } })
  return eventually(async () => {
    const [run] = await service.rows(
      `select status, error, (select json_object_agg(node_id, statuses) from (
          select node_id, json_agg(distinct status) as statuses from run_states
          where run_id = id and (item <> '' or item_count is null) group by node_id) as s) as nodes
        from runs where id = $1`,
      [id],
    )
    expect(['succeeded', 'failed']).toContain(run.status)
    return run
  })
}

const tooLarge = outputsTooLarge(outputLimits[engine])

describe('lists that hold those before them several times, level upon level,', () => {
  test('are planned as far as they go, and the plan says where it ended', async () => {
    const { id } = await makeRun(service, growing(27, 2, 'x'))
    const reader = await service.person('reader')
    const { status, data, body } = await service.post(`/api/v1/runs/${id}/plan`, {}, { token: reader.token })
    expect(status).toBe(200)
    expect(data.nodes.n5_0).toMatchObject({ outcome: 'free', calls: 1 })
    expect(data.nodes.last).toMatchObject({ outcome: 'unknown' })
    expect(body.message).toMatch(/^What comes after “n\d+_\d” stays unknown: /)
    expect(body.message).toContain(tooLarge)
  })

  test('fail in a run where their outputs are too large, and it says so', async () => {
    const { id } = await makeRun(service, growing(5, 8, 'x'.repeat(16_000)))
    const run = await endOf(id)
    expect(run.error).toContain(tooLarge)
    expect(run.nodes).toMatchObject({ n2_0: ['succeeded'], last: ['skipped'] })
  })
})

/** The longest time (in ms of processor time, so that other processes do not count) for which `work` blocked the event loop. */
async function longestPause<T>(work: () => Promise<T>): Promise<{ ms: number; done: T }> {
  let longest = 0
  let last = processorMs()
  const look = (): void => {
    longest = Math.max(longest, processorMs() - last)
    last = processorMs()
  }
  const timer = setInterval(look, 5)
  const done = await work()
  look()
  clearInterval(timer)
  return { ms: longest, done }
}

const tableOf = (rows: number) => {
  const lines = Array.from({ length: rows }, (_, row) => `Product ${row},${row}.50`)
  return { type: 'csv.parse', inputs: { text: ['name,price', ...lines].join('\n') } }
}

/** A graph that makes a text for each row from the row and the whole table; then a node of `type` gets each text. */
const compared = (rows: number, type: string, port: string) => {
  return definitionOf(
    {
      csv: tableOf(rows),
      row: { type: 'text.template', params: { template: '{{ row.name }} of {{ all.size }}' }, each: ['row'] },
      each: { type, each: [port] },
    },
    'csv.rows > row.row',
    'csv.rows > row.all',
    `row.text > each.${port}`,
  )
}

describe('a table that is taken whole for each of its 1,900 rows', () => {
  test('a plan of it holds nobody up', async () => {
    // A plan also computes cache keys and looks up results by them.
    const definition = definitionOf(
      { csv: tableOf(1900), row: { type: 'json.expression', params: { expression: 'row.name' }, each: ['row'] } },
      'csv.rows > row.row',
      'csv.rows > row.all',
    )
    const { id } = await makeRun(service, definition)
    const { ms, done } = await longestPause(() => service.post(`/api/v1/runs/${id}/plan`))
    expect(done.data.nodes.row).toMatchObject({ outcome: 'free', calls: 1900, cached: 0 })
    expect(ms).toBeLessThan(2000)
  })

  test('a run of it holds nobody up, and neither does a look at what of it holds', async () => {
    const { id } = await makeRun(service, compared(1900, 'text.template', 'text'))
    const first = await longestPause(() => endOf(id))
    expect(first.done.nodes).toEqual({ csv: ['succeeded'], row: ['succeeded'], each: ['succeeded'] })
    await service.rows('update runs set types_fingerprint = null where id = $1', [id])
    const second = await longestPause(() => endOf(id))
    expect(second.done.status).toBe('succeeded')
    const made = await service.rows(`select count(*)::int from run_states where run_id = $1 and generation = 2`, [id])
    expect(made).toEqual([{ count: 0 }])
    expect(Math.max(first.ms, second.ms)).toBeLessThan(2000)
  })
})

test.each([
  ['calls', { calls: 20, ms: 60_000 }],
  ['time', { calls: 5000, ms: 0 }],
])('a plan that has used up its %s ends, and says what stays unknown', async (_, limits) => {
  const { id } = await makeRun(service, compared(100, 'test.paid', 'prompt'))
  const db = service.database.main
  const run = await readRunRow(db, id)
  if (!run) throw new Error('The run is gone.')
  const { find, files } = await engineOn(service, testNodes(createProvider()))
  const planning = await planningOf(db, run, {}, { types: service.app.services.nodeTypes.wire, find })
  const more = { currency: 'USD', outputLimit: outputLimits[engine] }
  const { plan, message } = await planRun({ ...planning, ...more, db, find, files }, limits)
  expect(plan.nodes.each).toMatchObject({ outcome: 'unknown', calls: null, credits: { least: 0, most: null } })
  expect(message).toMatch(/^What comes after “(?:csv|row)” stays unknown: the plan ended before it was found out/)
})
