// In charge of objects in a bucket of any S3-compatible store. An object is written completely or not at all, and the store checks
// its digest. The AWS library reads the usual AWS settings for endpoint, region and credentials; it is loaded only if it is needed.
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { type ByteRange, filesUnavailable, type LinkHeaders, onDisk } from './byte-store.ts'

/** The parts of `s3://bucket/prefix`; the prefix ends with a slash or is empty. */
export type BucketPlace = { bucket: string; prefix: string }

/** A local file that is to be stored; `size` is in bytes, `sha256` in hexadecimal. */
type Source = { path: string; size: number; sha256: string }

/** The keys do not contain the prefix. If the store fails, `files_unavailable` is thrown; only the log gets the store's message. */
export type Objects = {
  /** Checks that the bucket can be used; throws the store's own error if it cannot. */
  prove(): Promise<void>
  /** Checks only that objects can be written, for who may do no more; throws the store's own error if they cannot. */
  proveWritable(): Promise<void>
  sizeOf(key: string): Promise<number | null>
  /** `isNew`: the key did not exist. Then an object that another process stores meanwhile is kept, if the store supports that. */
  put(key: string, source: Source, isNew: boolean): Promise<void>
  /** `total` is the size of the whole object, even if only a range of it is read. Null: there is no such object or range. */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; total: number } | null>
  list(): AsyncGenerator<{ key: string; size: number }>
  remove(key: string): Promise<void>
  /**
   * Aborts multipart uploads to keys of ours that were begun more than `olderThanMs` ago and never completed. Other programs, and
   * our own backups, may take longer than that for theirs in the same bucket.
   */
  removeAbandoned(olderThanMs: number, isOurs: (key: string) => boolean): Promise<void>
  linkTo(key: string, headers: LinkHeaders): Promise<string>
}

/** A file larger than this is sent in parts of this size, or in larger parts if there would be too many parts. */
const partBytes = 16 * 1024 * 1024
const mostParts = 10_000
const partsAtOnce = 3
/**
 * How long the store may take to answer; 600 s, or longer for many bytes, if it has to receive a body first: then slow lines are
 * waited for that send 16 KB a second. One that stalls ends earlier, by the time limit of its socket.
 */
const answerMs = 60_000
const uploadLimit = (bytes: number) => ({ requestTimeout: Math.max(600_000, bytes / 16) })
const linkSeconds = 300

/** The AWS library, which is loaded when it is used for the first time. */
const sdk = () => import('@aws-sdk/client-s3')

export function s3Objects({ bucket, prefix }: BucketPlace, isPathStyle: boolean | null): Objects {
  const client = onceAsked(() => connect(isPathStyle))
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  const send = sending(client, at)
  const sizeOf = async (key: string): Promise<number | null> => {
    const { HeadObjectCommand } = await sdk()
    const found = await (await client()).send(new HeadObjectCommand(at(key))).catch(ifStatus(404, null))
    return found?.ContentLength ?? null
  }
  const proveWritable = () => putProbe(client, at)

  return {
    prove: async () => {
      const { HeadBucketCommand } = await sdk()
      await (await client()).send(new HeadBucketCommand({ Bucket: bucket }))
      await proveWritable()
    },
    proveWritable,
    sizeOf: (key) => orUnavailable(sizeOf(key)),
    put: (key, source, isNew) => orUnavailable(send(key, source, isNew)),
    get: (key, range) =>
      orUnavailable(
        (async () => {
          const { GetObjectCommand } = await sdk()
          const Range = range && `bytes=${range.start}-${range.end}`
          const found = await (await client())
            .send(new GetObjectCommand({ ...at(key), ...(Range ? { Range } : {}) }))
            .catch(ifStatus(404, null))
            .catch(ifStatus(416, null))
          if (!found || !(found.Body instanceof Readable)) return null
          const total = found.ContentRange?.split('/')[1] ?? found.ContentLength
          return { body: found.Body, total: Number(total) }
        })(),
      ),
    list: async function* () {
      const { paginateListObjectsV2 } = await sdk()
      const pages = paginateListObjectsV2({ client: await client() }, { Bucket: bucket, Prefix: prefix })
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key = '', Size = 0 } of Contents) yield { key: Key.slice(prefix.length), size: Size }
        }
      } catch (error) {
        throw filesUnavailable(error)
      }
    },
    remove: (key) =>
      orUnavailable(
        (async () => {
          const { DeleteObjectCommand } = await sdk()
          await (await client()).send(new DeleteObjectCommand(at(key)))
        })(),
      ),
    removeAbandoned: (olderThanMs, isOurs) =>
      orUnavailable(
        (async () => {
          const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await sdk()
          const s3 = await client()
          const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))
          for (const { Key = '', UploadId, Initiated } of Uploads) {
            if (!Initiated || Initiated.getTime() > Date.now() - olderThanMs || !isOurs(Key.slice(prefix.length)))
              continue
            await s3.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(ifStatus(404, null))
          }
        })(),
      ),
    linkTo: (key, { mediaType, disposition }) =>
      orUnavailable(
        (async () => {
          const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
          const { GetObjectCommand } = await sdk()
          const command = new GetObjectCommand({
            ...at(key),
            ResponseContentType: mediaType,
            ResponseContentDisposition: disposition,
          })
          return getSignedUrl(await client(), command, { expiresIn: linkSeconds })
        })(),
      ),
  }
}

type At = (key: string) => { Bucket: string; Key: string }

