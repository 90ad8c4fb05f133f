// In charge of storing the bytes of files in a bucket of an object store. A file first arrives on the local disk, because the key
// contains the digest, which is known only at the end of the upload, and because the bucket must contain no interrupted upload.
import { isDigest } from '@atelier/contract/files.ts'
import {
  type ByteStore,
  bytesGone,
  isFilesUnavailable,
  pathOf,
  proveWritable,
  receiveInto,
  removeAbandonedIn,
} from './byte-store.ts'
import { OperatorError, wordsOf } from './operator-error.ts'
import { type BucketPlace, nameOf, s3Objects, statusOf } from './s3-objects.ts'

type Given = {
  place: BucketPlace
  /** The local folder in which files arrive. */
  incoming: string
  isPathStyle: boolean | null
  /** Whether browsers fetch files directly from the store. */
  handsOutLinks: boolean
}

/** Makes a store in a bucket. The key of a file is the prefix and then `ab/cd/<digest>`, which is also the path in a folder. */
export function fileBucket({ place, incoming, isPathStyle, handsOutLinks }: Given): ByteStore {
  const objects = s3Objects(place, isPathStyle)
  const whole = `s3://${place.bucket}/${place.prefix}`

  return {
    prepare: async () => {
      await proveWritable(incoming).catch((error: unknown) => {
        throw new OperatorError(
          `Files arrive in ${incoming} (ATELIER_DATA_DIR), which cannot be used: ${wordsOf(error)}.`,
        )
      })
      await objects.prove().catch((error: unknown) => {
        throw new OperatorError(`The bucket for files ${whole} (ATELIER_FILES) cannot be used: ${reasonOf(error)}`, {
          cause: error,
        })
      })
    },
    proveThere: async () => {
      const first = objects.list().next()
      await first.catch((error: unknown) => {
        throw new OperatorError(`The bucket ${whole} cannot be read: ${reasonOf(error)}`, { cause: error })
      })
    },
    receive: async (source, limit) => {
      const { digest, size, path, discard } = await receiveInto(incoming, source, limit)
      const key = pathOf(digest)
      const send = async () => {
        const found = await objects.sizeOf(key)
        if (found !== size) await objects.put(key, { path, size, sha256: digest }, found === null)
      }
      // `place` checks again whether the bytes are there: if sending took very long, a purge may have removed them as unused.
      return { digest, size, discard, send, place: send }
    },
    read: async (digest, size, range) => {
      const found = await objects.get(pathOf(digest), range)
      if (found?.total === size) return found.body
      found?.body.destroy()
      throw bytesGone(digest, whole + pathOf(digest))
    },
    list: async function* () {
      for await (const { key, size } of objects.list()) {
        const digest = digestOf(key)
        if (digest !== null) yield { digest, size }
      }
    },
    remove: (digest) => objects.remove(pathOf(digest)),
    removeAbandoned: async (olderThanMs) => {
      await removeAbandonedIn(incoming, olderThanMs)
      await objects.removeAbandoned(olderThanMs, (key) => digestOf(key) !== null)
    },
    linkTo: async (digest, headers) => (handsOutLinks ? objects.linkTo(pathOf(digest), headers) : null),
  }
}

/** The digest of the file that a key of ours names; null for keys of other programs in the same bucket. */
function digestOf(key: string): string | null {
  const digest = key.split('/').at(-1) ?? ''
  return isDigest(digest) && key === pathOf(digest) ? digest : null
}

/** Explains to an operator why the store failed, and what can be done about it. */
export function reasonOf(failure: unknown): string {
  const error = isFilesUnavailable(failure) ? failure.cause : failure
  const status = statusOf(error)
  if (nameOf(error) === 'CredentialsProviderError')
    return 'there are no credentials for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role of AWS.'
  if (wordsOf(error) === 'Region is missing')
    return 'no region is set: set AWS_REGION, or AWS_ENDPOINT_URL for another store.'
  if (status === 404) return 'there is no such bucket; make it first.'
  if (status === 301) return 'it is in another region: set AWS_REGION to that.'
  if (status === 403)
    return 'the store refuses these credentials. They need to read, write, delete and list objects below the prefix.'
  return `the store did not answer as S3 does (${wordsOf(error)}). Is AWS_ENDPOINT_URL right, and does it run?`
}
