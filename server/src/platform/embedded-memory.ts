// In charge of limiting the memory that the embedded database uses.
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The size of PostgreSQL's own page cache. All of this memory is used from the start, and the default would be 128 MB. Pages that
 * do not fit into this cache are in the operating system's cache.
 */
export const cacheParams: string[] = ['-c', 'shared_buffers=32MB']

/** Returns how many bytes of memory this process may use: those of the machine, or the limit of its container if that is lower. */
export const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * V8 needs 600 MB for half a second to optimize one large function of PostgreSQL (the one that evaluates expressions). If fewer
 * bytes of memory than this are available, V8's optimization is turned off; then large SQL statements take twice as long.
 */
export const leastToOptimize = 2_000_000_000

/** Turns V8's optimization off if `bytes`, the available memory, is too small. Call this before the WebAssembly is compiled. */
export function compileWithin(bytes: number): void {
  if (bytes >= leastToOptimize) return
  for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/**
 * Forces V8 to collect garbage. Creating a database starts a second PostgreSQL, whose memory and files V8 would otherwise keep long
 * after it has ended.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
