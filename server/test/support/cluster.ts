// In charge of temporary PostgreSQL clusters: for the `postgres` test project, for tests that stop, restart or crash their
// own cluster, and for benchmarks. A cluster ends with the process that started it, even if that process is killed.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { appendFile, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findPostgres } from '../../../scripts/postgres.ts'
import { freePort } from './free-port.ts'

/** `smart` waits until all clients have left; `fast` disconnects them; `immediate` is like a crash: the next start recovers. */
type StopMode = 'smart' | 'fast' | 'immediate'

/** A running cluster; `url` connects as superuser to the database `postgres`. The port stays the same over restarts. */
export interface Cluster {
  url: string
  port: number
  dataDir: string
  /** Stops the server and keeps the data for `restart`. */
  stop(mode?: StopMode): Promise<void>
  /** Stops the server if it runs, and starts it again on the same data. */
  restart(mode?: StopMode): Promise<void>
  /** Kills every process of the server with SIGKILL, as in a crash. */
  kill(): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

const exec = promisify(execFile)

/** Starts a new cluster. Unless `durable`, commits do not wait for the disk: tests are faster, but a crash may lose commits. */
export async function startCluster(
  options: { durable?: boolean; settings?: Record<string, string> } = {},
): Promise<Cluster> {
  const bin = findPostgres()?.bin
  if (!bin) throw new Error('No PostgreSQL 15 or later here: install it (on Debian: apt-get install postgresql).')
  const owner = serverUser()
  const folder = await mkdtemp(path.join(owner ? openFolder() : tmpdir(), 'atelier-postgres-'))
  if (owner) await chown(folder, owner.uid, owner.gid)
  const dataDir = path.join(folder, 'data')
  const server = new Server(bin, dataDir, { ...owner, cwd: folder })
  const cleaner = startCleaner(bin, dataDir, folder, owner)
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  try {
    await server.create(password, options.durable ?? false)
    await appendFile(path.join(dataDir, 'postgresql.conf'), configuration(folder, port, options))
    await server.start()
  } catch (error) {
    await endCleaner(cleaner)
    throw error
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    stop: (mode = 'fast') => server.stop(mode),
    restart: async (mode = 'fast') => {
      await server.stop(mode)
      await server.start()
    },
    kill: () => server.kill(),
    remove: () => endCleaner(cleaner),
  }
}

/** One data folder and the programs that work on it. */
class Server {
  readonly #bin: string
  readonly #dataDir: string
  readonly #as: { uid?: number; gid?: number; cwd: string }

  constructor(bin: string, dataDir: string, as: { uid?: number; gid?: number; cwd: string }) {
    this.#bin = bin
    this.#dataDir = dataDir
    this.#as = as
  }

  /** Creates the data folder. The password keeps other users of this machine from connecting to the server. */
  async create(password: string, durable: boolean): Promise<void> {
    const passwordFile = path.join(this.#as.cwd, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    const { uid, gid } = this.#as
    if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid)
    // With SCRAM each of the thousands of connections of `npm test` costs both sides 5 ms of processor time, hence MD5 by default.
    const identity = ['--username=postgres', `--pwfile=${passwordFile}`, `--auth=${durable ? 'scram-sha-256' : 'md5'}`]
    const text = ['--encoding=UTF8', '--locale=C.UTF-8']
    await this.#run('initdb', ['-D', this.#dataDir, ...identity, ...text, ...(durable ? [] : ['--no-sync'])])
    await rm(passwordFile)
  }

  async start(): Promise<void> {
    const log = path.join(this.#as.cwd, 'log')
    try {
      await this.#run('pg_ctl', ['start', '-D', this.#dataDir, '-l', log, '-w', '-t', '60'])
    } catch (cause) {
      const lastWords = existsSync(log) ? (await readFile(log, 'utf8')).split('\n').slice(-15).join('\n') : 'no log'
      throw new Error(`The throwaway PostgreSQL did not start. Its log ends:\n${lastWords}`, { cause })
    }
  }

  /** Stops the server; does nothing if the server is not running. */
  async stop(mode: StopMode): Promise<void> {
    if (this.#postmaster() === null) return
    await this.#run('pg_ctl', ['stop', '-D', this.#dataDir, '-m', mode, '-w', '-t', '60'])
  }

  async kill(): Promise<void> {
    const postmaster = this.#postmaster()
    if (postmaster === null) return
    // The postmaster is frozen before it is killed, so that it starts no more children. Without /proc, its children are not known
    // here; they end by themselves a little later.
    process.kill(postmaster, 'SIGSTOP')
    const children = `/proc/${postmaster}/task/${postmaster}/children`
    const pids = existsSync(children)
      ? readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)
      : []
    for (const pid of [postmaster, ...pids]) killNow(pid)
    for (const deadline = performance.now() + 10_000; [postmaster, ...pids].some(isAlive); await wait(5)) {
      if (performance.now() > deadline) throw new Error('The killed PostgreSQL still runs after 10 s.')
    }
    // While no parent reaps the dead postmaster, its process id still exists: PostgreSQL would take the id in these files for a
    // running server and refuse to start.
    const locks = (await readdir(this.#as.cwd)).filter((name) => name.endsWith('.lock'))
    for (const lock of ['data/postmaster.pid', ...locks]) await rm(path.join(this.#as.cwd, lock), { force: true })
  }

  #postmaster(): number | null {
    const file = path.join(this.#dataDir, 'postmaster.pid')
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
    return pid > 0 && isAlive(pid) ? pid : null
  }

  async #run(program: string, args: string[]): Promise<void> {
    await exec(path.join(this.#bin, program), args, this.#as)
  }
}

/** A folder that the server's user can reach: the temporary folder if all users may enter it, else /tmp. */
const openFolder = (): string => ((statSync(tmpdir()).mode & 0o001) === 0 ? '/tmp' : tmpdir())

function configuration(
  folder: string,
  port: number,
  options: { durable?: boolean; settings?: Record<string, string> },
): string {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...options.settings,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
}

/**
 * Starts the process that stops the server and deletes the folder once its standard input closes. The input closes when
 * this process closes it, and also when this process is interrupted, crashes or is killed.
 */
function startCleaner(bin: string, dataDir: string, folder: string, owner: User | undefined): ChildProcess {
  // An interrupted initdb may still write to the folder, so a deletion that fails is repeated after two seconds.
  const script =
    'cat >/dev/null; "$0" stop -D "$1" -m immediate >/dev/null 2>&1; rm -rf "$2" || { sleep 2; rm -rf "$2"; }'
  const cleaner = spawn('sh', ['-c', script, path.join(bin, 'pg_ctl'), dataDir, folder], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  cleaner.unref()
  if (cleaner.stdin instanceof Socket) cleaner.stdin.unref()
  return cleaner
}

async function endCleaner(cleaner: ChildProcess): Promise<void> {
  if (cleaner.exitCode !== null || cleaner.signalCode !== null) return
  cleaner.ref()
  const ended = once(cleaner, 'exit')
  cleaner.stdin?.end()
  await ended
}

interface User {
  uid: number
  gid: number
}

/** The user that runs the server. Undefined: this process's. As root, which PostgreSQL refuses: `postgres`, or else `nobody`. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = ['postgres', 'nobody'].map(passwdLine).find((found) => found !== null)
  if (!line) throw new Error('PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it.')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function passwdLine(user: string): string | null {
  try {
    return execFileSync('getent', ['passwd', user], { encoding: 'utf8' })
  } catch {
    return null // getent failed: there is no such user
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Whether a process is running; a zombie (dead, but not yet reaped by its parent) is not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
