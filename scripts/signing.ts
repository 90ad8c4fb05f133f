// In charge of finding the optional programs for tests of content credentials, and of installing the library that signs files if
// npm has skipped that library.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const library = '@contentauth/c2pa-node'

/** Whether the native program of the signing library is installed; the package contains it only for Linux on x64. */
export const findSigning = (): boolean =>
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(path.join(root, 'node_modules', library, 'dist/index.node'))

/** Installs the signing library with npm. Returns null, or the reason why the installation failed. */
export function installSigning(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `${library} has no program for ${process.platform}-${process.arch}`
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--include=optional', '--include=dev']
  // SKIP_RUST_BUILD keeps the library's install script from downloading a program that the package already contains.
  const env = { ...process.env, SKIP_RUST_BUILD: '1' }
  const run = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (run.error) return `npm did not start: ${run.error.message}`
  if (findSigning()) return null
  return `npm left out ${library}; “SKIP_RUST_BUILD=1 npm ${args.join(' ')}” says why, on the Node.js of this repository`
}

/** Whether exiftool is installed; tests use it to read the metadata of files without the product's own code. */
export const findExiftool = (): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, 'exiftool')))
