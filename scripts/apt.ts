// In charge of installing the Debian packages that tests need, if the system has apt and the user may install packages.
import { spawnSync } from 'node:child_process'

/** Installs the packages one by one until `isThere` returns true. Returns null, or the reason why the installation failed. */
export function installByApt(packages: readonly string[], isThere: () => boolean): string | null {
  if (process.getuid?.() !== 0) return 'this user may not install packages'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): string | null => {
    const run = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    if (run.error) return 'this machine has no apt-get'
    return run.status === 0 ? null : `apt-get ${args.join(' ')} failed: ${run.stderr.trim().split('\n').at(-1) ?? ''}`
  }
  const outdated = apt('update')
  if (outdated) return outdated
  let reason: string | null = null
  for (const name of packages) {
    reason = apt('install', '-y', '--no-install-recommends', name)
    if (reason === null && isThere()) return null
  }
  return reason ?? `apt has no ${packages.join(' or ')} that will do`
}
