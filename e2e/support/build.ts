// In charge of building the web app from its current sources before any browser opens it.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** Vitest's global setup. */
export function setup(): void {
  const script = path.resolve(import.meta.dirname, '../../scripts/web.mjs')
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (run.status !== 0 || run.stderr.includes('was not built')) throw new Error(run.stderr)
}
