// In charge of the service as an operator runs it: a child process of `main.ts serve`, spoken to over HTTP.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { OperatorFile } from '../../src/commands/operator-file.ts'
import { type Child, startChild } from './child.ts'

export type Serving = Child & {
  url: string
  /** What the greeting says of the token: the token itself at a first start, else words. */
  access: string
  ask(method: string, path: string, options: { token: string; body?: unknown }): Promise<Asked>
}
// biome-ignore lint/suspicious/noExplicitAny: tests read members of answers
export type Asked = { status: number; headers: Headers; body: any }

/** Starts the service on a free port and waits for its greeting. */
export async function startServing(environment: Record<string, string>): Promise<Serving> {
  const child = startChild('server/src/main.ts', ['serve'], { PORT: '0', ATELIER_DEMO: 'false', ...environment })
  const [, access = ''] = await child.printed(/Your token {2}(.+)\n/)
  const [, greeted = ''] = await child.printed(/Atelier is ready: {2}(\S+)\n/)
  const file = path.join(environment.ATELIER_DATA_DIR ?? '', 'operator.json')
  const operator: OperatorFile = JSON.parse(readFileSync(file, 'utf8'))
  const url = environment.PUBLIC_URL ? operator.url : greeted
  return {
    ...child,
    url,
    access,
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
