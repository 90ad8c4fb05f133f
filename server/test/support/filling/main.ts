// In charge of making the filled database of a version: that version's service is started on an embedded database, filled over
// HTTP, and killed with unfinished runs. The data that it leaves is written to server/test/fixtures.
//
//   npm run fixture -- [--checkout folder]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Dump, dump } from './dump.ts'
import { fill, type Ids, speakerOf } from './fill.ts'
import { pricedModels } from './fill-money.ts'
import { providerSettings, startProvider } from './provider.ts'
import { readAll } from './reads.ts'

export type Filled = Dump & {
  version: string
  /** The owner's token. */
  token: string
  /** Ids of the records that tests look for, by purpose. */
  ids: Ids
  /** The `data` of the responses of this version to reads of its records, by request path. */
  reads: Record<string, unknown>
}

const root = path.resolve(import.meta.dirname, '../../../..')
const token = 'the-owner-of-a-filled-database-in-the-tests'
const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`

const { values } = parseArgs({ options: { checkout: { type: 'string', default: root } } })
const { version } = JSON.parse(await readFile(path.join(values.checkout, 'package.json'), 'utf8'))
const file = path.join(root, 'server/test/fixtures', `${version}.json.gz`)
const bytes = gzipSync(JSON.stringify({ version, ...(await filled(values.checkout)) }), { level: 9 })
await writeFile(file, bytes)
process.stdout.write(`${path.relative(root, file)}: ${Math.round(bytes.length / 1024)} KB\n`)

/** Starts the service of this checkout, fills it and kills it; returns the data that the service leaves. */
async function filled(checkout: string): Promise<Omit<Filled, 'version'>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-fixture-'))
  const dataDir = path.join(folder, 'data')
  const provider = await startProvider()
  // The service refuses settings that its version does not know.
  const organization = version === '0.1.0' ? {} : { ATELIER_ORGANIZATION: 'org_1' }
  const models = path.join(folder, 'models.json')
  await writeFile(models, JSON.stringify(pricedModels))
  const prices = ['0.1.0', '0.2.0'].includes(version) ? {} : { ATELIER_MODELS: models }
  const settings = { ...organization, ...prices, ATELIER_DATA_DIR: dataDir }
  const service = await startService(checkout, { ...providerSettings, ...settings })
  try {
    const speaker = speakerOf(service.url, token)
    const { ids, reads } = await fill(speaker, webhookSecret, token, (known) => readAll(speaker, known))
    await service.kill()
    return { token, ids, reads, ...(await dump(dataDir)) }
  } finally {
    await service.kill()
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startService(checkout: string, settings: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => /^(?:PATH|HOME|TMPDIR|LANG)$/.test(name))
  const env = {
    ...Object.fromEntries(inherited),
    ...{ PORT: '0', LOG_LEVEL: 'warn', ATELIER_DEMO: 'false', ATELIER_RATE_LIMIT: '0', ATELIER_OWNER_TOKEN: token },
    ...{ ATELIER_WORKER_RUNS: '1', ATELIER_WORKER_CALLS: '2', ATELIER_WEBHOOK_SECRETS: webhookSecret },
    ...settings,
  }
  const command = [path.join(checkout, 'server/src/main.ts'), 'serve']
  const child = spawn(process.execPath, command, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let heard = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    heard += text
    if (/Atelier is ready: {2}\S+\n/.test(heard)) break
  }
  const [, url] = /Atelier is ready: {2}(\S+)\n/.exec(heard) ?? []
  if (url === undefined) throw new Error(`The service of ${checkout} ended before it was ready:\n${heard}`)
  child.stdout.on('data', (text: string) => process.stderr.write(text))
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
