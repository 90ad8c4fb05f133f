// In charge of a backup as a single file: tar packs the backup's folder, and the result is encrypted with age (age-encryption.org)
// if there are recipients. The `age` program can therefore decrypt the file too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { finished, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { OperatorError, wordsOf } from '../operator-error.ts'
import { noTar } from './tools.ts'

/** Returns the file name of a backup that was made at `stamp` (from `stampOf`); it ends with `.tar.age` if it is encrypted. */
export const archiveName = (stamp: string, isEncrypted: boolean): string =>
  `atelier-${stamp}.tar${isEncrypted ? '.age' : ''}`

export const isArchive = (name: string): boolean => /\.tar(\.age)?$/.test(name)
const isEncrypted = (name: string): boolean => name.endsWith('.age')

/** Creates an encrypter for recipients, which are public keys of the form `age1…`; throws if one of them is invalid. */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new OperatorError(
        `--encrypt-for takes a public key, age1… (npm run backup -- --new-key file makes one), not ${recipient.slice(0, 12)}…`,
      )
    }
  }
  return encrypter
}

/** Packs a folder into a new file, which is encrypted if there are recipients. */
export async function packArchive(folder: string, file: string, recipients: readonly string[]): Promise<void> {
  const tar = spawn('tar', ['-cf', '-', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = endOf(tar)
  const written = async (): Promise<void> => {
    const plain = tar.stdout
    const bytes =
      recipients.length > 0 ? Readable.fromWeb(webOf(await encrypterFor(recipients).encrypt(bytesOf(plain)))) : plain
    await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  }
  // Waits for both, so that nothing is written any more when this throws. If the writing fails, tar fails because of that.
  const [sent, packed] = await Promise.allSettled([written(), ended])
  if (packed.status === 'rejected' && isWithoutTar(packed.reason)) throw packed.reason
  for (const one of [sent, packed]) if (one.status === 'rejected') throw one.reason
}

const isWithoutTar = (error: unknown): boolean => error instanceof OperatorError && error.message === noTar

/** Unpacks an archive into an existing folder. If the archive is encrypted, `keyFile` is the file with the secret key. */
export async function unpackArchive(
  { name, bytes }: { name: string; bytes: Readable },
  folder: string,
  keyFile: string | undefined,
): Promise<void> {
  const source = toItsEnd(name, bytes)
  const plain = isEncrypted(name) ? await decrypted(name, source, keyFile) : source
  // The words of the program decide below, so they have to be English.
  const env = { ...process.env, LC_ALL: 'C' }
  const tar = spawn('tar', ['-xf', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'pipe'], env })
  const said = firstOf(tar.stderr)
  const [sent, ended] = await Promise.allSettled([pipeline(plain, tar.stdin), endOf(tar)])
  const isSent = sent.status === 'fulfilled' || isClosedByReader(sent.reason)
  const failed = [ended, ...(isSent ? [] : [sent])].find((one) => one.status === 'rejected')
  if (!failed) return
  const cause: unknown = failed.reason
  if (isWithoutTar(cause)) throw cause
  if (sent.status === 'rejected' && sent.reason instanceof BrokenOff) throw sent.reason
  const complaint = (await said).split('\n').find((line) => ofWriting.test(line))
  if (complaint !== undefined) throw new OperatorError(`${name} cannot be unpacked: ${complaint}`, { cause })
  throw new OperatorError(`${name} is damaged, or was cut off: take another backup.`, { cause })
}

/** Whether the reader ended before the writer: tar ends at the archive's own end, and may not wait for that of its input. */
const isClosedByReader = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))

/** Thrown if a backup cannot be read to its end, for example because the connection to its bucket broke: it may be whole itself. */
class BrokenOff extends OperatorError {}

/** Returns a stream of the same bytes, which fails with `BrokenOff` if the given one fails before its end. */
function toItsEnd(name: string, bytes: Readable): Readable {
  const passed = new PassThrough()
  // If the reader has failed before, `passed` is destroyed already, and keeps the error of the reader.
  finished(bytes, { writable: false }, (cause) => {
    if (!cause) return
    passed.destroy(new BrokenOff(`${name} could not be read to its end (${wordsOf(cause)}): try again.`, { cause }))
  })
  passed.once('close', () => bytes.destroy())
  // Whoever reads the stream gets its error. A web stream that is made of it listens too late for some, which would end the process.
  passed.on('error', () => undefined)
  return bytes.pipe(passed)
}

/** Matches what `tar` says if it cannot write to the disk, which is no fault of the archive. */
const ofWriting =
  /Cannot write|Wrote only|write error|No space left|quota|Read-only file system|Permission denied|Input\/output error/i

/** Reads a stream to its end, and returns the beginning of its text. */
async function firstOf(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (text.length < 10_000) text += String(chunk)
  return text
}

/** Makes a key pair. Writes the secret key, which restores need, to a new file; returns the public key, which backups need. */
export async function makeKey(file: string): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: unknown) => {
      throw new OperatorError(`The key cannot be written to ${file}: ${wordsOf(error)}.`)
    },
  )
  return recipient
}

async function decrypted(name: string, bytes: Readable, keyFile: string | undefined): Promise<Readable> {
  if (keyFile === undefined)
    throw new OperatorError(`${name} is encrypted: name the file of its secret key with --key.`)
  const decrypter = new Decrypter()
  for (const identity of await readKeys(keyFile)) decrypter.addIdentity(identity)
  try {
    return Readable.fromWeb(webOf(await decrypter.decrypt(bytesOf(bytes))))
  } catch (error) {
    if (error instanceof BrokenOff) throw error
    const why = wordsOf(error)
    throw new OperatorError(`${name} cannot be opened with the key in ${keyFile}: ${why}.`, { cause: error })
  }
}

/** Reads the secret keys from a file in the format of `age-keygen`: one key per line, and lines with comments. */
async function readKeys(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`The key file cannot be read: ${wordsOf(error)}.`)
  })
  const keys = text.split('\n').flatMap((line) => /^AGE-SECRET-KEY-\S+/.exec(line.trim()) ?? [])
  if (keys.length === 0) throw new OperatorError(`${file} has no secret key (AGE-SECRET-KEY-…).`)
  return keys
}

async function endOf(tar: ReturnType<typeof spawn>): Promise<void> {
  const [code] = await once(tar, 'close').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing ? new OperatorError(noTar) : error
  })
  if (code !== 0) throw new OperatorError(`tar failed with status ${code}.`)
}

// Node.js and TypeScript's DOM library declare different types for web streams; at run time there is only one class.
const bytesOf = (readable: Readable) => Readable.toWeb(readable) as globalThis.ReadableStream<Uint8Array>
const webOf = (stream: globalThis.ReadableStream<Uint8Array>) => stream as ReadableStream<Uint8Array>
