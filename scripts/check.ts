// In charge of the checks that need no test run: format and lint (Biome), lint (Oxlint), types (tsc).
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

const checks = [
  { name: 'biome', bin: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
  { name: 'oxlint', bin: 'oxlint/bin/oxlint', args: ['--deny-warnings'] },
  { name: 'tsc', bin: 'typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'tsc (web)', bin: 'typescript/bin/tsc', args: ['-p', 'web'] },
] as const

/** Runs every check, each under a heading, and answers with the names of those that failed. */
export function runChecks(): string[] {
  const failed: string[] = []
  for (const { name, bin, args } of checks) {
    console.log(`\n== ${name} ==`)
    const started = performance.now()
    const command = [path.join(root, 'node_modules', bin), ...args]
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${name} ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
    if (status !== 0) failed.push(name)
  }
  return failed
}

if (import.meta.main) {
  if (runChecks().length > 0) process.exitCode = 1
}
