// In charge of running a file of this repository with the pinned Node.js, after doing any missing set-up:
// `node scripts/run.mjs [--dev] [--web] <arguments of node>`; --dev also installs the development tools, --web also builds
// the web app.
// This is plain JavaScript, because it runs on any Node.js that the machine has.
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { ensureInstalled, nodePath, root, SetupError } from './prepare.mjs'
import { ensureWebBuilt } from './web.mjs'

const given = process.argv.slice(2)
const ours = given.slice(
  0,
  given.findIndex((arg) => arg !== '--dev' && arg !== '--web'),
)
const args = given.slice(ours.length)

try {
  ensureInstalled({ dev: ours.includes('--dev') })
  const node = nodePath()
  if (ours.includes('--web')) ensureWebBuilt(node)
  runNode(node, args)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

/** Runs Node.js in place of this process: with the same terminal, passing on signals, and exiting with its exit code. */
function runNode(node, nodeArgs) {
  const bin = [path.dirname(node), path.join(root, 'node_modules/.bin')].join(path.delimiter)
  const env = {
    // Compiled code is cached for the next start, which then takes a fifth less processor time.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
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

/** A little longer than the time the process has for a graceful stop (`server/src/commands/stopping.ts`). */
const stopMs = 20_000
/** The time until a process is killed that was signalled a second time. */
const againMs = 2000

/**
 * npm passes on a Ctrl-C that the terminal has already sent to every process; two signals within a second count as one. A process
 * that is too busy to handle signals is killed when its time is over.
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
