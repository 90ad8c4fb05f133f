// Facts about `models`: how a provider's list is compared with ours. A local server sends each list in the provider's format.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endOf } from '@atelier/contract/graph/model-catalogue.ts'
import { dayOf } from '@atelier/contract/graph/model-rules.ts'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { failure } from '../../test/support/nodes.ts'
import { hangUp, json, type Outside, startOutside, text } from '../../test/support/outside.ts'
import { trustedAgent } from '../nodes/outside/guard.ts'
import { readModelList } from '../nodes/outside/model-lists.ts'
import { providers } from '../nodes/outside/providers.ts'
import { readConfig } from '../platform/config.ts'
import { updateModels } from './models.ts'

afterEach(() => {
  process.exitCode = undefined
})

const key = 'sk-a-very-secret-key'
const providerOf = (name: string) => {
  const provider = providers.find((one) => one.name === name)
  if (!provider?.list) throw new Error(`${name} has no list`)
  return { ...provider, list: provider.list }
}
const listOf = ({ url }: Pick<Outside, 'url'>, name: string) => {
  const provider = providerOf(name)
  return readModelList(provider, provider.list, { url: `${url}/v1`, key }, trustedAgent())
}

const model = (id: string) => ({ id, object: 'model', created: 1_790_000_000, owned_by: 'somebody' })
const openAiModels = (...ids: string[]) => json({ object: 'list', data: ids.map(model) })

test('what models of OpenAI make is told by their names; of a name of no family nothing is', async () => {
  const names = ['gpt-image-3', 'gpt-6', 'o4', 'gpt-6-mini-tts', 'whisper-2', 'gpt-6-realtime', 'sora-3', 'llama3:8b']
  const outside = await startOutside(openAiModels(...names))
  const listed = await listOf(outside, 'openai')
  expect(listed.map(({ kinds }) => kinds?.join() ?? null)).toEqual([
    ...['image,edit', 'chat', 'chat', 'speech', 'transcription', '', '', null],
  ])
  expect(outside.seen[0]).toMatchObject({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: `Bearer ${key}` },
  })
})

test('the pages of Anthropic are read to the last', async () => {
  const page = (id: string, more: boolean) =>
    json({ data: [{ type: 'model', id, display_name: id }], has_more: more, first_id: id, last_id: id })
  const outside = await startOutside(page('claude-a', true), page('claude-b', false))
  const listed = await listOf(outside, 'anthropic')
  expect(listed).toEqual(['claude-a', 'claude-b'].map((id) => ({ id, kinds: ['chat'] })))
  expect(outside.seen.map((one) => one.path)).toEqual([
    '/v1/models?limit=1000',
    '/v1/models?limit=1000&after_id=claude-a',
  ])
  expect(outside.seen[0]?.headers).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })
})

test('what models of Google make is told by their methods and names', async () => {
  const one = (name: string, ...supportedGenerationMethods: string[]) => ({
    name: `models/${name}`,
    supportedGenerationMethods,
  })
  const first = [
    one('gemini-4-flash', 'generateContent', 'countTokens'),
    one('gemini-4-pro-image', 'generateContent'),
    one('gemini-4-flash-tts', 'generateContent'),
    one('gemini-embedding-2', 'embedContent'),
  ]
  const second = [
    one('veo-4', 'predictLongRunning'),
    one('imagen-5', 'predict'),
    one('gemini-4-live', 'bidiGenerateContent'),
  ]
  const outside = await startOutside(json({ models: first, nextPageToken: 'a b' }), json({ models: second }))
  const listed = await listOf(outside, 'google')
  expect(listed.map(({ id, kinds }) => `${id} ${kinds}`)).toEqual([
    ...['gemini-4-flash chat', 'gemini-4-pro-image image,edit', 'gemini-4-flash-tts speech', 'gemini-embedding-2 '],
    ...['veo-4 video', 'imagen-5 image', 'gemini-4-live '],
  ])
  expect(outside.seen[1]?.path).toBe('/v1/models?pageSize=1000&pageToken=a%20b')
})

test.for([
  [
    'a wrong key',
    json({ error: { message: `Incorrect API key provided: ${key}` } }, 401),
    /answered 401\. It says: Incorrect API key provided: …/,
  ],
  ['a page of a proxy', text('<html>'), /what is no list of models/],
  ['a connection that breaks', hangUp, /broke off the connection/],
] as const)('%s: it is said, without the key', async ([, answer, words]) => {
  const failed = await failure(listOf(await startOutside(answer), 'openai'))
  expect(failed.message).toMatch(words)
  expect(`${failed.message} ${failed.stack}`).not.toContain(key)
})

test('a list that never ends is not read for ever', async () => {
  let page = 0
  const outside = await startOutside((response, seen) => {
    page += 1
    json({ data: [model(`m${page}`)], has_more: true, last_id: `m${page}` })(response, seen)
  })
  expect((await failure(listOf(outside, 'anthropic'))).message).toMatch(/more than 50 pages/)
})

