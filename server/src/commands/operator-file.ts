// In charge of the file by which the operator's commands find the running service: it contains the address and a token.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../platform/config.ts'

/** `url` is the process's own address, which may differ from PUBLIC_URL. */
export type OperatorFile = { url: string; token: string }

/** The path of the file that a running service writes. */
export const operatorPath = (config: Config): string => join(config.dataDir, 'operator.json')

/** The files for the owner's token and sign-in link, which a start prints only if its output is a terminal. */
export const secretPaths = ({ dataDir }: Config) => ({
  token: join(dataDir, 'owner-token'),
  link: join(dataDir, 'sign-in-link'),
})

export const writeOperatorFile = (path: string, content: OperatorFile): void =>
  writeSecret(path, JSON.stringify(content))

/** Writes a new file that only the operator can read, even if an older file was readable by others. */
export function writeSecret(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
}

/** Removes the file, unless another process in the same folder has replaced it meanwhile. */
export function removeOperatorFile(path: string, token: string): void {
  try {
    if (readFileSync(path, 'utf8').includes(token)) rmSync(path)
  } catch {
    // The file does not exist any more.
  }
}
