// In charge of using an installation as people and programs do, by its host name over TLS: sign-in, work, files and events.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic } from '../soak/traffic.ts'

type Visitor = {
  /** Waits until the service responds, since nginx reports the end of a reload a moment before it accepts connections. */
  arrive(): Promise<void>
  /** Opens a sign-in link and submits its form. */
  signIn(link: string): Promise<void>
  work(acts: number): Promise<void>
  /**
   * Opens the event stream over HTTP/2, as browsers do, uploads a large file, and waits for an event of a new task. Also checks
   * that /metrics is not reachable from outside, and that HTTP is redirected to HTTPS.
   */
  tryProxy(): Promise<void>
  /**
   * Returns the records at these API paths as texts to compare. Also downloads all files that this visitor has uploaded; throws
   * if the bytes of a file are not those that were uploaded.
   */
  look(records: readonly string[]): Promise<string[]>
}

const fileBytes = 60_000_000

const isThere = (base: string): Promise<boolean> =>
  fetch(`${base}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

export function visitorOf(base: string, token: string): Visitor {
  const authorization = `Bearer ${token}`
  const ask: Ask = async (path, init = {}) => {
    const answer = await fetch(base + path, { ...init, headers: { authorization, ...init.headers } })
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const read = async (path: string) => Object(await (await ask(path)).json())
  const files = new Map<string, string>()

  const keep: Keep = async (bytes) => {
    const headers = { 'content-type': 'text/plain' }
    const { data } = Object(
      await (await ask('/api/v1/files', { method: 'POST', headers, body: Uint8Array.from(bytes) })).json(),
    )
    files.set(String(data.digest), createHash('sha256').update(bytes).digest('hex'))
  }

  return {
    async arrive() {
      for (let tries = 0; !(await isThere(base)); tries += 1) {
        if (tries > 300) throw new Error(`Nothing answers at ${base}.`)
        await wait(100)
      }
    },
    async signIn(link) {
      const page = await (await fetch(link)).text()
      const [, code = ''] = /<input type="hidden" name="code" value="([^"]*)">/.exec(page) ?? []
      const sent = await fetch(`${base}/sign-in`, {
        ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ code }) },
        headers: { origin: base, 'sec-fetch-site': 'same-origin' },
      })
      const cookie = sent.headers.get('set-cookie') ?? ''
      if (sent.status !== 302 || !/; Secure/i.test(cookie))
        throw new Error(`The sign-in link answered ${sent.status}, cookie ${cookie === '' ? 'none' : 'there'}.`)
      const board = await fetch(`${base}/`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
      if (!board.ok || !(await board.text()).includes('<script')) throw new Error('The web app is not there.')
    },
    async work(acts) {
      const traffic = await createTraffic(base, token, 17)
      for (let left = acts; left > 0; left -= 8) {
        for (const { kind, failure } of await Promise.all(Array.from({ length: Math.min(8, left) }, traffic.send))) {
          if (failure !== null) throw new Error(`${kind}: ${failure}`)
        }
      }
      await keep(randomBytes(200_000))
      for (let tries = 0; ; tries += 1) {
        const { data } = await read('/api/v1/runs?limit=100')
        const states: string[] = data.items.map(({ status }: { status: string }) => status)
        if (states.includes('failed') || tries > 600) throw new Error(`Runs are not done: ${states.join(' ')}.`)
        if (states.length > 0 && states.every((status) => status === 'succeeded')) return
        await wait(500)
      }
    },
    tryProxy: () => tryProxy(base, authorization, ask, keep),
    async look(records) {
      const found: string[] = []
      for (const path of records) found.push(`${path} ${JSON.stringify((await read(path)).data)}`)
      for (const [digest, expected] of files) {
        const bytes = Buffer.from(await (await ask(`/api/v1/files/${digest}`)).arrayBuffer())
        if (createHash('sha256').update(bytes).digest('hex') !== expected)
          throw new Error(`The bytes of ${digest} are others.`)
      }
      return found
    },
  }
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>
type Keep = (bytes: Buffer) => Promise<void>

async function tryProxy(base: string, authorization: string, ask: Ask, keep: Keep): Promise<void> {
  const session = connect(base)
  try {
    const events = session.request({ ':path': '/api/v1/events', authorization })
    await once(events, 'response')
    const heard = once(events.setEncoding('utf8'), 'data')
    await keep(randomBytes(fileBytes))
    await ask('/api/v1/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Heard of' }),
    })
    await heard
    events.close()
  } finally {
    session.close()
  }
  const metrics = await fetch(`${base}/metrics`)
  if (metrics.status !== 404) throw new Error(`/metrics is ${metrics.status} from outside.`)
  const plain = await fetch(base.replace('https:', 'http:'), { redirect: 'manual' })
  if (plain.status !== 301) throw new Error(`HTTP answers ${plain.status}, and should lead to HTTPS.`)
}
