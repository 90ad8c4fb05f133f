// In charge of handing the owner's token and sign-in link over to the operator without writing them to a log.
import type { Config } from '../platform/config.ts'
import { secretPaths, writeSecret } from './operator-file.ts'

/**
 * Writes the owner's token to its file, unless the output is a terminal. This is done before the token is committed to the database,
 * where only its hash is kept. If the file cannot be written, there is no owner yet, and the next start makes another token. If the
 * commit fails, the file stays, because the commit may have succeeded without us hearing of it; the next start replaces the file if
 * there is still no owner.
 */
export function keepToken(config: Config, token: string): void {
  if (!process.stdout.isTTY) writeSecret(secretPaths(config).token, `${token}\n`)
}

/**
 * Returns the owner's token and sign-in link themselves if the output is a terminal. Otherwise writes the link to a file, and returns
 * the paths of the files, because other output is usually kept in logs; `keepToken` has written the token. What is null stays null.
 */
export function handOver(config: Config, { token, link }: Record<'token' | 'link', string | null>) {
  if (process.stdout.isTTY) return { token, link, isShown: true }
  const paths = secretPaths(config)
  if (link !== null) writeSecret(paths.link, `${link}\n`)
  return { token: token && paths.token, link: link && paths.link, isShown: false }
}
