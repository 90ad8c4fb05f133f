// Facts about answers that name no gate of the run, or no item of it, and about gates that do not ask now.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

let service: Service
let run: Body
beforeAll(async () => {
  service = await startService()
  await service.app.worker.start()
  const definition = definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: ['a', 'b'] } },
      each: { type: 'gate.edit', each: ['value'] },
      ok: { type: 'gate.approve', inputs: { value: 'this' } },
      later: { type: 'gate.edit', each: ['value'] },
    },
    'rows.list > each.value',
    'each.value > later.value',
  )
  run = await runThrough(service, (await makeRun(service, definition)).id)
})
afterAll(() => service.close())

const answer = (body: object, id = run.id) =>
  service.post(`/api/v1/runs/${id}/answers`, { answer: { approved: true }, ...body })

test.each([
  ['a node that the definition has not', { node_id: 'zz' }, 'node_id', 'the definition has no node “zz”'],
  ['a node of the name of a member of objects', { node_id: 'constructor' }, 'node_id', 'no node “constructor”'],
  ['a node that is no gate', { node_id: 'rows' }, 'node_id', 'the node “rows” is no gate'],
  ['an item that the gate has not', { node_id: 'each', item: 2 }, 'item', 'the node “each” has no item 2 in this run'],
  ['an item of a gate that asks once', { node_id: 'ok', item: 0 }, 'item', 'the node “ok” has no item 0 in this run'],
])('an answer to %s is refused at its place, and answers nothing', async (_, body, member, why) => {
  const { status, body: refused } = await answer(body)
  expect(status).toBe(422)
  expect(refused.detail).toEqual([
    expect.objectContaining({ loc: ['body', member], type: 'value_error', msg: expect.stringContaining(why) }),
  ])
  expect(await readRun(service, run.id)).toMatchObject({ status: 'awaiting_input', answers: {} })
})

test('an answer to the question of an item that is gone, as somebody made fewer rows, finds no open question', async () => {
  const rows = { type: 'list.collect', inputs: { values: ['x', 'y', 'z'] } }
  const definition = definitionOf({ rows, each: { type: 'gate.edit', each: ['value'] } }, 'rows.list > each.value')
  const { id, nodes } = await runThrough(service, (await makeRun(service, definition)).id)
  const last = { node_id: 'each', item: 2 }
  const { asked } = nodes.each.items[2].checkpoint
  const fewer = { regenerate: [{ node_id: 'rows', inputs: { values: ['x', 'y'] } }] }
  expect(await runThrough(service, id, fewer)).toMatchObject({ status: 'awaiting_input' })
  const { status, body } = await answer({ ...last, asked }, id)
  expect([status, body.code]).toEqual([409, 'no_open_question'])
  expect((await answer(last, id)).status).toBe(422)
})

test('a gate that is not reached, or a run that asks nothing, has no open question', async () => {
  const draft = await makeRun(service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 1 } } }))
  const answers = [
    await answer({ node_id: 'later', item: 0 }),
    await answer({ node_id: 'later' }),
    await answer({ node_id: 'ok' }, draft.id),
    await answer({ node_id: 'zz' }, draft.id),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [409, 'no_open_question']))
})
