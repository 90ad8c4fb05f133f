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
 * To optimize one large function of PostgreSQL (which evaluates expressions), V8 takes 600 MB for half a second. Below this
 * limit that code stays as it was first compiled, and large statements take twice as long.
 */
export const leastToOptimize = 2_000_000_000

/** Must be called before the WebAssembly is compiled; `bytes`: the available memory. */
export function compileWithin(bytes: number): void {
  if (bytes >= leastToOptimize) return
  for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/** Creating a database leaves a second PostgreSQL and its files in memory, which V8 frees only under memory pressure. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
