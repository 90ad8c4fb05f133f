// In charge of waiting for something that another part of the product does asynchronously.
import { vi } from 'vitest'

/**
 * Calls `check` until it no longer throws, and returns its value. The timeout ends a test that would wait forever, and is far
 * above what a busy machine needs.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000, interval: 20 })
