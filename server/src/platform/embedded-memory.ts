// In charge of how much memory the embedded database takes.
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * PostgreSQL's own cache of pages, all of which it touches at its start; 128 MB by default. Pages that are not in it come from the
 * cache of the system.
 */
export const cacheParams: string[] = ['-c', 'shared_buffers=32MB']

/** What this process may take: the machine's memory, or what its container is bound to. */
export const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * To optimize one large function of PostgreSQL (the one that evaluates expressions), V8 takes 600 MB for half a second. With less
 * than this the code is left as it was compiled first: large statements then take twice as long.
 */
export const leastToOptimize = 2_000_000_000

/** Counts for WebAssembly that is compiled from then on. */
export function compileWithin(bytes: number): void {
  if (bytes >= leastToOptimize) return
  for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/** Making a new database leaves a second PostgreSQL and its files behind in memory, which V8 keeps until it needs room. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
