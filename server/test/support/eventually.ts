// In charge of waiting for what another part of the product does in its own time.
import { vi } from 'vitest'

/**
 * What `check` returns once it no longer throws. It is asked again until then: the bound ends a test that waits for what never
 * comes, and is far above what a busy machine takes.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000, interval: 20 })
