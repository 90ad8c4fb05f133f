// In charge of `node bench/backup.ts --tasks 100000 --megabytes 2048`: backs up a large workspace while clients write to it, and
// restores the backup into another cluster and folder. Then compares the rows of six tables with the original, and the bytes of
// every file with the digest that names the file.
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { startCluster } from '../server/test/support/cluster.ts'
import { type Server, startServer } from './processes.ts'
import { createWorkspace } from './stage.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '100000' }, megabytes: { type: 'string', default: '2048' } },
})
const [tasks, megabytes] = [Number(values.tasks), Number(values.megabytes)]
const fileBytes = 2_000_000
const tell = (line: string): void => console.log(`… ${line}`)
const run = promisify(execFile)
const main = resolve(import.meta.dirname, '../server/src/main.ts')

const folder = await mkdtemp(join(tmpdir(), 'atelier-backup-'))
const [cluster, other] = [await startCluster({ durable: true }), await startCluster({ durable: true })]
try {
  const { url } = await createWorkspace(cluster, 'backup', tasks, tell, { packs: tasks / 50 })
  const live = { DATABASE_URL: url, ATELIER_DATA_DIR: join(folder, 'live') }
  const server = await startServer({ databaseUrl: url, dataDir: live.ATELIER_DATA_DIR })
  tell('files')
  const count = Math.round((megabytes * 1e6) / fileBytes)
  for (let made = 0; made < count; made += 8)
    await Promise.all(Array.from({ length: 8 }, () => upload(server, fileBytes)))

  tell('backup, while writes go on')
  const writing = new AbortController()
  const writers = Array.from({ length: 4 }, () => write(server, writing.signal))
  const began = await moment(url)
  const backup = await timed('backup', live, '--to', join(folder, 'backups'))
  writing.abort()
  const written = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0)
  await server.end()

  const admin = await connected(other.url)
  await admin.query('create database restored')
  await admin.end()
  const restored = {
    DATABASE_URL: other.url.replace(/\/[^/]*$/, '/restored'),
    ATELIER_DATA_DIR: join(folder, 'restored'),
  }
  const restore = await timed('restore', restored, '--from', join(folder, 'backups'))

  console.log(`Backed up in ${backup} s with ${written} writes beside it, restored in ${restore} s.`)
  let faults = 0
  for (const table of ['tasks', 'creatives', 'files', 'users', 'products', 'activity'])
    faults += await compare(table, url, restored.DATABASE_URL, began)
  faults += await compareFiles(join(restored.ATELIER_DATA_DIR, 'files'), restored.DATABASE_URL)
  process.exitCode = faults > 0 ? 1 : 0
} finally {
  await Promise.all([cluster.remove(), other.remove()])
  await rm(folder, { recursive: true, force: true })
}

/** Executes a command of Atelier, such as `backup`; returns how many seconds it took. */
async function timed(command: string, env: Record<string, string>, ...args: string[]): Promise<number> {
  const start = performance.now()
  const { stdout } = await run(process.execPath, [main, command, ...args], { env: { ...process.env, ...env } })
  tell(stdout.trim())
  return Math.round((performance.now() - start) / 100) / 10
}

async function upload({ port, token }: Server, bytes: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: randomBytes(bytes),
  })
  if (!answer.ok) throw new Error(`A file was not taken: ${await answer.text()}`)
}

/**
 * Until `signal` aborts: creates a task, changes the task and uploads a small file, again and again. Returns how many times a task
 * was created or changed; uploads are not counted.
 */
async function write(server: Server, signal: AbortSignal): Promise<number> {
  let count = 0
  const send = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    count += 1
    return JSON.parse(await answer.text()).data.id
  }
  while (!signal.aborted) {
    const id = await send('POST', '/tasks', { name: `Written meanwhile ${randomBytes(4).toString('hex')}` })
    await send('PATCH', `/tasks/${id}`, { notes: 'Changed meanwhile.' })
    await upload(server, 1000)
  }
  return count
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

async function moment(url: string): Promise<string> {
  const client = await connected(url)
  const { rows } = await client.query<{ at: string }>('select now_ms()::text as at')
  await client.end()
  return rows[0]?.at ?? ''
}

type Row = { id: string; sum: string; later: boolean }

/**
 * Returns the number of faults in a table: rows that did not change after the backup began but were restored differently or not
 * at all, and restored rows that the original database does not have.
 */
async function compare(table: string, before: string, after: string, began: string): Promise<number> {
  const key = table === 'files' ? 'digest' : 'id'
  const read = async (url: string): Promise<Map<string, Row>> => {
    const client = await connected(url)
    try {
      await client.query('set timezone to utc')
      const { rows } = await client.query<Row>(
        `select t.${key}::text as id, md5(t::text) as sum, coalesce(
          (to_jsonb(t) ->> 'updated_at')::timestamptz, (to_jsonb(t) ->> 'at')::timestamptz,
          (to_jsonb(t) ->> 'created_at')::timestamptz, 'infinity') >= $1::timestamptz as later from ${table} t`,
        [began],
      )
      return new Map(rows.map((row) => [row.id, row]))
    } finally {
      await client.end()
    }
  }
  const [live, restored] = [await read(before), await read(after)]
  const differing = [...live.values()].filter(({ id, sum, later }) => !later && restored.get(id)?.sum !== sum)
  const unknown = [...restored.keys()].filter((id) => !live.has(id))
  const during = [...restored.values()].filter(({ later }) => later).length
  console.log(
    `${table}: ${restored.size} restored (${during} of them written meanwhile), ${differing.length} differ, ${unknown.length} unknown.`,
  )
  return differing.length + unknown.length
}

/** Returns how many files have a name that is not the digest of their bytes, plus how many rows of `files` have no such file. */
async function compareFiles(root: string, url: string): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const digests = new Set<string>()
  let wrong = 0
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(parentPath, name)), hash)
    if (hash.digest('hex') === name) digests.add(name)
    else wrong += 1
  }
  const client = await connected(url)
  const { rows } = await client.query<{ digest: string }>('select digest from files')
  await client.end()
  const missing = rows.filter(({ digest }) => !digests.has(digest)).length
  console.log(`bytes of files: ${digests.size} right, ${wrong} wrong, ${missing} missing.`)
  return wrong + missing
}