async function putProbe(client: () => Promise<S3Client>, at: At): Promise<void> {
  const { PutObjectCommand } = await sdk()
  const Body = 'This key is written at each start and each backup.\n'
  await (await client()).send(new PutObjectCommand({ ...at('incoming/probe'), Body }))
}

/** Returns the function that sends a file to a bucket, in parts if it is large. */
function sending(client: () => Promise<S3Client>, at: At) {
  /** Whether the store supports the `If-None-Match` header; true until the store refuses the header. */
  let isConditional = true

  /**
   * Sends an object. If another process has stored an object under the same key meanwhile, that object stays if the store supports
   * conditional writes; otherwise it is overwritten. Both have the same bytes.
   */
  const unlessThere = async (isNew: boolean, send: (condition: { IfNoneMatch?: string }) => Promise<unknown>) => {
    if (!isNew || !isConditional) return void (await send({}))
    try {
      await send({ IfNoneMatch: '*' })
    } catch (error) {
      const status = statusOf(error)
      if (status === 412) return
      if (status !== 501 && status !== 409 && nameOf(error) !== 'InvalidArgument') throw error
      if (status === 501) isConditional = false
      await send({})
    }
  }

  const putWhole = async (key: string, { path, size, sha256 }: Source, isNew: boolean) => {
    const { PutObjectCommand } = await sdk()
    const bytes = await onDisk(readFile(path))
    if (sha256Of(bytes) !== sha256) throw new Error(`${path} changed while it was sent.`)
    await unlessThere(isNew, async (condition) => {
      const command = new PutObjectCommand({ ...at(key), ...condition, Body: bytes, ContentLength: size })
      command.middlewareStack.add(signBytes(sha256), { step: 'build' })
      await (await client()).send(command, uploadLimit(size))
    })
  }

  const putParts = async (key: string, { path, size, sha256 }: Source, isNew: boolean) => {
    const { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CreateMultipartUploadCommand } = await sdk()
    const { UploadPartCommand } = await sdk()
    const s3 = await client()
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at(key)))
    const upload = { ...at(key), UploadId }
    try {
      const whole = createHash('sha256')
      const parts: { PartNumber: number; ETag: string | undefined }[] = []
      const sendPart = async (bytes: Buffer, PartNumber: number) => {
        const command = new UploadPartCommand({ ...upload, PartNumber, Body: bytes, ContentLength: bytes.length })
        command.middlewareStack.add(signBytes(sha256Of(bytes)), { step: 'build' })
        const { ETag } = await s3.send(command, uploadLimit(bytes.length))
        parts[PartNumber - 1] = { PartNumber, ETag }
      }
      const underWay = new Set<Promise<void>>()
      let number = 0
      for await (const bytes of partsOf(path, Math.max(partBytes, Math.ceil(size / mostParts)))) {
        whole.update(bytes)
        number += 1
        const sending = sendPart(bytes, number).finally(() => underWay.delete(sending))
        // If `sending` fails, an `await` below throws its error; until then, this handler prevents an unhandled rejection.
        sending.catch(() => undefined)
        underWay.add(sending)
        if (underWay.size >= partsAtOnce) await Promise.race(underWay)
      }
      await Promise.all(underWay)
      if (parts.filter(Boolean).length !== number) throw new Error(`Not every part of ${key} arrived.`)
      if (whole.digest('hex') !== sha256) throw new Error(`${path} changed while it was sent.`)
      await unlessThere(isNew, (condition) =>
        s3.send(new CompleteMultipartUploadCommand({ ...upload, ...condition, MultipartUpload: { Parts: parts } })),
      )
    } catch (error) {
      await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw error
    }
  }

  return (key: string, source: Source, isNew: boolean): Promise<void> =>
    source.size <= partBytes ? putWhole(key, source, isNew) : putParts(key, source, isNew)
}

/** Calls `make` once, at the first call, and returns the result of that call every time. */
function onceAsked<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}

async function connect(isPathStyle: boolean | null): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = process.env
  const isElsewhere = Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL)
  const region = AWS_REGION || AWS_DEFAULT_REGION || (isElsewhere ? 'us-east-1' : undefined)
  return new S3Client({
    ...(region ? { region } : {}),
    forcePathStyle: isPathStyle ?? isElsewhere,
    maxAttempts: 3,
    // Not every store supports the newer checksums. Every store supports the SHA-256 in the signature, which also checks the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: 300_000,
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  })
}

/** Puts the digest of the body into the signed request, so that the store refuses a body that was changed on the way. */
const signBytes =
  (sha256: string) =>
  <Args extends { request?: unknown }, Output>(next: (args: Args) => Promise<Output>) =>
  (args: Args): Promise<Output> => {
    const request = args.request
    if (typeof request === 'object' && request !== null && 'headers' in request) {
      Object.assign(request.headers as Record<string, string>, { 'x-amz-content-sha256': sha256 })
    }
    return next(args)
  }

async function* partsOf(path: string, size: number): AsyncGenerator<Buffer> {
  const handle = await onDisk(open(path, 'r'))
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await onDisk(handle.read(part, filled, size - filled))
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled > 0) yield part.subarray(0, filled)
      if (filled < size) return
    }
  } finally {
    await handle.close()
  }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Returns the HTTP status of the store's response; null if there was no response. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode ?? null
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const ifStatus =
  <T>(status: number, fallback: T) =>
  (error: unknown): T => {
    if (statusOf(error) === status && nameOf(error) !== 'NoSuchBucket') return fallback
    throw error
  }

const orUnavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw filesUnavailable(error)
  })
