// In charge of the file by which commands of the same operator reach the running service: its address and a token.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../platform/config.ts'

/** `url` is the process's own address, whatever PUBLIC_URL says. */
export type OperatorFile = { url: string; token: string }

/** Where a running service leaves it. */
export const operatorPath = (config: Config): string => join(config.dataDir, 'operator.json')

/** Where a start leaves what it shows at a terminal only. */
export const secretPaths = ({ dataDir }: Config) => ({
  token: join(dataDir, 'owner-token'),
  link: join(dataDir, 'sign-in-link'),
})

export const writeOperatorFile = (path: string, content: OperatorFile): void =>
  writeSecret(path, JSON.stringify(content))

/** Readable by the operator only, also where an older file was not. */
export function writeSecret(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
}

/** Unless another process on the same folder has written its own since. */
export function removeOperatorFile(path: string, token: string): void {
  try {
    if (readFileSync(path, 'utf8').includes(token)) rmSync(path)
  } catch {
    // It is gone already.
  }
}
