// In charge of the processes that a benchmark starts: their cores, the communication with them, and ending them with the benchmark.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '..')

/** If `canPin`, servers run on one core and the load generator on another; PostgreSQL is not pinned to a core. */
const cores = { server: 0, load: 1 } as const
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

type Place = keyof typeof cores
type Start = { place: Place; args: string[]; env?: Record<string, string>; silent?: boolean; cwd?: string }

function start({ place, args, env = {}, silent = false, cwd = root }: Start): ChildProcess {
  const command = canPin ? ['taskset', '-c', String(cores[place]), process.execPath] : [process.execPath]
  const child = spawn(command[0] ?? '', [...command.slice(1), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: silent ? ['ignore', 'ignore', 'inherit'] : ['pipe', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a process with SIGTERM, and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** A process that answers each line of JSON with a line of JSON. */
export type Talker = { ask<T>(message: unknown): Promise<T>; cpu: Cpu; close(): Promise<void> }

/** Processor time that a process has used so far, in ms; null if the system does not report it. */
export type Cpu = () => number | null

export function startTalker(file: string, place: Place): Talker {
  const child = start({ place, args: [path.join('bench', file)] })
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error(`${file} was started without pipes.`)
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    async ask(message) {
      stdin.write(`${JSON.stringify(message)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`${file} ended without an answer.`)
      const answer = JSON.parse(value)
      if (answer.error !== undefined) throw new Error(`${file}: ${answer.error}`)
      return answer
    },
    cpu: () => cpuOf(child),
    async close() {
      const ended = once(child, 'exit')
      stdin.end()
      await ended
    },
  }
}

export type Server = {
  port: number
  token: string
  startedInMs: number
  /** Resident memory in MB; null if the system does not report it. */
  memory(): number | null
  cpu: Cpu
  end(): Promise<void>
}

export const benchToken = 'atl_bench_0123456789abcdef0123456789abcdef'

/** `checkout`: the folder of another version, with its packages installed. */
type Serve = { databaseUrl?: string; dataDir: string; profile?: string | undefined; checkout?: string }

/** Starts the real service and waits until it is ready. `profile`: the folder for a CPU profile; undefined for none. */
export async function startServer({ databaseUrl = '', dataDir, profile, checkout = root }: Serve): Promise<Server> {
  const port = await freePort()
  const started = performance.now()
  const child = start({
    place: 'server',
    cwd: checkout,
    args: [...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []), 'server/src/main.ts', 'serve'],
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'info',
      ATELIER_DATA_DIR: dataDir,
      ATELIER_OWNER_TOKEN: benchToken,
      ATELIER_RATE_LIMIT: '0',
      ATELIER_DEMO: 'false',
    },
    silent: true,
  })
  await untilReady(`http://127.0.0.1:${port}/readyz`, child)
  return {
    port,
    token: benchToken,
    startedInMs: performance.now() - started,
    memory: () => memoryOf(child),
    cpu: () => cpuOf(child),
    end: () => end(child),
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await wait(10)) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode} before it was ready.`)
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
  }
  throw new Error('The server was not ready after two minutes.')
}

/** Migrates a database to the schema of another checkout. */
export async function migrateBy(checkout: string, databaseUrl: string, dataDir: string): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, ATELIER_DATA_DIR: dataDir, ATELIER_OWNER_TOKEN: benchToken }
  const child = start({ place: 'server', cwd: checkout, args: ['server/src/main.ts', 'migrate'], env, silent: true })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`“migrate” of ${checkout} ended with ${code}.`)
}

/** Executes a program of this folder until it prints its first line; returns that line and how many ms it took to come. */
export async function firstLineOf(file: string, args: string[]): Promise<{ line: string; ms: number }> {
  const started = performance.now()
  const child = start({ place: 'server', args: [path.join('bench', file), ...args] })
  if (!child.stdout) throw new Error(`${file} was started without pipes.`)
  for await (const line of createInterface({ input: child.stdout })) {
    const ms = performance.now() - started
    child.stdin?.end()
    await once(child, 'exit')
    return { line, ms }
  }
  throw new Error(`${file} ended without a word.`)
}

function memoryOf(child: ChildProcess): number | null {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(told(child, 'status')) ?? []
  return kilobytes === undefined ? null : Number(kilobytes) / 1024
}

/**
 * Returns the processor time of a process in ms: the user and system times in fields 14 and 15 of `/proc/PID/stat`, in ticks of
 * 10 ms. The text is split after the bracket that ends field 2, because the name in field 2 may contain spaces. Counted from there,
 * the two fields have the indexes 11 and 12.
 */
function cpuOf(child: ChildProcess): number | null {
  const fields = told(child, 'stat').split(') ')[1]?.split(' ')
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * 10
}

function told({ pid }: ChildProcess, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // the system is not Linux, or the process has ended
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return address.port
}
