// In charge of handing the owner's token and sign-in link over to the operator without writing them to a log.
import type { Config } from '../platform/config.ts'
import { secretPaths, writeSecret } from './operator-file.ts'

/**
 * Returns the owner's token and sign-in link themselves if the output is a terminal. Otherwise writes them to files and returns the
 * paths of the files, because other output is usually kept in logs. What is null stays null.
 */
export function handOver(config: Config, { token, link }: Record<'token' | 'link', string | null>) {
  if (process.stdout.isTTY) return { token, link, isShown: true }
  const paths = secretPaths(config)
  if (token !== null) writeSecret(paths.token, `${token}\n`)
  if (link !== null) writeSecret(paths.link, `${link}\n`)
  return { token: token && paths.token, link: link && paths.link, isShown: false }
}
