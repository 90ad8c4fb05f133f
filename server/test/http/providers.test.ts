// Facts about provider keys that an admin enters in the app: stored sealed, never shown in full, used at once by every process.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openKeyRing, placeOf } from '../../src/features/providers/key-ring.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSealing } from '../../src/platform/sealing.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, refusal } from '../support/make.ts'
import { json, type Outside, serveOutside } from '../support/outside.ts'
import { makeRun, runThrough } from '../support/runs.ts'

const secret = 'sk-live-4f6d0c2b9a'
const [first, second] = [randomBytes(32), randomBytes(32)]
let outside: Outside & { close(): Promise<void> }
let service: Service
/** How the provider responds to requests; a test may replace this function. */
let takes = () => json({ choices: [{ message: { content: 'Cold all day.' }, finish_reason: 'stop' }] })

beforeAll(async () => {
  outside = await serveOutside((response, seen) => takes()(response, seen))
  service = await startService({
    ATELIER_SECRETS_KEY: first.toString('hex'),
    ATELIER_PROVIDER_URLS: `compatible=${outside.url}/v1`,
    ATELIER_PROVIDER_KEYS: 'fal=of-the-settings',
    ATELIER_CHAT_MODEL: 'compatible:llama',
  })
  await service.app.worker.start()
})
afterAll(async () => {
  await service.close()
  await outside.close()
})
beforeEach(async () => {
  outside.seen.length = 0
  await service.del('/api/v1/providers/compatible/key')
})

const stateOf = async (name: string, from = service): Promise<Body> =>
  (await from.get('/api/v1/providers')).data.items.find((one: Body) => one.name === name)
const give = (name: string, key: string, from = service) => from.post(`/api/v1/providers/${name}/key`, { key })
const isAvailable = async (type: string, from = service): Promise<boolean> =>
  (await from.get('/api/v1/node-types')).data.items.find((one: Body) => one.type === type).available
/** The authorization header of the last request to the provider. */
const sent = () => outside.seen.at(-1)?.headers.authorization

test('a reading of the keys that began earlier never brings back a key that has been replaced', async () => {
  await give('google', 'sk-the-first-key')
  let begun = 0
  let hold = Promise.resolve()
  const main = service.database.main.withPlugin({
    transformQuery: ({ node }) => {
      begun++
      return node
    },
    transformResult: async ({ result }) => {
      await hold
      return result
    },
  })
  const sealing = createSealing([first])
  const ring = await openKeyRing({ ...service.database, main }, sealing, createLog('silent'))
  const key = () => ring.keys().get('google')
  expect(key()).toBe('sk-the-first-key')

  const { promise, resolve: release } = Promise.withResolvers<void>()
  hold = promise
  begun = 0
  ring.refresh()
  await expect.poll(() => begun).toBe(1)
  await give('google', 'sk-the-second-key')
  ring.refresh()
  expect((await stateOf('google')).source).toBe('app')
  // The second reading has not begun, as it could end before the first one.
  expect(begun).toBe(1)
  hold = Promise.resolve()
  release()
  await expect.poll(key).toBe('sk-the-second-key')
  ring.stop()
  await service.del('/api/v1/providers/google/key')
})

test('a key of thousands of characters is taken', async () => {
  const long = 'k'.repeat(4096)
  expect((await give('google', long)).status).toBe(200)
  expect(faults(await give('google', 'k'.repeat(4097)))).toHaveLength(1)
  await service.del('/api/v1/providers/google/key')
})

test('a key is kept sealed, shown by its end alone, and by whom it was given', async () => {
  expect(await stateOf('google')).toMatchObject({
    source: 'none',
    last4: null,
    host: 'generativelanguage.googleapis.com',
  })
  const { status, data, text } = await give('google', secret)
  expect([status, data]).toMatchObject([200, { source: 'app', last4: '2b9a', set_by: { user_id: service.owner.id } }])
  const [row] = await service.rows<Body>(`select * from provider_keys where provider = 'google'`)
  const listed = (await service.get('/api/v1/providers')).text
  for (const shown of [text, listed, JSON.stringify(row)]) expect(shown).not.toContain(secret.slice(0, 10))
  expect((await service.del('/api/v1/providers/google/key')).data).toMatchObject({ source: 'none', last4: null })
  expect((await service.del('/api/v1/providers/google/key')).status).toBe(200)
})

