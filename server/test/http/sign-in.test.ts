// Facts about signing in at an issuer: the tests use a real issuer and real codes, and every error ends on an error page.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { createApp } from '../../src/wiring/app.ts'
import { type Browser, openBrowser, type Visit } from '../support/browser.ts'
import { type Service, shared, startService } from '../support/harness.ts'
import { audience, browserClient, type Issuer, publicClient, redirectUri, startIssuer } from '../support/issuer.ts'
import { sendMessage, userMessage, webhookSecret } from '../support/provider.ts'

let issuer: Issuer
let service: Service
const settings = (of: Issuer = issuer) => ({
  PUBLIC_URL: audience,
  ATELIER_OAUTH_ISSUER: of.url,
  ATELIER_OAUTH_CLIENT_ID: browserClient.client_id,
  ATELIER_OAUTH_CLIENT_SECRET: browserClient.client_secret,
})
beforeAll(async () => {
  issuer = await startIssuer()
  service = await startService({ ...settings(), ATELIER_WEBHOOK_SECRETS: webhookSecret })
})
afterAll(async () => {
  await service.close()
  await issuer.stop()
})
beforeEach(() => {
  service.clock.offset = 0
})

const newBrowser = (at: Pick<Service, 'app'> = service) =>
  openBrowser(at.app.server, { host: 'inside:3000', origin: audience })
/** Opens the address that the issuer redirected to, as a cross-site navigation. */
const land = (browser: Browser, address: string): Promise<Visit> =>
  browser.open(address.slice(audience.length), { 'sec-fetch-site': 'cross-site' })
/** Signs in at the issuer and returns the address that the issuer redirects to. */
const goThrough = async (browser: Browser, login: string | null, of: Issuer = issuer): Promise<string> =>
  of.visit((await browser.open('/sign-in')).location, login)
async function signIn(login: string, browser = newBrowser()): Promise<Visit> {
  return land(browser, await goThrough(browser, login))
}
const me = async (browser: Browser, at: Service = service) =>
  (await at.get('/api/v1/users/me', { token: await browser.token() })).data

const session = '__Host-atelier-session'
const nobodyIn = (browser: Browser) => expect(browser.jar.has(session)).toBe(false)

