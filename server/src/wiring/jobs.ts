// In charge of which periodic jobs a process does, and how often.
import { evict } from '../engine/store/cache.ts'
import { expireRuns } from '../engine/store/expire.ts'
import { purgeRuns } from '../engine/store/purge.ts'
import type { Thumbnails } from '../features/files/thumbnails.ts'
import { thumbnailsAhead } from '../features/files/thumbnails-ahead.ts'
import { modelEndNotices } from '../features/graphs/model-ends.ts'
import { purgeGraphs } from '../features/graphs/purge.ts'
import { dueFilesReader, type Reading } from '../features/marks/reading.ts'
import type { Sending } from '../features/notices/deliver.ts'
import { forgetOldNotices, writeDeadlines } from '../features/notices/store.ts'
import { forgetOldSessions } from '../features/sessions/store.ts'
import { adoptWaitingLaunches } from '../features/tasks/launches/adopt.ts'
import { foldCounts, purge } from '../features/tasks/purge.ts'
import { forgetOldMessages } from '../features/webhooks/store.ts'
import type { Clock } from '../platform/clock.ts'
import { foldDirectory } from '../platform/directory.ts'
import { keepUp } from '../platform/embedded-upkeep.ts'
import { forgetOldKeys } from '../platform/http/idempotency.ts'
import type { Job } from '../platform/periodic.ts'
import type { Services } from '../platform/services.ts'
import { keptTextsFiller } from './kept-texts.ts'
import { sendingJobs } from './sending.ts'

const minute = 60_000

/** Returns the jobs of a process. */
export const jobs = (
  { database, config, auth, files, sending, nodeTypes, clock }: Services & { sending: Sending; clock: Clock },
  reading: Reading,
  thumbnails: Thumbnails,
): Job[] => [
  {
    name: 'purge',
    everyMs: minute,
    run: async (stopping) => void (await purge(database, stopping)),
  },
  {
    name: 'purge-graphs',
    everyMs: minute,
    run: async (stopping) => void (await purgeGraphs(database, stopping)),
  },
  {
    name: 'purge-runs',
    everyMs: minute,
    run: async (stopping) => void (await purgeRuns(database, stopping)),
  },
  {
    name: 'expire-runs',
    everyMs: 60 * minute,
    run: async (stopping) => {
      const kept = { runs: config.runsKept?.seconds ?? null, history: config.runHistoryKept?.seconds ?? null }
      await expireRuns(database, kept, stopping)
    },
  },
  {
    name: 'evict-cache',
    everyMs: minute,
    run: async (stopping) => void (await evict(database, config.cacheLimit, stopping)),
  },
  { name: 'purge-files', everyMs: 10 * minute, run: (stopping) => files.purge({ stopping }) },
  { name: 'sweep-thumbnails', everyMs: 10 * minute, run: () => thumbnails.sweep() },
  // This job first runs 100 ms after the start: after a restore, thumbnails should be ready before users open the board.
  { name: 'make-thumbnails', everyMs: 5000, firstMs: 100, run: thumbnailsAhead({ db: database.main, thumbnails }) },
  { name: 'read-marks', everyMs: 10_000, run: dueFilesReader(reading) },
  { name: 'fold-counts', everyMs: 10_000, run: () => foldCounts(database.main) },
  { name: 'fold-directory', everyMs: 10_000, run: () => foldDirectory(database.main) },
  { name: 'fill-kept-texts', everyMs: minute, run: keptTextsFiller(database) },
  { name: 'forget-idempotency-keys', everyMs: 10 * minute, run: () => forgetOldKeys(database.main) },
  { name: 'forget-webhook-messages', everyMs: 10 * minute, run: () => forgetOldMessages(database.main) },
  { name: 'adopt-launches', everyMs: minute, run: () => adoptWaitingLaunches(database) },
  { name: 'note-deadlines', everyMs: minute, run: async () => void (await database.tx(writeDeadlines)) },
  { name: 'note-model-ends', everyMs: 10 * minute, run: modelEndNotices({ database, types: nodeTypes.wire, clock }) },
  { name: 'forget-notices', everyMs: 60 * minute, run: () => forgetOldNotices(database.main) },
  ...(database.kind === 'embedded' ? [{ name: 'keep-up', everyMs: minute, run: () => keepUp(database.main) }] : []),
  ...sendingJobs(sending),
  { name: 'forget-sessions', everyMs: 10 * minute, run: () => forgetOldSessions(database.main) },
  { name: 'token-use', everyMs: 30_000, run: () => auth.recordUse() },
]
