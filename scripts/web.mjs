// In charge of building the web app if the build is missing or older than its sources; building takes a few seconds.
// This file is plain JavaScript without dependencies, because run.mjs loads it before any package is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './prepare.mjs'

/** The files and folders whose content determines the built app. */
const sources = ['web', 'contract/src', 'package-lock.json']
const stamp = path.join(root, 'web/dist/built-from')

/**
 * Builds the app unless it is up to date, and returns whether it now is. A failure is only reported, because the service can also
 * run without the app.
 */
export function ensureWebBuilt(node = process.execPath) {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  process.stderr.write('Building the web app …\n')
  const started = Date.now()
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  // NODE_ENV is set here, because with another value from a test or a shell, Vite would bundle React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const run = spawnSync(node, [vite, 'build', 'web', '--logLevel', 'warn'], { cwd: root, env, encoding: 'utf8' })
  if (run.status !== 0) {
    const served = existsSync(path.join(root, 'web/dist/index.html')) ? 'with the one built before' : 'without it'
    process.stderr.write(`${run.stdout}${run.stderr}\nThe web app was not built (see above); the API runs ${served}.\n`)
    return false
  }
  writeFileSync(stamp, wanted)
  process.stderr.write(`Web app built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`)
  return true
}

/**
 * Whether a command line of Node.js starts a service that will serve the app. A start takes no arguments: with any, such as --help or a
 * word that is mistaken, it only prints something, for which nobody should wait.
 */
export const serves = (args) => args.at(-1) === 'serve'

/** Returns a hash of the names and contents of all source files. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesUnder)) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

function filesUnder(place) {
  if (statSync(path.join(root, place)).isFile()) return [place]
  const entries = readdirSync(path.join(root, place)).filter((name) => name !== 'dist' && name !== 'node_modules')
  return entries.toSorted().flatMap((name) => filesUnder(`${place}/${name}`))
}

if (import.meta.main && !ensureWebBuilt()) process.exitCode = 1
