// In charge of starting child processes that can be killed at any moment, and of killing all of them when this process ends.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `megabytes` limits the heap; `data` limits all writable memory, also in megabytes, where the operating system supports this
 * limit.
 */
type ChildLimits = { megabytes: number; data?: number; cpuSeconds: number }

type Options = {
  file: URL
  args?: readonly string[]
  limits: ChildLimits
  /** Whether the child may load libraries with native code. */
  native: boolean
  /** The environment variables of this process that the child receives. */
  environment?: readonly string[]
}

/** The first message of a child: it is ready, or the reason why it cannot work. */
export type Greeting = { ready: true } | { broken: string }

/** Thrown where a child ended before it was ready, or reported that it cannot work. */
export class ChildBroken extends Error {}

const alive = new Set<ChildProcess>()

/** Kills every child at once with SIGKILL, which a child cannot delay. */
export function endChildren(): void {
  for (const child of alive) child.kill('SIGKILL')
}
process.on('exit', endChildren)

/**
 * Starts a child and waits until it is ready. The child may not write files or start processes. Its heap is limited. Its processor
 * time is limited too, for the case that this process dies before it can kill the child.
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
    // With this setting, byte arrays are sent as bytes and not as JSON.
    serialization: 'advanced',
  })
  alive.add(child)
  await new Promise<void>((resolve, reject) => {
    child.once('message', (greeting: Greeting) => {
      if ('ready' in greeting) return resolve()
      reject(new ChildBroken(greeting.broken))
      child.kill('SIGKILL')
    })
    // This listener stays for the child's whole life, because an `error` event without a listener would end this process.
    child.on('error', reject)
    child.once('exit', (code, signal) => {
      alive.delete(child)
      reject(new ChildBroken(`A process for it did not start (${code ?? signal}).`))
    })
  })
  return child
}

/**
 * Options for `fork` that set the limits. Where the system has a shell, the shell sets most of them and then replaces itself with
 * the child.
 */
function bounded({ megabytes, data, cpuSeconds }: ChildLimits, native: boolean) {
  const flags = [`--max-old-space-size=${megabytes}`, '--permission', '--allow-fs-read=*', '--no-warnings']
  if (native) flags.push('--allow-addons')
  const shell = '/bin/sh'
  if (!existsSync(shell)) return { execArgv: flags }
  const bounds = [
    `ulimit -t ${cpuSeconds}`,
    // Not every system has this limit, and some systems do not allow processes to set it, so an error is ignored.
    ...(data === undefined ? [] : [`ulimit -d ${data * 1024} 2>/dev/null`]),
    // If the machine runs out of memory, Linux then kills the child and not the service.
    '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null',
  ]
  return { execPath: shell, execArgv: ['-c', `${bounds.join('; ')}; exec "$0" "$@"`, process.execPath, ...flags] }
}
