// In charge of how much memory the embedded database uses.
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * PostgreSQL's own page cache: its whole memory is used from the start, and would be 128 MB by default. Other pages come from
 * the operating system's cache.
 */
export const cacheParams: string[] = ['-c', 'shared_buffers=32MB']

/** The memory available to this process: the machine's, or its container's limit. */
export const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * When V8 optimizes one large function of PostgreSQL (which evaluates expressions), it needs 600 MB for half a second. With less
 * memory than this, that optimization is turned off, and large statements take twice as long.
 */
export const leastToOptimize = 2_000_000_000

/** Must be called before the WebAssembly is compiled; `bytes`: the available memory. */
export function compileWithin(bytes: number): void {
  if (bytes >= leastToOptimize) return
  for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/** After a database was created, a second PostgreSQL and its files stay in memory until V8 collects garbage; this forces it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
