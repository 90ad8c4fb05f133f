// In charge of the checks other than tests: format and lint (Biome), lint (Oxlint), unused exports (Knip) and types (tsc).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

const checks = [
  { name: 'biome', bin: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
  { name: 'oxlint', bin: 'oxlint/bin/oxlint', args: ['--deny-warnings'] },
  { name: 'knip', bin: 'knip/bin/knip.js', args: ['--no-progress'] },
  { name: 'tsc', bin: 'typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'tsc (web)', bin: 'typescript/bin/tsc', args: ['-p', 'web'] },
] as const

/**
 * Runs every check, one after the other. Their output is printed if `output` is `shown`; if it is `kept`, nothing is printed, and
 * `said` in the result contains the output. `failed` contains the names of the checks that failed.
 */
export async function runChecks(output: 'shown' | 'kept'): Promise<{ failed: string[]; said: string }> {
  const failed: string[] = []
  let said = ''
  const tell = (text: string): void => {
    if (output === 'shown') process.stdout.write(text)
    else said += text
  }
  for (const { name, bin, args } of checks) {
    tell(`\n== ${name} ==\n`)
    const started = performance.now()
    const stdio = output === 'shown' ? 'inherit' : 'pipe'
    const command = [path.join(root, 'node_modules', bin), ...args]
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', stdio, stdio] })
    child.stdout?.setEncoding('utf8').on('data', tell)
    child.stderr?.setEncoding('utf8').on('data', tell)
    const [status]: (number | null)[] = await once(child, 'close')
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    tell(`${name} ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`)
    if (status !== 0) failed.push(name)
  }
  return { failed, said }
}

if (import.meta.main) {
  const { failed } = await runChecks('shown')
  if (failed.length > 0) process.exitCode = 1
}
