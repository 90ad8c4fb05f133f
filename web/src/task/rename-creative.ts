// In charge of renaming a creative without replacing a name that somebody else has given it meanwhile. Pure.
import { hasCode } from '../lib/errors.ts'
import { ChangedMeanwhile } from './conflict.ts'

/** `shown`: the name that the user saw when typing `name`; `own`: the name that the user has saved before, if any. */
type Renaming = { shown: string; name: string; own: string | undefined }

/**
 * Reads the name that the creative has now, and writes the new one if nobody else has changed the name. A list of creatives has no
 * ETags, so the creative is read first; if it is changed between the read and the write, both are repeated once.
 */
export async function renameCreative<T>(
  { shown, name, own }: Renaming,
  read: () => Promise<{ data: { name: string }; etag: string | null }>,
  write: (etag: string | null) => Promise<T>,
  isRepeated = false,
): Promise<T> {
  const { data, etag } = await read()
  if (![shown, name, own].includes(data.name)) throw new ChangedMeanwhile()
  try {
    return await write(etag)
  } catch (error) {
    if (isRepeated || !hasCode(error, 'precondition_failed')) throw error
    return renameCreative({ shown, name, own }, read, write, true)
  }
}
