// In charge of a browser for tests: it keeps and sends cookies as browsers do, and sets the headers that browsers set themselves.
import { defaultVocabulary } from '@atelier/contract/vocabulary.ts'
import type { FastifyInstance } from 'fastify'
import { documentOf } from './document.ts'

export type Visit = {
  status: number
  location: string
  text: string
  headers: Record<string, unknown>
  cookies: string[]
}
export type Browser = {
  /** Opens a path as a page; a redirect is returned and not followed. */
  open(path: string, headers?: Record<string, string>): Promise<Visit>
  /** Opens a sign-in link; if the page has a sign-in form, submits the form. */
  follow(link: string, headers?: Record<string, string>): Promise<Visit>
  /** Sends a request as a script on a page of the product does. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, headers?: Record<string, string>): Promise<Visit>
  /** Fetches a bearer token as the product's page does. */
  token(): Promise<string>
  jar: Map<string, string>
}

type Where = { host?: string; origin?: string; ip?: string }

export function openBrowser(server: FastifyInstance, { host = 'atelier.test', origin, ip }: Where = {}): Browser {
  const jar = new Map<string, string>()
  /** The names of cookies that browsers send only with requests that a page of the same site has caused. */
  const strict = new Set<string>()
  const ask = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: string,
  ) => {
    const isForeign = headers['sec-fetch-site'] === 'cross-site'
    const sent = [...jar].filter(([name]) => !(isForeign && strict.has(name)))
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.inject({
      method,
      url,
      headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(ip === undefined ? {} : { remoteAddress: ip }),
      ...(payload === undefined ? {} : { payload }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of cookies) {
      const name = keep(jar, line)
      if (line.includes('; SameSite=Strict')) strict.add(name)
    }
    const { statusCode: status, payload: text } = answer
    const type = `${answer.headers['content-type'] ?? ''}`
    const body = /json/.test(type) && text !== '' ? JSON.parse(text) : null
    documentOf(defaultVocabulary).check({ method, path: url, sent: null, status, type, body })
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

/** Stores the cookie of a Set-Cookie line, or deletes the cookie if the line clears it. Returns the cookie's name. */
function keep(jar: Map<string, string>, line: string): string {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/; Max-Age=0(?:;|$)/.test(line)) jar.delete(name)
  else jar.set(name, value)
  return name
}
