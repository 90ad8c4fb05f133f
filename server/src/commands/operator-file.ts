// In charge of the file with the address and a token of the running service, which the operator's commands use to call it.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../platform/config.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'

/** `url` is the address at which this process listens; PUBLIC_URL may differ. */
export type OperatorFile = { url: string; token: string }

/** The path of the file that a running service writes for the operator's commands. */
export const operatorPath = (config: Config): string => join(config.dataDir, 'operator.json')

/**
 * The paths of the files for the owner's token and sign-in link. The files are written only if the output is not a terminal (see
 * `handOver`).
 */
export const secretPaths = ({ dataDir }: Config) => ({
  token: join(dataDir, 'owner-token'),
  link: join(dataDir, 'sign-in-link'),
})

export const writeOperatorFile = (path: string, content: OperatorFile): void =>
  writeSecret(path, JSON.stringify(content))

/**
 * Writes a new file that only the user of this process can read. An older file is replaced, because other users may be able to read
 * it. The file is written and synced under another name first, so that it is never there with only a part of its content. What a
 * failure leaves under the other name is replaced by the next attempt.
 */
export function writeSecret(path: string, content: string): void {
  const making = `${path}.new`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    rmSync(making, { force: true })
    writeFileSync(making, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(making, path)
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be written: ${wordsOf(error)}.`, { cause: error })
  }
}

/**
 * Removes the file if it still contains this secret. If another process has replaced the file since, the new file stays.
 */
export function removeOperatorFile(path: string, token: string): void {
  try {
    if (readFileSync(path, 'utf8').includes(token)) rmSync(path)
  } catch {
    // The file does not exist, so there is nothing to remove.
  }
}
