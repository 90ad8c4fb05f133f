// In charge of the set-up on a new machine: the locked packages, and the Node.js that runs everything else.
// This is plain JavaScript without dependencies, because it runs on any Node.js that the machine has (18 or later).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** An error whose message tells the user what to do; `run.mjs` prints it without a stack. */
export class SetupError extends Error {}

/**
 * Installs the locked packages unless they are installed already. Development tools count as missing only if `dev` is true.
 * `npm ci` is not used: some versions of it refuse a lock file that was written while a registry lacked an optional package for
 * another platform. `npm install` with these options follows the lock file too, never rewrites it, and is checked below.
 */
export function ensureInstalled({ dev = false } = {}) {
  const reason = whyNotInstalled(dev)
  if (reason === null) return
  process.stderr.write(`Installing packages (${reason}); a first time takes about a minute …\n`)
  const started = Date.now()
  // A server gets no development tools, which are a third of all packages; a checkout that has them keeps them.
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
  // The result is not checked, because optional packages may be missing.
  if (leftOut().length > 0 && nodePath())
    npm(['install', '--no-save', '--no-audit', '--no-fund', ...include], { pinned: true })
  process.stderr.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.\n`)
}

/** The path of the Node.js in the package `node`; fetches it if its install script did not run. Throws advice if that fails. */
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
 * Compares package-lock.json with the versions in node_modules, so that packages that were installed manually, or without
 * development tools in an image, are not installed again. npm writes `.package-lock.json` last, so it is missing after an
 * interrupted install. Optional packages are skipped, since they are for other platforms.
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

/** Optional packages for any platform that npm did not install; npm skips them if it runs on a Node.js too old for them. */
function leftOut() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([, { optional, os, cpu, libc }]) => optional && !os && !cpu && !libc)
    .filter(([place]) => readJson(path.join(place, 'package.json')) === null)
}

/** Runs npm and returns its output for error messages. `pinned`: runs npm on the Node.js in node_modules, which exists by then. */
function npm(args, { pinned = false } = {}) {
  // By default npm runs on another Node.js, since it may replace the one in node_modules while it runs.
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const own = path.join(root, 'node_modules')
  const outside = (process.env[key] ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(own))
  const run = spawnSync('npm', args, {
    cwd: root,
    // This variable keeps the library for content credentials from downloading a program that its package already contains.
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
