// In charge of set-up on a fresh machine: the locked packages, and the Node.js that runs everything else.
// Plain JavaScript without dependencies, because whatever Node.js the machine has (18 or later) runs it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** A problem whose message tells the reader what to do; `run.mjs` prints it without a stack. */
export class SetupError extends Error {}

/**
 * Installs the locked packages unless they are there already. Development tools only count as missing if `dev`.
 * Not with `npm ci`: some versions of it refuse a lock file written where a registry lacked an optional package for
 * another platform. This way keeps to the lock file too, never rewrites it, and what came of it is compared below.
 */
export function ensureInstalled({ dev = false } = {}) {
  const reason = whyNotInstalled(dev)
  if (reason === null) return
  process.stderr.write(`Installing packages (${reason}); a first time takes about a minute …\n`)
  const started = Date.now()
  // A server gets none, which is a third of all; a checkout that has them keeps them.
  const keepsDev = dev || existsSync(path.join(root, 'node_modules/typescript'))
  const include = [keepsDev ? '--include=dev' : '--omit=dev']
  const outcome = npm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...include])
  if (!outcome.ok) {
    throw new SetupError(
      `${outcome.output}\n\nThe packages could not be installed (npm's own words are above).\n${adviceOn(outcome.output)}`,
    )
  }
  const still = whyNotInstalled(dev)
  if (still !== null) {
    throw new SetupError(
      `npm installed packages, but not those of package-lock.json: ${still}.\n` +
        'Delete the folder node_modules, then repeat your command. If that ends here again, package.json and\n' +
        'package-lock.json disagree: run `npm install` once.',
    )
  }
  // Not asked for its outcome: what is optional may be missing.
  if (leftOut().length > 0 && nodePath())
    npm(['install', '--no-save', '--no-audit', '--no-fund', ...include], { pinned: true })
  process.stderr.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.\n`)
}

/** The Node.js of the `node` package, fetched if its install script did not run. Throws what to do when there is none. */
export function nodePath() {
  const pinned = readJson('node_modules/node/package.json')?.version
  const binary = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(binary)) {
    process.stderr.write(`Fetching Node.js ${pinned} (its install script has not run yet) …\n`)
    npm(['rebuild', 'node', '--loglevel=error'])
  }
  if (!existsSync(binary)) {
    throw new SetupError(
      `Node.js ${pinned} is missing: the install script of the npm package \`node\`, which fetches it, did not run.\n` +
        'npm was probably told not to run install scripts (ignore-scripts). Allow this one, then repeat your command:\n' +
        '  npm rebuild node --ignore-scripts=false',
    )
  }
  const answer = spawnSync(binary, ['-v'], { encoding: 'utf8' })
  if (answer.stdout?.trim() === `v${pinned}`) return binary
  throw new SetupError(
    `${binary} should be Node.js ${pinned}, but answers "${(answer.stdout || answer.stderr || String(answer.error)).trim()}".\n` +
      'Fetch it again, then repeat your command:\n  npm rebuild node --ignore-scripts=false',
  )
}

/**
 * Compares package-lock.json with the versions that are in node_modules, so that an install by hand, or one without
 * development tools in an image, is not done over. npm writes its own record of what it installed last, so a
 * broken-off install has none. Optional packages are left out: they are for other platforms.
 */
function whyNotInstalled(dev) {
  if (!existsSync(path.join(root, 'node_modules/.package-lock.json'))) return 'none are there yet'
  for (const [place, wanted] of Object.entries(readJson('package-lock.json').packages)) {
    if (place === '' || wanted.optional || wanted.devOptional || (wanted.dev && !dev)) continue
    const found = readJson(path.join(place, 'package.json'))
    if (!found) return `${place} is missing`
    if (wanted.version && found.version !== wanted.version) return `${place} is ${found.version}, not ${wanted.version}`
  }
  return null
}

/** Optional packages for any platform that npm has left out: it does where the Node.js it runs on is too old for them. */
function leftOut() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([, { optional, os, cpu, libc }]) => optional && !os && !cpu && !libc)
    .filter(([place]) => readJson(path.join(place, 'package.json')) === null)
}

/** Runs npm, and keeps what it says for the error message. `pinned`: on the Node.js in node_modules, which is there by then. */
function npm(args, { pinned = false } = {}) {
  // Otherwise not that one: npm may replace it while it runs.
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const own = path.join(root, 'node_modules')
  const outside = (process.env[key] ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(own))
  const run = spawnSync('npm', args, {
    cwd: root,
    // The library for content credentials would download a program that its package has already.
    env: {
      ...process.env,
      [key]: (pinned ? [path.join(own, 'node/bin'), ...outside] : outside).join(path.delimiter),
      SKIP_RUST_BUILD: '1',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  if (run.error) return { ok: false, output: `npm did not start: ${run.error.message}` }
  return { ok: run.status === 0, output: `${run.stdout}${run.stderr}`.trim() }
}

function adviceOn(output) {
  const causes = [
    [/EACCES|EPERM/, `Something in ${root} or in npm's cache is not yours to write: check who owns it (\`ls -ld\`).`],
    [/ENOSPC/, 'The disk is full: about 1 GB is needed.'],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|network/i,
      'npm could not reach its registry: check the network, and `npm config get registry` and `npm config get proxy`.',
    ],
    [/did not start/, 'npm has to be on the PATH; Debian has it in the package `npm`.'],
  ]
  const advice = causes.find(([pattern]) => pattern.test(output))?.[1]
  return advice ?? 'Once that is put right, repeat your command: it goes on from here.'
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw new SetupError(`${file} cannot be read: ${error.message}`)
  }
}