/** Runs the command with the given arguments in a temporary folder; `{folder}` in an argument becomes the folder's path. */
async function run(args: readonly string[], environment: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-models-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const said: string[] = []
  const given = args.map((one) => one.replace('{folder}', folder))
  await updateModels(given, { environment, say: (line) => said.push(line) })
  return { said, folder }
}

const catalogue = readConfig({}).models.list
const anthropics = catalogue.filter(({ id }) => id.startsWith('anthropic:'))

test('the list that is written has what is new without a price, and all else as it was', async () => {
  const [first, ...rest] = anthropics.map(({ id }) => id.replace('anthropic:', ''))
  const outside = await startOutside(json({ data: [...rest, 'claude-next-9'].map(model), has_more: false }))
  // The test sets the shipped list as the operator's own list; only such a list is used for a provider at another address.
  const shipped = path.join(import.meta.dirname, '../platform/model-catalogue.json')
  const settings = {
    ...{ ATELIER_PROVIDER_KEYS: `anthropic=${key},bfl=k`, ATELIER_MODELS: shipped },
    ATELIER_PROVIDER_URLS: `anthropic=${outside.url}/v1`,
  }
  const { said, folder } = await run(['--write', '{folder}/models.json'], settings)
  expect(said.join('\n')).toMatch(/1 of them new to ours/)
  expect(said).toContain('  new: anthropic:claude-next-9 (chat; price unknown)')
  expect(said).toContain(`  not on its list: anthropic:${first} (it may have ended, or go by another name there)`)
  expect(said).toContain('Black Forest Labs: it has no list of its own models that could be asked for.')
  expect(said.join()).not.toContain(key)

  const file = path.join(folder, 'models.json')
  const written = readConfig({ ATELIER_MODELS: file }).models.list
  expect(written).toEqual([...catalogue, { id: 'anthropic:claude-next-9', kinds: ['chat'], price: null }])
  // Running the command a second time changes nothing.
  const before = await readFile(file, 'utf8')
  await updateModels(['--write', file], { environment: { ...settings, ATELIER_MODELS: file }, say: () => undefined })
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('at an address of one’s own, nothing of the list that comes with the product is taken over', async () => {
  const outside = await startOutside(openAiModels('llama3:8b', 'gpt-5.4-mini'))
  const environment = { OPENAI_BASE_URL: `${outside.url}/v1` }
  const without = await run(['--write', '{folder}/models.json'], environment)
  expect(without.said).toContain('  left out, as nothing says what it makes: openai:llama3:8b')
  const { folder } = await run(['--kinds', 'chat', '--write', '{folder}/models.json'], environment)
  const { list } = readConfig({ ATELIER_MODELS: path.join(folder, 'models.json') }).models
  expect(list.filter(({ id }) => id.startsWith('openai:'))).toEqual([
    { id: 'openai:llama3:8b', kinds: ['chat'], price: null },
    { id: 'openai:gpt-5.4-mini', kinds: ['chat'], price: null },
  ])
  expect(list.filter(({ id }) => id.startsWith('bfl:'))).toEqual(catalogue.filter(({ id }) => id.startsWith('bfl:')))
})

test('a model that has ended by our list and is still on theirs is named', async () => {
  const today = dayOf(new Date())
  const ended = catalogue.filter((one) => one.id.startsWith('openai:') && endOf(one, today) === 'over')
  const outside = await startOutside(openAiModels(...ended.map(({ id }) => id.replace('openai:', ''))))
  const shipped = path.join(import.meta.dirname, '../platform/model-catalogue.json')
  const { said } = await run([], { OPENAI_BASE_URL: `${outside.url}/v1`, ATELIER_MODELS: shipped })
  expect(said).toContain(`  on its list, although it has ended by ours: ${ended[0]?.id}`)
})

test('nothing is written where a list cannot be read', async () => {
  const outside = await startOutside(json({}, 500))
  const call = run(['--write', '{folder}/models.json'], { OPENAI_BASE_URL: `${outside.url}/v1` })
  await expect(call).rejects.toThrow(/Nothing was written/)
  expect(process.exitCode).toBe(1)
})

test.for([
  [[], {}, /No provider is set up/],
  [['--provider', 'nobody'], { OPENAI_API_KEY: 'k' }, /no provider “nobody” here.*openai, google/],
  [['--kinds', 'song'], {}, /--kinds takes image, edit/],
  [['--wrong'], {}, /npm run models/],
] as const)('%j is refused in words', async ([args, environment, words]) => {
  await expect(run([...args], environment)).rejects.toThrow(words)
})

test('four providers have a list that can be asked for', () => {
  const listing = providers.filter(({ list }) => list !== undefined).map(({ name }) => name)
  expect(listing).toEqual(['openai', 'google', 'anthropic', 'compatible'])
})
