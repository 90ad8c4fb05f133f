// Facts about settings that are wrong only beside others, or beside what is on the disk: providers, models, ports, folders and the
// files to sign with.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificatesFrom } from './certificates.ts'
import { ConfigError, readConfig } from './config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'atelier-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function problemsOf(environment: Record<string, string>, use?: 'service'): string[] {
  try {
    readConfig(environment, use)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const written = (name: string, text: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

test('a provider that does not exist is told with whatever else is wrong, and without its key', () => {
  const problems = problemsOf({ ATELIER_PROVIDER_KEYS: 'gogle=hunter2,fal=k', LOG_LEVEL: 'loud' })
  expect(problems).toEqual([
    'ATELIER_PROVIDER_KEYS must name google, anthropic, fal, replicate, bfl, compatible, comfyui, not gogle',
    expect.stringMatching(/^LOG_LEVEL must be one of/),
  ])
  expect(problems.join()).not.toContain('hunter2')
  expect(problemsOf({ ATELIER_PROVIDER_URLS: 'gogle=http://127.0.0.1:1' })).toEqual([
    expect.stringMatching(/^ATELIER_PROVIDER_URLS must name .* not gogle$/),
  ])
})

test('a key of a provider without a usual address takes its address', () => {
  expect(problemsOf({ ATELIER_PROVIDER_KEYS: 'compatible=k' })).toEqual([
    'ATELIER_PROVIDER_URLS must say where compatible is, as compatible=https://…',
  ])
  const both = { ATELIER_PROVIDER_KEYS: 'compatible=k', ATELIER_PROVIDER_URLS: 'compatible=http://127.0.0.1:1/v1' }
  expect(problemsOf(both)).toEqual([])
})

test('what lists a name twice is refused, for neither value would be surely meant', () => {
  expect(problemsOf({ ATELIER_PROVIDER_KEYS: 'fal=hunter2,fal=hunter3' })).toEqual([
    'ATELIER_PROVIDER_KEYS names fal twice',
  ])
  expect(problemsOf({ ATELIER_PROVIDER_LIMITS: '*=1,*=2' })).toEqual(['ATELIER_PROVIDER_LIMITS names * twice'])
  expect(readConfig({ ATELIER_PROVIDER_LIMITS: 'fal.run=2' }).providerLimits.get('*')).toMatchObject({ calls: 32 })
  expect(readConfig({ ATELIER_PROVIDER_LIMITS: '*=1' }).providerLimits.get('*')).toMatchObject({ calls: 1 })
})

test('a list of models has one at least', () => {
  expect(problemsOf({ ATELIER_MODELS: written('none.json', '[]') })).toEqual([
    'ATELIER_MODELS names a file that lists no model',
  ])
})

test('a default model that nothing can be called by is refused', () => {
  const [ATELIER_IMAGE_MODEL, ATELIER_CHAT_MODEL] = ['a b', 'nobody:xx']
  expect(problemsOf({ ATELIER_IMAGE_MODEL, ATELIER_CHAT_MODEL })).toEqual([
    'ATELIER_IMAGE_MODEL must be the name of a model, without blanks',
    expect.stringMatching(
      /^ATELIER_CHAT_MODEL names a model of “nobody”, which is no provider; there are openai, google/,
    ),
  ])
  expect(problemsOf({ ATELIER_CHAT_MODEL: 'google:' })).toEqual([
    'ATELIER_CHAT_MODEL must name a model of google after the colon',
  ])
})

test('a default model is taken where an own service, an own list or OpenAI itself may have it', () => {
  const list = JSON.stringify([{ id: 'openai:mine:1', kinds: ['chat'], price: null }])
  const own = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' }
  expect(problemsOf({ ...own, ATELIER_CHAT_MODEL: 'mistral:7b' })).toEqual([])
  expect(problemsOf({ ATELIER_MODELS: written('own.json', list), ATELIER_CHAT_MODEL: 'mine:1' })).toEqual([])
  for (const ATELIER_CHAT_MODEL of ['ft:gpt-5.4-mini:org::id', 'llama3:8b', 'google:of-tomorrow', 'compatible:qwen:4b'])
    expect(problemsOf({ ATELIER_CHAT_MODEL })).toEqual([])
})

test('one port cannot be both that of requests and that of metrics, where their addresses meet', () => {
  const both = { PORT: '3000', ATELIER_METRICS_PORT: '3000' }
  const told = ['PORT and ATELIER_METRICS_PORT are both 3000: each needs a port of its own']
  expect(problemsOf(both, 'service')).toEqual(told)
  for (const HOST of ['0.0.0.0', '::', 'localhost']) expect(problemsOf({ ...both, HOST }, 'service')).toEqual(told)
  for (const HOST of ['10.0.0.1', '::1']) expect(problemsOf({ ...both, HOST }, 'service')).toEqual([])
  expect(problemsOf({ PORT: '0', ATELIER_METRICS_PORT: '0' }, 'service')).toEqual([])
  // A worker that shares the settings of a service listens on one of them only.
  expect(problemsOf(both)).toEqual([])
})

test('a data folder that is a file is refused, and told by its own name', () => {
  const file = written('a-file', '')
  expect(problemsOf({ ATELIER_DATA_DIR: file })).toEqual([
    `ATELIER_DATA_DIR must be the path of a folder: ${file} is none`,
  ])
  for (const right of [folder, path.join(folder, 'not-there-yet')])
    expect(problemsOf({ ATELIER_DATA_DIR: right })).toEqual([])
})

test('files to sign with that are no PEM are told by a start that serves, each of them, with what else is wrong', () => {
  const text = written('text.pem', 'hello')
  const both = { ATELIER_C2PA_CERT: text, ATELIER_C2PA_KEY: text }
  expect(problemsOf({ ...both, LOG_LEVEL: 'loud' }, 'service')).toEqual([
    expect.stringMatching(/^LOG_LEVEL/),
    'ATELIER_C2PA_CERT must name a file with a certificate as PEM',
    'ATELIER_C2PA_KEY must name a file with a private key as PEM, without a passphrase',
  ])
  expect(problemsOf({ ...both, ATELIER_C2PA: 'false' }, 'service')).toEqual([])
  // A backup in a container of its own has the settings, and need not have the files.
  expect(problemsOf(both)).toEqual([])
})

test('a certificate goes with its own key', () => {
  const [one, other] = [1, 2].map((n) => certificatesFrom(Buffer.alloc(32, n), 'Test'))
  const ATELIER_C2PA_CERT = written('one.pem', one?.chain ?? '')
  const keys = [one, other].map((of, n) => written(`${n}.key`, of?.key ?? ''))
  const problems = keys.map((ATELIER_C2PA_KEY) => problemsOf({ ATELIER_C2PA_CERT, ATELIER_C2PA_KEY }, 'service'))
  expect(problems).toEqual([[], ['ATELIER_C2PA_KEY is not the key of the first certificate in ATELIER_C2PA_CERT']])
})
