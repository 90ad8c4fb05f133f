// In charge of running a file of this repository with the pinned Node.js, and of first doing any set-up that is missing:
// `node scripts/run.mjs [--dev] [--web] <arguments of node>`. With --dev, the development tools are installed too; with --web, the
// web app is built too, if the command serves it.
// This file is plain JavaScript, because it has to run on any Node.js that the machine has.
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { ensureInstalled, nodePath, root, SetupError } from './prepare.mjs'
import { ensureWebBuilt, serves } from './web.mjs'

/**
 * With these settings, glibc returns the memory of freed buffers of 128 KB or more to the system. By default it keeps freed
 * buffers of up to 32 MB; a service with an embedded database that has served large runs then uses 80 MB more. The systemd units
 * and the container image have the same settings.
 */
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

const given = process.argv.slice(2)
const ours = given.slice(
  0,
  given.findIndex((arg) => arg !== '--dev' && arg !== '--web'),
)
const args = given.slice(ours.length)

try {
  ensureInstalled({ dev: ours.includes('--dev') })
  const node = nodePath()
  if (ours.includes('--web') && serves(args)) ensureWebBuilt(node)
  runNode(node, args)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

/** Runs Node.js on this process's terminal, passes signals on to it, and then exits with the exit code of Node.js. */
function runNode(node, nodeArgs) {
  const bin = [path.dirname(node), path.join(root, 'node_modules/.bin')].join(path.delimiter)
  const env = {
    // Node.js caches compiled code in this folder, so that later starts take a fifth less processor time.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
    ...mallocSettings,
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  }
  const child = spawn(node, nodeArgs, { stdio: 'inherit', cwd: root, env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn(child, signal))
  child.on('error', (error) => {
    process.stderr.write(`${node} did not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + os.constants.signals[signal])
  })
}

/**
 * The time in ms between a first signal and the forced end of the child; longer than the limit in
 * `server/src/commands/stopping.ts`.
 */
const stopMs = 20_000
/** The time in ms between a second signal and the forced end of the child process. */
const againMs = 2000

/**
 * Returns a handler that passes a signal on to the child process. After a Ctrl-C, the terminal and npm both send the signal, so two
 * signals within a second count as one. After any signal but SIGHUP, a child process that does not end in time is killed.
 */
function passOn(child, signal) {
  let last = Number.NEGATIVE_INFINITY
  let times = 0
  return () => {
    const again = performance.now() - last < 1000
    last = performance.now()
    if (again) return
    child.kill(signal)
    if (signal !== 'SIGHUP') setTimeout(() => child.kill('SIGKILL'), ++times === 1 ? stopMs : againMs).unref()
  }
}
