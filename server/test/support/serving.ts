// In charge of the service as an operator runs it: a child process of `main.ts serve`, called over HTTP.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { OperatorFile } from '../../src/commands/operator-file.ts'
import { type Child, startChild } from './child.ts'

export type Serving = Child & {
  url: string
  /** The owner's token on the first start, else what the startup message says about it. */
  access: string
  /** The link that signs the owner in, from the file that the startup message names. */
  link(): Promise<string>
  ask(method: string, path: string, options: { token: string; body?: unknown }): Promise<Asked>
}
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members of responses
type Asked = { status: number; headers: Headers; body: any }

/** Starts the service on a free port and waits for its startup message. */
export async function startServing(environment: Record<string, string>): Promise<Serving> {
  const child = startChild('server/src/main.ts', ['serve'], { PORT: '0', ATELIER_DEMO: 'false', ...environment })
  const [, said = ''] = await child.printed(/Your token {2}(.+)\n/)
  const [, tokenFile] = /^is in the file (.+)$/.exec(said) ?? []
  const access = tokenFile ? readFileSync(tokenFile, 'utf8').trim() : said
  const [, greeted = ''] = await child.printed(/Atelier is ready: {2}(\S+)\n/)
  const file = path.join(environment.ATELIER_DATA_DIR ?? '', 'operator.json')
  const operator: OperatorFile = JSON.parse(readFileSync(file, 'utf8'))
  const url = environment.PUBLIC_URL ? operator.url : greeted
  return {
    ...child,
    url,
    access,
    async link() {
      const [, linkFile = ''] = await child.printed(/Sign in +by the link in the file (.+)\n/)
      return readFileSync(linkFile, 'utf8').trim()
    },
    async ask(method, path, { token, body }) {
      const answer = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
    },
  }
}
