// In charge of child processes of a test: what they print, how they end, and that none of them outlives the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'

type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Child = {
  pid: number
  /** Everything the process has printed so far. */
  stdout(): string
  stderr(): string
  /** Waits for the first match of a pattern in stdout; if the process ends before a match, throws with what it wrote to stderr. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ending>
}

const root = path.resolve(import.meta.dirname, '../../..')
/** The folder in which Node.js caches compiled code, as in `scripts/run.mjs`. It halves the processor time of a start. */
const compiled = path.join(root, 'node_modules/.cache/node')
const running = new Set<ChildProcess>()

/**
 * The Node.js options of `npm start`. In tests also `--liftoff-only`, which turns off the optimizing compiler for WebAssembly: in the
 * short life of such a process, the compiler takes more processor time than it saves. Without this compiler, a process with an
 * embedded database starts in half the processor time. Measurements run without this option, as the service does for its users.
 */
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const options: string[] = [
  ...String(scripts.start)
    .split(' ')
    .filter((word) => word.startsWith('--') && word !== '--web'),
  ...(process.env.VITEST ? ['--liftoff-only'] : []),
]

/** Runs a file of the repository in a new Node.js process. Of the product's settings, it gets only those in `environment`. */
export function startChild(file: string, args: readonly string[], environment: Record<string, string> = {}): Child {
  const own = /^(?:ATELIER_|DATABASE_URL$|HOST$|PORT$|PUBLIC_URL$|LOG_LEVEL$|NODE_|VITEST)/
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  const child = spawn(process.execPath, [...options, path.join(root, file), ...args], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compiled, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const heard = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    running.delete(child)
    return { code, signal }
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => heard.stdout,
    stderr: () => heard.stderr,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(heard.stdout)
        if (match) return match
        const more = new AbortController()
        const next = await Promise.race([once(child.stdout, 'data', { signal: more.signal }), ended])
        more.abort()
        if (!Array.isArray(next) && !pattern.test(heard.stdout)) {
          throw new Error(`${file} ended (${next.code ?? next.signal}) before it printed ${pattern}:\n${heard.stderr}`)
        }
      }
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

/** For `afterEach`: kills the processes that a failed test left running. */
export async function killChildren(): Promise<void> {
  const left = [...running]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(
    left.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, 'close') : null)),
  )
}
