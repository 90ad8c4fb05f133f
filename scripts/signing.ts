// In charge of the optional programs that tests of content credentials need: finding them, and installing the library that
// signs where npm has left it out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const library = '@contentauth/c2pa-node'

/** The program of the library; its package has one for 64-bit Linux. */
export const findSigning = (): boolean =>
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(path.join(root, 'node_modules', library, 'dist/index.node'))

/** Installs it with npm. Returns null, or the reason why that failed. */
export function installSigning(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `${library} has no program for ${process.platform}-${process.arch}`
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--include=optional', '--include=dev']
  // Its install script would download a program that the package has already.
  const env = { ...process.env, SKIP_RUST_BUILD: '1' }
  const run = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (run.error) return `npm did not start: ${run.error.message}`
  if (findSigning()) return null
  return `npm left out ${library}; “SKIP_RUST_BUILD=1 npm ${args.join(' ')}” says why, on the Node.js of this repository`
}

/** Reads the marks of files as others do. */
export const findExiftool = (): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, 'exiftool')))
