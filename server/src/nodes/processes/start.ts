// In charge of starting child processes that can be ended at any moment, and of leaving none of them behind.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `megabytes` of heap; `data`: of all memory that the process may write to, where the system bounds that. */
type ChildLimits = { megabytes: number; data?: number; cpuSeconds: number }

type Options = {
  file: URL
  args?: readonly string[]
  limits: ChildLimits
  /** Libraries that are not JavaScript are loaded in it. */
  native: boolean
  /** What it is given of this process's environment. */
  environment?: readonly string[]
}

/** What a child says first: that it is there, or why it cannot work here. */
export type Greeting = { ready: true } | { broken: string }

/** Thrown where a child ended, or said that it is broken, before it was ready. */
export class ChildBroken extends Error {}

const alive = new Set<ChildProcess>()

/** Ends every child at once. The system's own: nothing in a child can put it off. */
export function endChildren(): void {
  for (const child of alive) child.kill('SIGKILL')
}
process.on('exit', endChildren)

/**
 * A child that is ready. It may write no files and start nothing. Its heap is bounded, and so is its processor time, in
 * case this process dies before ending it.
 */
export async function startChild({
  file,
  args = [],
  limits,
  native,
  environment = [],
}: Options): Promise<ChildProcess> {
  const child = fork(fileURLToPath(file), args, {
    ...bounded(limits, native),
    env: Object.fromEntries(environment.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Bytes cross as bytes.
    serialization: 'advanced',
  })
  alive.add(child)
  await new Promise<void>((resolve, reject) => {
    child.once('message', (greeting: Greeting) => {
      if ('ready' in greeting) return resolve()
      reject(new ChildBroken(greeting.broken))
      child.kill('SIGKILL')
    })
    // For as long as it lives: an error that nobody listens for would end this process.
    child.on('error', reject)
    child.once('exit', (code, signal) => {
      alive.delete(child)
      reject(new ChildBroken(`A process for it did not start (${code ?? signal}).`))
    })
  })
  return child
}

/** Bounds that the shell sets, where there is one, before it turns into the child. */
function bounded({ megabytes, data, cpuSeconds }: ChildLimits, native: boolean) {
  const flags = [`--max-old-space-size=${megabytes}`, '--permission', '--allow-fs-read=*', '--no-warnings']
  if (native) flags.push('--allow-addons')
  const shell = '/bin/sh'
  if (!existsSync(shell)) return { execArgv: flags }
  const bounds = [
    `ulimit -t ${cpuSeconds}`,
    // Not every system has it, and not every one lets it be set.
    ...(data === undefined ? [] : [`ulimit -d ${data * 1024} 2>/dev/null`]),
    // Linux then ends the child, and not the service, where the machine has no memory left.
    '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null',
  ]
  return { execPath: shell, execArgv: ['-c', `${bounds.join('; ')}; exec "$0" "$@"`, process.execPath, ...flags] }
}
