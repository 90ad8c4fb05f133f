// In charge of the built web app being that of the sources: built where it is missing or stale, which takes seconds.
// Plain JavaScript without dependencies, like prepare.mjs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './prepare.mjs'

/** What the app is made from. */
const sources = ['web', 'contract/src', 'package-lock.json']
const stamp = path.join(root, 'web/dist/built-from')

/** Builds the app unless it is there as the sources are. The service runs without it too, so a failure is only told. */
export function ensureWebBuilt(node = process.execPath) {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write('Building the web app …\n')
  const started = Date.now()
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  // Said aloud: where tests or a shell say otherwise, Vite would bundle the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const run = spawnSync(node, [vite, 'build', 'web', '--logLevel', 'warn'], { cwd: root, env, encoding: 'utf8' })
  if (run.status !== 0) {
    process.stderr.write(
      `${run.stdout}${run.stderr}\nThe web app was not built (see above); the API runs without it.\n`,
    )
    return
  }
  writeFileSync(stamp, wanted)
  process.stderr.write(`Web app built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`)
}

/** A hash over the names and contents of all sources. */
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

if (import.meta.main) ensureWebBuilt()
