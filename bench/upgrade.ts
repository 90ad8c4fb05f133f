// In charge of `npm run upgrade -- --before ../before [--perSecond 20]`: performs a rolling upgrade and a downgrade under traffic.
// Two API processes behind nginx (configured as in `deploy/nginx.conf`) and a worker are replaced one at a time: first by this
// version, the worker first, then by the earlier one, the worker last. `--before` is an installed checkout of the earlier version.
// Exits with 1 if a request or a run failed, or if a run or a ledger entry is still open at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startCluster } from '../server/test/support/cluster.ts'
import { benchToken, migrateBy } from './processes.ts'
import { createTraffic, type Sent } from './soak/traffic.ts'

const { values } = parseArgs({ options: { before: { type: 'string' }, perSecond: { type: 'string' } } })
const after = path.resolve(import.meta.dirname, '..')
const before = path.resolve(values.before ?? '../before')
const perSecond = Number(values.perSecond ?? 20)
/** How many milliseconds traffic goes on between two replacements. */
const pauseMs = 2_000

const folder = await mkdtemp(path.join(tmpdir(), 'atelier-upgrade-'))
const children = new Set<ChildProcess>()
const cluster = await startCluster({ durable: true })
try {
  await rolling()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await cluster.remove()
  await rm(folder, { recursive: true, force: true })
}

type Place = { name: string; port: number; work: boolean }

async function rolling(): Promise<void> {
  const [first, second, third, proxy] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const places: Place[] = [
    { name: 'worker', port: third, work: true },
    { name: 'first API process', port: first, work: false },
    { name: 'second API process', port: second, work: false },
  ]
  await migrateBy(before, cluster.url, path.join(folder, 'migrating'))
  const running = new Map<string, ChildProcess>()
  for (const place of places) running.set(place.name, await start(before, place))
  const nginx = await startNginx(proxy, [first, second])
  const base = `http://127.0.0.1:${proxy}`
  const traffic = await createTraffic(base, benchToken, 1)

  const sent: Promise<Sent>[] = []
  const stop = new AbortController()
  const sending = (async () => {
    const began = performance.now()
    while (!stop.signal.aborted) {
      const due = ((performance.now() - began) / 1000) * perSecond
      while (sent.length < due) sent.push(traffic.send())
      await wait(5)
    }
  })()
  await wait(pauseMs)
  for (const [title, checkout, order] of [
    ['upgrade', after, places],
    ['way back', before, places.toReversed()],
  ] as const) {
    for (const place of order) {
      const began = performance.now()
      const old = running.get(place.name)
      if (old) await end(old)
      const endedMs = performance.now() - began
      running.set(place.name, await start(checkout, place))
      const seconds = [endedMs, performance.now() - began].map((ms) => (ms / 1000).toFixed(1))
      console.log(`  ${title}: ${place.name} ended after ${seconds[0]} s, ready again after ${seconds[1]} s`)
      await wait(pauseMs)
    }
  }
  stop.abort()
  await sending
  const all = await Promise.all(sent)
  for (const child of running.values()) await end(child)
  await end(nginx)
  await report(all)
}

async function report(all: readonly Sent[]): Promise<void> {
  const failed = all.filter(({ failure }) => failure !== null)
  const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0)
  for (const { kind, failure } of failed.slice(0, 20))
    console.log(`  ! ${kind}: ${failure?.replaceAll(/\s+/g, ' ').slice(0, 120)}`)
  console.log(`  ${all.length} acts, ${failed.length} failed; p50 / p99 / most ${at(0.5)} / ${at(0.99)} / ${at(1)} ms`)
  if (failed.length > 0)
    console.log((await readFile(path.join(folder, 'nginx.log'), 'utf8')).split('\n').slice(-40).join('\n'))
  const client = new pg.Client(cluster.url)
  await client.connect()
  const runs = await client.query('select status, count(*)::int from runs group by 1 order by 1')
  const entries = await client.query('select outcome, count(*)::int from credit_entries group by 1 order by 1')
  await client.end()
  console.log(`  runs ${JSON.stringify(runs.rows)}, entries ${JSON.stringify(entries.rows)}`)
  const isOpen = entries.rows.some(({ outcome }) => outcome === 'intended')
  const isLost = runs.rows.some(({ status }) => status === 'failed' || status === 'running')
  if (failed.length > 0 || isOpen || isLost) process.exitCode = 1
}

async function start(checkout: string, { name, port, work }: Place): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/src/main.ts', work ? 'work' : 'serve'], {
    cwd: checkout,
    env: {
      ...process.env,
      ...{
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: cluster.url,
        LOG_LEVEL: 'error',
        ATELIER_DEMO: 'false',
      },
      ...{ ATELIER_DATA_DIR: path.join(folder, name.replaceAll(' ', '-')), ATELIER_FILES: path.join(folder, 'files') },
      ...{ ATELIER_OWNER_TOKEN: benchToken, ATELIER_RATE_LIMIT: '0', ATELIER_ADDRESS_RATE_LIMIT: '0' },
      ...{ ATELIER_WORK: 'false', ATELIER_TRUSTED_PROXIES: '127.0.0.1', ATELIER_C2PA: 'false' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  keep(child)
  if (work) {
    for await (const text of child.stdout.setEncoding('utf8')) if (String(text).includes('Working on runs')) break
    child.stdout.resume()
    return child
  }
  child.stdout.resume()
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The ${name} of ${checkout} ended with ${child.exitCode}.`)
    await wait(20)
  }
  return child
}

/** Starts nginx with the sample configuration from `deploy`, without TLS, in front of these ports. */
async function startNginx(port: number, [first, second]: readonly number[]): Promise<ChildProcess> {
  const sample = await readFile(path.join(after, 'deploy/nginx.conf'), 'utf8')
  const site = sample
    .replace(/server \{\s+listen 80;[^}]*\}/, '')
    .replace(/listen 443.*;/, `listen 127.0.0.1:${port};`)
    .replaceAll(/^.*(?:listen \[::\]|ssl_).*$/gm, '')
    .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
  const file = path.join(folder, 'nginx.conf')
  await mkdir(path.join(folder, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`)
    .join(' ')
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/nginx.log;\nevents {}\nhttp { access_log off; ${temporary}\n${site}}\n`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Rejects where nginx is not installed. An error that nobody handles would end this process, and leave its children behind.
  await once(child, 'spawn')
  keep(child)
  for (let turn = 0; turn < 250 && child.exitCode === null; turn += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (answers?.ok) return child
    await wait(20)
  }
  throw new Error('nginx did not answer.')
}

function keep(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return address.port
}
