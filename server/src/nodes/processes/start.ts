// In charge of starting child processes with few rights and limited resources, and of killing all of them when this process ends.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `megabytes` limits the JavaScript heap. `data`, also in megabytes, limits all writable memory, if the operating system supports
 * such a limit; absent: no such limit.
 */
type ChildLimits = { megabytes: number; data?: number; cpuSeconds: number }

type Options = {
  file: URL
  args?: readonly string[]
  limits: ChildLimits
  /** Whether the child may load libraries with native code. */
  native: boolean
  /** The names of the environment variables that the child receives; it receives no others. */
  environment?: readonly string[]
}

/** The first message of a child: `ready`, or in `broken` the reason why it cannot work. */
export type Greeting = { ready: true } | { broken: string }

/** Thrown if a child ended before it was ready, or reported that it cannot work. */
export class ChildBroken extends Error {}

const alive = new Set<ChildProcess>()

/** Kills every child with SIGKILL, which a child can neither delay nor ignore. */
export function endChildren(): void {
  for (const child of alive) child.kill('SIGKILL')
}
process.on('exit', endChildren)

/**
 * Starts a child and waits until it is ready. The child may not write files or start processes. The limit on its processor time
 * ends a child that still works after this process has died and can no longer kill it.
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
    const failed = (why: unknown): void => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) alive.delete(child)
      reject(new ChildBroken(`A process for it did not start (${why}).`))
    }
    // This listener stays for the child's whole life, because an `error` event without a listener would end this process.
    child.on('error', ({ message }) => failed(message))
    child.once('exit', (code, signal) => failed(code ?? signal))
  })
  return child
}

/**
 * Options for `fork` that set the limits. Node.js itself only limits the heap. If the system has a shell, the child starts as that
 * shell, which sets the other limits and then replaces itself with Node.js.
 */
function bounded({ megabytes, data, cpuSeconds }: ChildLimits, native: boolean) {
  const flags = [`--max-old-space-size=${megabytes}`, '--permission', '--allow-fs-read=*', '--no-warnings']
  if (native) flags.push('--allow-addons')
  const shell = '/bin/sh'
  if (!existsSync(shell)) return { execArgv: flags }
  const bounds = [
    `ulimit -t ${cpuSeconds}`,
    // The error is ignored, because not every system has this limit or lets a process set it.
    ...(data === undefined ? [] : [`ulimit -d ${data * 1024} 2>/dev/null`]),
    // With this score, Linux kills the child rather than the service if the machine runs out of memory.
    '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null',
  ]
  return { execPath: shell, execArgv: ['-c', `${bounds.join('; ')}; exec "$0" "$@"`, process.execPath, ...flags] }
}
