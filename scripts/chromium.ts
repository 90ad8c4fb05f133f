// In charge of finding Chromium on this machine for the tests in a browser, and of installing it where that is possible.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Without its window, Chromium takes a fifth less processor time for the same pages; so its shell comes first. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** Debian's packages, of which the first that can be installed will do. */
const packages = ['chromium-headless-shell', 'chromium']

/** The browser to test with: what `CHROMIUM` says, else the first on the PATH. */
export function findChromium(): string | null {
  const said = process.env.CHROMIUM
  if (said) return said
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}

/** Installs Chromium with apt. Returns null, or the reason why that failed. */
export function installChromium(): string | null {
  if (process.getuid?.() !== 0) return 'this user may not install packages'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): string | null => {
    const run = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    if (run.error) return 'this machine has no apt-get'
    return run.status === 0 ? null : `apt-get ${args.join(' ')} failed: ${run.stderr.trim().split('\n').at(-1) ?? ''}`
  }
  const outdated = apt('update')
  if (outdated) return outdated
  for (const name of packages) {
    const reason = apt('install', '-y', '--no-install-recommends', name)
    if (reason === null && findChromium()) return null
  }
  return `apt has none of ${packages.join(', ')}`
}
