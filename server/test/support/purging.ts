// In charge of purging in tests: deleted records are purged at once, as if their retention window were over.
import { purge } from '../../src/features/tasks/purge.ts'
import { setRetention } from '../../src/platform/db.ts'
import type { Service } from './harness.ts'

/** Purges every deleted task and creative; the service's retention window stays unchanged. */
export async function purgeAtOnce({ database, config }: Pick<Service, 'database' | 'config'>): Promise<void> {
  setRetention(database, 0)
  try {
    await purge(database)
  } finally {
    setRetention(database, config.retention.seconds)
  }
}
