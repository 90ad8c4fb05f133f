// In charge of a browser for tests: cookies as browsers keep and send them, headers that they set by themselves.
import type { FastifyInstance } from 'fastify'

export type Visit = {
  status: number
  location: string
  text: string
  headers: Record<string, unknown>
  cookies: string[]
}
export type Browser = {
  /** Follows no redirect. */
  open(path: string, headers?: Record<string, string>): Promise<Visit>
  /** Opens a sign-in link, and presses the button on its page where there is one. */
  follow(link: string, headers?: Record<string, string>): Promise<Visit>
  /** What a script of a page of ours does. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, headers?: Record<string, string>): Promise<Visit>
  /** A bearer token, as the page fetches it. */
  token(): Promise<string>
  jar: Map<string, string>
}

type Where = { host?: string; origin?: string; ip?: string }

export function openBrowser(server: FastifyInstance, { host = 'atelier.test', origin, ip }: Where = {}): Browser {
  const jar = new Map<string, string>()
  const ask = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: string,
  ) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.inject({
      method,
      url,
      headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(ip === undefined ? {} : { remoteAddress: ip }),
      ...(payload === undefined ? {} : { payload }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of cookies) keep(jar, line)
    const { statusCode: status, payload: text } = answer
    return { status, text, cookies, headers: answer.headers, location: String(answer.headers.location ?? '') }
  }
  const send: Browser['send'] = (method, path, headers = {}) =>
    ask(method, path, { origin: origin ?? `http://${host}`, 'sec-fetch-site': 'same-origin', ...headers })

  const open: Browser['open'] = (path, headers = {}) =>
    ask('GET', path, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', ...headers })

  return {
    jar,
    send,
    open,
    async follow(link, headers = {}) {
      const page = await open(link, headers)
      const [, code] = /<input type="hidden" name="code" value="([^"]*)">/.exec(page.text) ?? []
      if (code === undefined) return page
      const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
      const sent = { origin: origin ?? `http://${host}`, ...form, ...headers }
      return ask('POST', '/sign-in', sent, new URLSearchParams({ code }).toString())
    },
    async token() {
      const { text } = await send('POST', '/session/token')
      return JSON.parse(text).token
    },
  }
}

/** Keeps a Set-Cookie line, or drops what it clears. */
function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/; Max-Age=0(?:;|$)/.test(line)) jar.delete(name)
  else jar.set(name, value)
}
