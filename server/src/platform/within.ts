// In charge of a time limit on waiting for the database, for those who check from outside whether it answers.

/**
 * How long a check waits for an answer of the database. It is as long as a new connection may take, and shorter than Prometheus waits
 * for metrics. The time limit for SQL is far longer.
 */
export const checkedWithinMs = 5_000

/** Returns what a promise resolves to; throws if that takes too long. The work behind the promise is not ended by that. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`There was no answer within ${ms} ms.`)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
