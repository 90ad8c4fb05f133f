// Facts about the examples for integrators (docs/examples/join.sh and join.ts) and the contract's typed client, on a real service.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CallError } from '@atelier/contract/wire/calls.ts'
import { createClient } from '@atelier/contract/wire/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import { doors } from '../support/launch.ts'
import { allowed, makers, nobody } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let url: string
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

const example = (file: string) => fileURLToPath(new URL(`../../../docs/examples/${file}`, import.meta.url))
const thrown = async (asked: Promise<unknown>): Promise<CallError> => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw new Error(`not refused: ${error}`)
  return error
}

test('both examples join the performance file with the creatives it is about', async () => {
  const [, ...ads] = readFileSync(example('performance.csv'), 'utf8').trim().split('\n')
  const hook = allowed(service, 'HookType')
  const { task, creatives } = await make.taskWith(['Join 1', 'Join 2'], {
    hook_type: hook,
    assignee_id: service.owner.id,
  })
  const cells = ads.map((line) => line.split(','))
  const named = cells.find(([ad_id]) => ad_id === '')
  const [packed, single] = cells.flatMap(([ad_id]) => ad_id || [])
  await make.creative(task.id, { name: named?.[1] })
  await doors(service).packs({ task_id: task.id, ad_id: packed ?? '' })
  await doors(service).creatives({ name: creatives[0].name, ad_id: single ?? '' })

  const { token } = await service.integration(['creatives:lookup'])
  const env = { ...process.env, ATELIER_URL: url, ATELIER_TOKEN: token }
  const run = async (program: string, file: string) =>
    (await promisify(execFile)(program, [example(file)], { env })).stdout
  const printed = await run(process.execPath, 'join.ts')
  const rest = [hook, '–', 'O']
  const counts = new Map([
    [packed, [3, ...rest]],
    [single, [1, ...rest]],
    [named?.[1], [1, ...rest]],
  ])
  expect(printed.trimEnd().split('\n')).toEqual([
    'ad\tspend\tclicks\tcreatives\thook_type\tad_format\tmade by',
    ...cells.map(([ad_id, name, spend, clicks]) => {
      const ad = ad_id || name
      return [ad, spend, clicks, ...(counts.get(ad) ?? [0, '–', '–', '–'])].join('\t')
    }),
  ])
  expect(await run('bash', 'join.sh')).toBe(printed)
})

test('the client answers the data of an envelope, and the body of a route that has none', async () => {
  const client = createClient({ url, token: service.owner.token })
  const task = await client.call('createTask', { body: { name: 'By client' } })
  expect(task.name).toBe('By client')
  const { tasks } = await client.call('tasksBoard', { query: { limit: 1 } })
  expect(tasks).toHaveLength(1)
  const read = await client.call('getTask', { params: { task_id: task.id } })
  expect(read).toEqual(task)
  const again = { body: { name: 'Once' }, headers: { 'idempotency-key': 'client-1' } }
  expect(await client.call('createTask', again)).toEqual(await client.call('createTask', again))
  const [row] = await client.call('lookupCreatives', { body: { names: ['nobody'] } })
  expect(row).toEqual({ query: 'nobody', handle: 'name', creatives: [] })
  expect((await client.call('getCaller')).kind).toBe('person')
})

test('the client throws what a refusal says', async () => {
  const client = createClient({ url, token: service.owner.token })
  const missing = await thrown(client.call('getTask', { params: { task_id: nobody } }))
  expect([missing.status, missing.code]).toEqual([404, 'not_found'])
  expect(missing.detail).toContain(nobody)
  const invalid = await thrown(client.call('lookupCreatives', { body: { names: [''], ad_ids: [' '] } }))
  expect([invalid.status, invalid.code]).toEqual([422, 'invalid'])
  expect(invalid.errors.map(({ loc }) => loc)).toEqual([
    ['body', 'names', 0],
    ['body', 'ad_ids', 0],
  ])
  const unknown = await thrown(createClient({ url, token: 'atl_nobody' }).call('getCaller'))
  expect([unknown.status, unknown.code]).toEqual([401, 'invalid_token'])
  const { task, creatives } = await make.taskWith(['Conflict'])
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await make.creative((await make.task()).id, { name: creatives[0].name })
  const taken = await thrown(client.call('restoreTask', { params: { task_id: task.id } }))
  expect(taken.conflicts).toMatchObject([{ creative_id: creatives[0].id }])
  const proxy: typeof fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const odd = await thrown(createClient({ url, token: '', fetch: proxy }).call('getCaller'))
  expect([odd.status, odd.code, odd.detail]).toEqual([502, 'unknown', '<h1>Bad gateway</h1>'])
})
