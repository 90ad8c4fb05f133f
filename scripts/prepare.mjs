// In charge of setting up a new machine: installing the locked packages, and finding the Node.js version that runs everything else.
// This file is plain JavaScript without dependencies, because it has to run on any Node.js from version 18.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** An error with instructions for the user in its message; `run.mjs` prints the message without a stack. */
export class SetupError extends Error {}

/**
 * Installs the packages of package-lock.json unless they are all there. Missing development tools are ignored unless `dev` is true.
 * `npm ci` is not used, because some of its versions refuse a lock file that was written while a registry lacked an optional
 * package for another platform. `npm install` with these options follows the lock file too; this function checks that it did.
 */
export function ensureInstalled({ dev = false } = {}) {
  const reason = whyNotInstalled(dev)
  if (reason === null) return
  process.stderr.write(`Installing packages (${reason}); a first time takes about a minute …\n`)
  const started = Date.now()
  // A server is installed without development tools, which are a third of all packages. If they are present, they are kept.
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
  // If npm has skipped optional packages, it runs again on the installed Node.js. The result of that is not checked, because
  // optional packages may be missing.
  if (leftOut().length > 0 && nodePath())
    npm(['install', '--no-save', '--no-audit', '--no-fund', ...include], { pinned: true })
  process.stderr.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.\n`)
}

/** Returns the path of the Node.js in the npm package `node`, and fetches that Node.js if it is missing; throws if this fails. */
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
 * Returns the reason why packages have to be installed; null if nothing is missing. Compares package-lock.json with the versions in
 * node_modules, so that packages which were installed in another way are not installed again. npm writes `.package-lock.json` last;
 * if that file is missing, an installation was interrupted. Optional packages are skipped: many of them are for other platforms.
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

/** Finds missing optional packages that fit any platform; npm skips them if it runs on a Node.js too old for them. */
function leftOut() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([, { optional, os, cpu, libc }]) => optional && !os && !cpu && !libc)
    .filter(([place]) => readJson(path.join(place, 'package.json')) === null)
}

/** Runs npm and returns its output for error messages. `pinned`: npm runs on the Node.js that is installed in node_modules. */
function npm(args, { pinned = false } = {}) {
  // By default, npm runs on a Node.js outside node_modules, because npm may replace the one inside while it runs.
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const own = path.join(root, 'node_modules')
  const outside = (process.env[key] ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(own))
  const run = spawnSync('npm', args, {
    cwd: root,
    // SKIP_RUST_BUILD keeps the content credentials library from downloading a program that its package already contains.
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