test('nodes that ask its models become available in every process, and run with the key of the moment', async () => {
  const other = await service.another()
  await give('google', secret)
  await eventually(async () => expect(await isAvailable('video.generate', other)).toBe(true))
  await service.del('/api/v1/providers/google/key')

  const ask = async (prompt: string): Promise<Body> => {
    const definition = definitionOf({ ask: { type: 'llm.chat', params: { prompt } } })
    return runThrough(service, (await makeRun(service, definition)).id)
  }
  await give('compatible', secret)
  await eventually(async () => {
    await ask(`One ${randomBytes(4).toString('hex')}`)
    expect(sent()).toBe(`Bearer ${secret}`)
  })
  await give('compatible', `${secret}-new`)
  await eventually(async () => {
    await ask(`Two ${randomBytes(4).toString('hex')}`)
    expect(sent()).toBe(`Bearer ${secret}-new`)
  })
  await other.close()
})

test('a graph that could not run starts as soon as a key is there, and no longer once the key is gone', async () => {
  const keyless = await startService({ ATELIER_SECRETS_KEY: first.toString('hex') })
  const asking = definitionOf({ ask: { type: 'llm.chat', params: { prompt: 'The same graph all the time' } } })
  const { id } = await makeRun(keyless, asking)
  const start = () => keyless.post(`/api/v1/runs/${id}/start`)
  expect(faults(await start())).toEqual(['node_type_unavailable definition.nodes.ask.type'])
  await give('google', secret, keyless)
  await eventually(async () => expect((await start()).status).toBe(200))
  await keyless.post(`/api/v1/runs/${id}/cancel`) // no worker has taken the run, so it is cancelled at once
  await keyless.del('/api/v1/providers/google/key')
  await eventually(async () => expect(await isAvailable('llm.chat', keyless)).toBe(false))
  expect(faults(await start())).toEqual(['node_type_unavailable definition.nodes.ask.type'])
  await keyless.close()
})

test('a check says in the provider’s own words whether it takes the key, and never repeats it', async () => {
  expect(refusal(await service.post('/api/v1/providers/google/check'))).toEqual([409, 'provider_without_key'])
  await give('compatible', secret)
  const check = async () => (await service.post('/api/v1/providers/compatible/check')).data
  takes = () => json({ data: [] })
  await eventually(async () => expect(await check()).toMatchObject({ works: true }))
  expect(outside.seen.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models' })
  takes = () => json({ error: { message: `Incorrect API key provided: ${secret}.` } }, 401)
  const refused = await check()
  expect(refused).toMatchObject({
    works: false,
    words: expect.stringContaining('answered 401. It says: Incorrect API key'),
  })
  expect(refused.words).not.toContain(secret)
  expect((await service.post('/api/v1/providers/fal/check')).data).toMatchObject({ works: null })
})

test('a refusal names a provider as the list of providers does: by its usual name at its usual address', async () => {
  const usual = await startService({
    ATELIER_SECRETS_KEY: first.toString('hex'),
    OPENAI_API_KEY: 'of-the-settings',
  })
  const { title } = await stateOf('openai', usual)
  expect(title).toBe('OpenAI')
  expect((await give('openai', secret, usual)).body.detail).toContain(`the key of ${title},`)
  await usual.close()
  const check = await service.post('/api/v1/providers/openai/check')
  expect([refusal(check), check.body.detail]).toEqual([
    [409, 'provider_without_key'],
    'There is no key of OpenAI to ask with.',
  ])
})

test('the settings go before the app, and what cannot be kept is refused', async () => {
  expect(await stateOf('fal')).toMatchObject({ source: 'settings', last4: null })
  expect(refusal(await give('fal', secret))).toEqual([409, 'key_in_settings'])
  expect(refusal(await give('nowhere', secret))).toEqual([404, 'not_found'])
  const broken = await give('google', 'sk-with\na-line')
  expect(faults(broken)).toEqual(['value_error body.key'])
  expect(broken.text).not.toContain('a-line')

  const bare = await startService()
  expect((await bare.get('/api/v1/providers')).data).toMatchObject({ can_store: false })
  expect(refusal(await give('google', secret, bare))).toEqual([409, 'secrets_not_configured'])
  expect(refusal(await give('compatible', secret, bare))).toEqual([409, 'secrets_not_configured'])
  await bare.close()
})

test('after a change of the key of the settings what it sealed is sealed anew; without it, it is said to be unreadable', async () => {
  const sealed = async () =>
    (await service.rows<Body>(`select sealed from provider_keys where provider = 'bfl'`))[0].sealed
  await give('bfl', secret)
  const before = await sealed()
  const lost = await openKeyRing(service.database, createSealing([second]), createLog('silent'))
  expect(lost.keys().get('bfl')).toBeUndefined()
  lost.stop()
  expect(await sealed()).toBe(before)
  const ring = await openKeyRing(service.database, createSealing([second, first]), createLog('silent'))
  expect(ring.keys().get('bfl')).toBe(secret)
  ring.stop()
  expect(createSealing([second]).open(await sealed(), placeOf('bfl'))).toBe(secret)
  // This service has only the former key, so it cannot read the value.
  expect(await stateOf('bfl')).toMatchObject({ source: 'unreadable' })
})