test('a person signs in at the issuer, and is made as a reader with name and address', async () => {
  const browser = newBrowser()
  const begun = await browser.open('/sign-in')
  expect(begun.status).toBe(302)
  const asked = new URL(begun.location)
  expect(asked.origin).toBe(issuer.url)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: 'browser',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(begun.cookies).toEqual([
    expect.stringMatching(/^__Host-atelier-sign-in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])

  const landed = await land(browser, await issuer.visit(begun.location, 'ada'))
  expect(landed).toMatchObject({ status: 302, location: '../' })
  expect(landed.headers['cache-control']).toBe('no-store')
  expect([...browser.jar.keys()]).toEqual([session])
  expect(await me(browser)).toMatchObject({
    kind: 'person',
    user: { name: 'ada of the issuer', email: 'ada@example.com', role: 'reader', active: true },
  })
})

test('the subject is the person that access tokens of the issuer speak for', async () => {
  const { data } = await service.get('/api/v1/users/me', { token: await issuer.forge({ sub: 'grace' }) })
  expect(data.user.name).toBe(null)
  const browser = newBrowser()
  await signIn('grace', browser)
  expect((await me(browser)).user).toMatchObject({ id: data.user.id, name: 'grace of the issuer' })
})

test('a sign-in ends the session that the browser had before, also where the issuer is another site', async () => {
  const browser = newBrowser()
  await signIn('before', browser)
  const [cookie, token] = [browser.jar.get(session) ?? '', await browser.token()]
  await signIn('after', browser)
  expect((await me(browser)).user.name).toBe('after of the issuer')
  expect((await service.get('/api/v1/users/me', { token })).status).toBe(401)
  const left = newBrowser()
  left.jar.set(session, cookie)
  expect((await left.send('POST', '/session/token')).status).toBe(401)
})

test('what is known of a person stays as it is', async () => {
  const browser = newBrowser()
  await signIn('linus', browser)
  const { user } = await me(browser)
  await service.patch(`/api/v1/users/${user.id}`, { name: 'Linus', role: 'writer' })
  await signIn('linus', browser)
  expect((await me(browser)).user).toMatchObject({ id: user.id, name: 'Linus', role: 'writer' })
})

test('an address that the provider has told and an admin has removed stays removed until the provider has another one', async () => {
  const browser = newBrowser()
  const tell = async (message: unknown) => expect((await sendMessage(service, message)).status).toBe(204)
  await tell(userMessage('grace', 1))
  await signIn('grace', browser)
  const { user } = await me(browser)
  expect(user.email).toBe('ada@example.com')
  await service.patch(`/api/v1/users/${user.id}`, { email: null })
  await signIn('grace', browser)
  await tell(userMessage('grace', 2))
  expect((await me(browser)).user).toMatchObject({ id: user.id, email: null, name: 'Ada Lovelace' })
  const moved = userMessage('grace', 3)
  moved.data.email_addresses[0].email_address = 'grace@example.org'
  await tell(moved)
  expect((await me(browser)).user.email).toBe('grace@example.org')
})

test('an address that the issuer has told and an admin has removed stays removed until the issuer has another one', async () => {
  const browser = newBrowser()
  await signIn('hedy', browser)
  const { user } = await me(browser)
  await service.patch(`/api/v1/users/${user.id}`, { email: null })
  await signIn('hedy', browser)
  expect((await me(browser)).user).toMatchObject({ email: null, name: 'hedy of the issuer' })
  await service.rows('update identities set said_email = $1 where subject = $2', ['hedy@example.net', 'hedy'])
  await signIn('hedy', browser)
  expect((await me(browser)).user.email).toBe('hedy@example.com')
})

test('an issuer that tells nothing at one sign-in has not taken back what it told before', async () => {
  const browser = newBrowser()
  await signIn('dorothy', browser)
  const { user } = await me(browser)
  await service.patch(`/api/v1/users/${user.id}`, { email: null })
  issuer.fail('/me')
  await signIn('dorothy', browser)
  issuer.fail(null)
  await signIn('dorothy', browser)
  expect((await me(browser)).user.email).toBe(null)
})

test('ten first sign-ins of one person at once make one', async () => {
  const browsers = Array.from({ length: 10 }, () => newBrowser())
  await Promise.all(browsers.map((browser) => signIn('crowd', browser)))
  const ids = await Promise.all(browsers.map(async (browser) => (await me(browser)).user.id))
  expect(new Set(ids).size).toBe(1)
})

test('a name may stand in the ID token, and a client may have no secret', async () => {
  const other = await startIssuer({ claimsInIdToken: true })
  const { ATELIER_OAUTH_CLIENT_SECRET: _, ...rest } = settings(other)
  const bare = await startService({ ...rest, ATELIER_OAUTH_CLIENT_ID: publicClient.client_id })
  const browser = newBrowser(bare)
  await land(browser, await goThrough(browser, 'ada', other))
  expect((await me(browser, bare)).user).toMatchObject({ name: 'ada of the issuer' })
  await bare.close()
  await other.stop()
})

test('a name is kept as one line of text, an address only if it is verified, a picture only from https', async () => {
  const browser = newBrowser()
  await signIn('hostile', browser)
  expect((await me(browser)).user).toMatchObject({ name: 'Ev il \ufffd', email: null, image_url: null })
})

test('an issuer that does not tell names keeps nobody out, and the log says so', async () => {
  const { lines, app } = await logged()
  issuer.fail('/me')
  const browser = newBrowser({ app })
  expect((await land(browser, await goThrough(browser, 'nameless'))).status).toBe(302)
  issuer.fail(null)
  expect((await me(browser)).user.name).toBe(null)
  expect(lines()).toContain('the issuer did not tell a name')
  await signIn('nameless', browser)
  expect((await me(browser)).user.name).toBe('nameless of the issuer')
  await app.stop()
})

test('of two tabs that begin to sign in, the later one gets there', async () => {
  const browser = newBrowser()
  const first = await goThrough(browser, 'tabs')
  const second = await goThrough(browser, 'tabs')
  expect((await land(browser, first)).status).toBe(400)
  expect((await land(browser, second)).status).toBe(302)
})

test('the way to sign in is told, and leads nowhere else whatever is asked for', async () => {
  const { text } = await newBrowser().send('GET', '/session')
  expect(JSON.parse(text)).toEqual({
    signed_in: false,
    method: 'issuer',
    sign_in_path: '/sign-in',
    issuer: issuer.url,
  })
  const evil = 'https://evil.example'
  const { location } = await newBrowser().open(`/sign-in?redirect_uri=${evil}&return_to=${evil}&state=x`)
  expect(location).not.toContain('evil')
})

test('an operator’s link signs in without the issuer', async () => {
  const { data } = await service.post('/api/v1/sign-in-links', {})
  expect(data.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sign-in\?code=/)
  const browser = newBrowser()
  expect((await browser.follow(data.url.replace(/^http:\/\/[^/]+/, ''))).status).toBe(302)
  expect((await me(browser)).user.id).toBe(service.owner.id)
})

describe('nobody is signed in', () => {
  const strayed = { status: 400, text: expect.stringContaining('was not begun here') }

  test('by an answer that comes back in another browser', async () => {
    const address = await goThrough(newBrowser(), 'ada')
    const other = newBrowser()
    expect(await land(other, address)).toMatchObject(strayed)
    await other.open('/sign-in')
    expect(await land(other, address)).toMatchObject(strayed)
    nobodyIn(other)
  })

  test('by an answer with another state, several, or none', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'x'.repeat(43)),
      (query: URLSearchParams) => query.delete('state'),
      (query: URLSearchParams) => query.append('state', query.get('state') ?? ''),
    ]) {
      const browser = newBrowser()
      const address = new URL(await goThrough(browser, 'ada'))
      change(address.searchParams)
      expect(await land(browser, address.href)).toMatchObject(strayed)
      nobodyIn(browser)
    }
  })

  test('by a ticket that was changed, or made by somebody else', async () => {
    for (const ticket of ['', 'x', `${Math.floor(Date.now() / 1000)}.${'x'.repeat(43)}`]) {
      const browser = newBrowser()
      const address = await goThrough(browser, 'ada')
      browser.jar.set('__Host-atelier-sign-in', ticket)
      expect(await land(browser, address)).toMatchObject(strayed)
    }
  })

  test('ten minutes after it was begun', async () => {
    const browser = newBrowser()
    const address = await goThrough(browser, 'ada')
    service.clock.offset = 601_000
    expect(await land(browser, address)).toMatchObject(strayed)
  })

  test('by an answer that was used already', async () => {
    const browser = newBrowser()
    const begun = await browser.open('/sign-in')
    const ticket = browser.jar.get('__Host-atelier-sign-in') ?? ''
    const address = await issuer.visit(begun.location, 'ada')
    expect((await land(browser, address)).status).toBe(302)
    const thief = newBrowser()
    thief.jar.set('__Host-atelier-sign-in', ticket)
    expect(await land(thief, address)).toMatchObject(strayed)
    nobodyIn(thief)
  })

  test('by the code of another sign-in: it is bound to the browser by PKCE', async () => {
    const victim = new URL(await goThrough(newBrowser(), 'victim'))
    const browser = newBrowser()
    const own = new URL(await goThrough(browser, 'mallory'))
    own.searchParams.set('code', victim.searchParams.get('code') ?? '')
    expect(await land(browser, own.href)).toMatchObject(strayed)
    nobodyIn(browser)
  })

  test('by an answer that names another issuer', async () => {
    const browser = newBrowser()
    const address = new URL(await goThrough(browser, 'ada'))
    address.searchParams.set('iss', 'https://evil.example')
    expect((await land(browser, address.href)).status).toBe(502)
    nobodyIn(browser)
  })

  test('who gave up at the issuer, and the page says so in words that run nowhere', async () => {
    const browser = newBrowser()
    const address = new URL(await goThrough(browser, null))
    expect(address.searchParams.get('error')).toBe('access_denied')
    address.searchParams.set('error', 'access_denied"><script>alert(1)</script>')
    const visit = await land(browser, address.href)
    expect(visit.status).toBe(403)
    expect(visit.text).toContain('<code>access_denied')
    expect(visit.text).not.toContain('<script')
    expect(visit.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('who is deactivated here', async () => {
    const browser = newBrowser()
    await signIn('leaving', browser)
    const { user } = await me(browser)
    await service.patch(`/api/v1/users/${user.id}`, { active: false })
    const again = newBrowser()
    expect(await signIn('leaving', again)).toMatchObject({ status: 403, text: expect.stringContaining('deactivated') })
    nobodyIn(again)
  })

  test('while the issuer is down, and the next try works once it is back', async () => {
    const fresh = await service.another()
    const browser = newBrowser()
    const address = await goThrough(browser, 'ada')
    await issuer.stop()
    const down = { status: 503, text: expect.stringContaining('does not answer'), location: '' }
    const begun = await newBrowser(fresh).open('/sign-in')
    expect(begun).toMatchObject(down)
    expect(begun.headers['retry-after']).toBe('5')
    expect(await land(browser, address)).toMatchObject(down)
    nobodyIn(browser)
    await issuer.start()
    expect((await newBrowser(fresh).open('/sign-in')).status).toBe(302)
    expect((await signIn('ada', browser)).status).toBe(302)
    await fresh.close()
  })

  test('by a client secret that the issuer does not know; the log says why', async () => {
    const { lines, app } = await logged({ ATELIER_OAUTH_CLIENT_SECRET: 'wrong' })
    const browser = newBrowser({ app })
    expect((await land(browser, await goThrough(browser, 'ada'))).status).toBe(502)
    expect(lines()).toContain('invalid_client')
    await app.stop()
  })
})

/** Starts an app on the same database with other settings, and records its log. */
async function logged(environment: Record<string, string> = {}) {
  const kept: string[] = []
  const log = createLog('trace', { write: (line: string) => void kept.push(line) })
  const config = readConfig({ ATELIER_RATE_LIMIT: '0', ATELIER_ADDRESS_RATE_LIMIT: '0', ...settings(), ...environment })
  const app = await createApp({ config, database: shared(service.database), log, clock: service.clock })
  return { app, lines: () => kept.join('') }
}

test('no log has a code, a state, a cookie, a signature or a token in it', async () => {
  const { app, lines } = await logged()
  const browser = newBrowser({ app })
  const address = new URL(await goThrough(browser, 'ada'))
  const ticket = browser.jar.get('__Host-atelier-sign-in') ?? ''
  await land(browser, address.href)
  const { data: link } = await service.post('/api/v1/sign-in-links', {})
  const code = link.url.split('code=')[1]
  await newBrowser({ app }).follow(`/sign-in?code=${code}`)
  await newBrowser({ app }).follow(`/sign-in?code=${code}`)
  const token = await browser.token()
  const { data: files } = await service.post('/api/v1/files/links', { digests: ['0'.repeat(64)] }, { token })
  await newBrowser({ app }).open(files[0].url)
  await newBrowser({ app }).open(files[0].url.replace('signature=', 'signature=x'))
  const secrets = [
    ...[address.searchParams.get('code'), address.searchParams.get('state'), ticket, code, token],
    ...[browser.jar.get(session), files[0].url.split('signature=')[1], browserClient.client_secret],
  ]
  expect(lines()).toContain('"path":"/sign-in/callback"')
  for (const secret of secrets) {
    expect(secret?.length).toBeGreaterThan(20)
    expect(lines()).not.toContain(secret)
  }
  await app.stop()
})
