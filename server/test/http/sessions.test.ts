// Facts about sessions: how a link signs a browser in, what the session allows, and how it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cookiesOf } from '../../src/features/sessions/cookies.ts'
import { forgetOldSessions } from '../../src/features/sessions/store.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.clock.offset = 0
})

const newBrowser = () => openBrowser(service.app.server)
const me = (token: string) => service.get('/api/v1/users/me', { token })

/** The path of a new sign-in link. */
async function link(userId?: string): Promise<string> {
  const { data } = await service.post('/api/v1/sign-in-links', userId === undefined ? {} : { user_id: userId })
  return data.url.replace(/^http:\/\/[^/]+/, '')
}
async function signedIn(userId?: string): Promise<Browser> {
  const browser = newBrowser()
  await browser.follow(await link(userId))
  return browser
}

describe('a sign-in link', () => {
  test('signs the browser in as the owner, and leads to the web app', async () => {
    const browser = newBrowser()
    const visit = await browser.follow(await link())
    expect(visit).toMatchObject({ status: 302, location: './' })
    expect(visit.cookies).toEqual([
      expect.stringMatching(/^atelier-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(visit.headers['cache-control']).toBe('no-store')
    const { data } = await me(await browser.token())
    expect(data).toMatchObject({ kind: 'person', user: { id: service.owner.id, role: 'admin' } })
    expect(data.scopes).toContain('admin')
  })

  test('is for the person it names, and says until when', async () => {
    const { id } = await service.person('writer')
    const { data } = await service.post('/api/v1/sign-in-links', { user_id: id })
    expect(data.user_id).toBe(id)
    const minutes = (Date.parse(data.expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThan(15.1)
    const { data: caller } = await me(await (await signedIn(id)).token())
    expect(caller).toMatchObject({ user: { id } })
    expect(caller.scopes).not.toContain('admin')
  })

  test('is refused for nobody', async () => {
    for (const user_id of ['nobody', '00000000-0000-7000-8000-000000000000']) {
      const { status, body } = await service.post('/api/v1/sign-in-links', { user_id })
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'user_id']])
    }
  })

  test('is good once: the second browser gets a page that says what to do', async () => {
    const path = await link()
    await newBrowser().follow(path)
    const late = await newBrowser().follow(path)
    expect(late.status).toBe(410)
    expect(late.cookies).toEqual([])
    expect(late.text).toContain('npm run sign-in')
  })

  test('opened again by the browser it signed in, leads on and signs nobody in anew', async () => {
    const path = await link()
    const browser = newBrowser()
    await browser.follow(path)
    expect(await browser.follow(path)).toMatchObject({ status: 302, location: './', cookies: [] })
  })

  test('opened fifty times at once signs one browser in', async () => {
    const path = await link()
    const visits = await Promise.all(Array.from({ length: 50 }, () => newBrowser().follow(path)))
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(1)
    expect(visits.filter(({ status }) => status === 410)).toHaveLength(49)
  })

  test('opened by a program that looks at links in messages, is not used up, and gives away nothing', async () => {
    const path = await link()
    for (let look = 0; look < 3; look++) {
      const preview = await newBrowser().open(path, { 'user-agent': 'Slackbot-LinkExpanding 1.0' })
      expect([preview.status, preview.cookies]).toEqual([200, []])
      expect(preview.text).toContain('Sign in</button>')
      expect(preview.text).toContain('as Owner')
    }
    expect((await newBrowser().follow(path)).status).toBe(302)
  })

  test('used by a page that is not ours signs nobody in, and is not used up', async () => {
    const path = await link()
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]) {
      const visit = await newBrowser().follow(path, headers)
      expect([visit.status, visit.cookies]).toEqual([403, []])
    }
    expect((await newBrowser().follow(path)).status).toBe(302)
  })

  test('its page lets its form be sent to us only, and says who sends it', async () => {
    const { headers } = await newBrowser().open(await link())
    expect(headers['content-security-policy']).toContain("form-action 'self'; frame-ancestors 'none'")
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['cache-control']).toBe('no-store')
  })

  test('is over after 15 minutes', async () => {
    const path = await link()
    await service.rows(`update sign_in_links set expires_at = now() - interval '1 second' where used_at is null`)
    expect((await newBrowser().follow(path)).status).toBe(410)
  })

  test.each(['', 'x', 'x'.repeat(43), '%00', '%ff', "'; drop table sessions --"])(
    'with the code %j is none',
    async (code) => {
      expect((await newBrowser().follow(`/sign-in?code=${encodeURIComponent(code)}`)).status).toBe(410)
    },
  )

  test('is not used up by a HEAD request, or from another machine', async () => {
    const path = await link()
    expect((await service.app.server.inject({ method: 'HEAD', url: path })).statusCode).toBe(200)
    const far = await openBrowser(service.app.server, { ip: '203.0.113.7' }).follow(path)
    expect([far.status, far.cookies]).toEqual([403, []])
    expect(far.text).toContain('ATELIER_SIGN_IN_LINKS=anywhere')
    const proxied = await newBrowser().follow(path, { 'x-forwarded-for': '203.0.113.7' })
    expect(proxied.status).toBe(403)
    expect((await newBrowser().follow(path)).status).toBe(302)
  })

  test('of a deactivated person signs nobody in', async () => {
    const { id } = await service.person('writer')
    const path = await link(id)
    await service.patch(`/api/v1/users/${id}`, { active: false })
    const visit = await newBrowser().follow(path)
    expect([visit.status, visit.cookies]).toEqual([403, []])
    expect(visit.text).toContain('deactivated')
  })

  test('keeps nothing but a hash', async () => {
    const path = await link()
    const code = path.replace('/sign-in?code=', '')
    const browser = newBrowser()
    await browser.follow(path)
    const [{ all }] = await service.rows(
      'select (select json_agg(l) from sign_in_links l)::text || (select json_agg(s) from sessions s)::text as all',
    )
    expect(all).not.toContain(code)
    expect(all).not.toContain(browser.jar.get('atelier-session'))
    expect(all).not.toContain(Buffer.from(code).toString('hex'))
  })
})

test('the page at /sign-in says where a link comes from, and may load nothing but pictures of ours', async () => {
  const { status, text, headers } = await newBrowser().open('/sign-in')
  expect(status).toBe(200)
  expect(text).toContain('<code>npm run sign-in</code>')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect((await newBrowser().open('/sign-in/callback?code=x&state=y')).status).toBe(404)
})

test('whether and how a browser is signed in is told', async () => {
  const browser = await signedIn()
  const ask = async (who: Browser) => JSON.parse((await who.send('GET', '/session')).text)
  const told = { method: 'link', sign_in_path: '/sign-in', issuer: null }
  expect(await ask(browser)).toEqual({ signed_in: true, ...told })
  expect(await ask(newBrowser())).toEqual({ signed_in: false, ...told })
})

describe('a session', () => {
  const refused = (code: string, status: number) => ({ status, text: expect.stringContaining(`"code":"${code}"`) })

  test('is good for nothing under /api/v1', async () => {
    const browser = await signedIn()
    expect(await browser.send('GET', '/api/v1/users/me')).toMatchObject(refused('unauthenticated', 401))
  })

  test('gives tokens that every process takes', async () => {
    const browser = await signedIn()
    const other = await service.another()
    expect((await other.get('/api/v1/users/me', { token: await browser.token() })).status).toBe(200)
    const { jar } = browser
    const elsewhere = openBrowser(other.app.server)
    for (const [name, value] of jar) elsewhere.jar.set(name, value)
    expect((await me(await elsewhere.token())).status).toBe(200)
    await other.close()
  })

  test('gives no token without the cookie, or with one that is not known', async () => {
    expect(await newBrowser().send('POST', '/session/token')).toMatchObject(refused('not_signed_in', 401))
    const browser = newBrowser()
    for (const value of ['', 'x', 'y'.repeat(43), '"']) {
      browser.jar.set('atelier-session', value)
      expect(await browser.send('POST', '/session/token')).toMatchObject(refused('not_signed_in', 401))
    }
  })

  test.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://atelier.test:8080' }],
    ['in a sandbox', { origin: 'null' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
  ])('gives no token to a page %s, and is not ended by one', async (_what, headers) => {
    const browser = await signedIn()
    expect(await browser.send('POST', '/session/token', headers)).toMatchObject(refused('foreign_origin', 403))
    expect(await browser.send('DELETE', '/session', headers)).toMatchObject(refused('foreign_origin', 403))
    expect((await me(await browser.token())).status).toBe(200)
  })

  test('gives no token where no origin is told', async () => {
    const cookie = [...(await signedIn()).jar].map((pair) => pair.join('=')).join()
    const answer = await service.app.server.inject({ method: 'POST', url: '/session/token', headers: { cookie } })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'foreign_origin'])
  })

  test('is another at each sign-in, and the one before is over', async () => {
    const browser = await signedIn()
    const before = new Map(browser.jar)
    const token = await browser.token()
    await browser.follow(await link())
    expect(browser.jar.get('atelier-session')).not.toBe(before.get('atelier-session'))
    expect((await me(token)).status).toBe(401)
    const left = newBrowser()
    for (const [name, value] of before) left.jar.set(name, value)
    expect((await left.send('POST', '/session/token')).status).toBe(401)
  })

  test('ends at a sign-out, with its tokens, here and in other processes', async () => {
    const browser = await signedIn()
    const other = await service.another()
    const cookie = browser.jar.get('atelier-session') ?? ''
    const token = await browser.token()
    expect((await other.get('/api/v1/users/me', { token })).status).toBe(200)
    const out = await browser.send('DELETE', '/session')
    expect([out.status, out.text]).toEqual([204, ''])
    expect(out.cookies).toEqual(['atelier-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'])
    expect((await me(token)).status).toBe(401)
    await expect.poll(async () => (await other.get('/api/v1/users/me', { token })).status).toBe(401)
    browser.jar.set('atelier-session', cookie)
    expect((await browser.send('POST', '/session/token')).status).toBe(401)
    expect((await newBrowser().send('DELETE', '/session')).status).toBe(204)
    await other.close()
  })

  test('of a deactivated person is over at once, and so are its tokens', async () => {
    const { id } = await service.person('writer')
    const browser = await signedIn(id)
    const token = await browser.token()
    expect((await me(token)).status).toBe(200)
    await service.patch(`/api/v1/users/${id}`, { active: false })
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await browser.send('POST', '/session/token')).toMatchObject(refused('not_signed_in', 401))
    expect(JSON.parse((await browser.send('GET', '/session')).text).signed_in).toBe(false)
  })

  test('follows the role of its person at once', async () => {
    const { id } = await service.person('writer')
    const token = await (await signedIn(id)).token()
    expect((await service.post('/api/v1/tasks', { name: 'Yes' }, { token })).status).toBe(200)
    await service.patch(`/api/v1/users/${id}`, { role: 'reader' })
    expect((await service.post('/api/v1/tasks', { name: 'No' }, { token })).status).toBe(403)
  })

  test.each([
    ['after 30 days, however much it was used', 'expires_at', '1 second'],
    ['after a week in which no page was open', 'last_used_at', '7 days 1 second'],
  ])('is over %s, and forgotten', async (_what, column, age) => {
    const { id } = await service.person('reader')
    const browser = await signedIn(id)
    await service.rows(`update sessions set ${column} = now() - $1::interval where user_id = $2`, [age, id])
    expect((await browser.send('POST', '/session/token')).status).toBe(401)
    await forgetOldSessions(service.database.main)
    expect(await service.rows('select id from sessions where user_id = $1', [id])).toEqual([])
    expect((await me(await (await signedIn()).token())).status).toBe(200)
  })
})

describe('a token of a session', () => {
  test('ends after the time it says, also one that was just used', async () => {
    const browser = await signedIn()
    const { token, expires_in, user_id } = JSON.parse((await browser.send('POST', '/session/token')).text)
    expect([expires_in, user_id]).toEqual([600, service.owner.id])
    service.clock.offset = 599_000
    expect((await me(token)).status).toBe(200)
    service.clock.offset = 600_500
    const late = await me(token)
    expect(late).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(late.body.detail).toContain('POST /session/token')
  })

  test('is none with a character changed, anywhere', async () => {
    const token = await (await signedIn()).token()
    expect(token).toMatch(/^ats_[\w-]{72}$/)
    for (let place = 4; place < token.length; place++) {
      const other = token[place] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, place) + other + token.slice(place + 1)
      expect((await me(changed)).status, `changed at ${place}`).toBe(401)
    }
  })
})

describe('behind a proxy with TLS', () => {
  const publicUrl = 'https://atelier.example'
  let secured: Service
  beforeAll(async () => {
    secured = await startService({
      PUBLIC_URL: publicUrl,
      ATELIER_SIGN_IN_LINKS: 'anywhere',
      ATELIER_TRUSTED_PROXIES: 'loopback',
    })
  })
  afterAll(() => secured.close())

  test('links lead to the public address and are taken from anywhere; the cookie is bound to it', async () => {
    const { data } = await secured.post('/api/v1/sign-in-links', {})
    expect(data.url).toMatch(/^https:\/\/atelier\.example\/sign-in\?code=[\w-]{43}$/)
    const browser = openBrowser(secured.app.server, { host: 'inside:3000', origin: publicUrl })
    const visit = await browser.follow(data.url.slice(publicUrl.length), { 'x-forwarded-for': '203.0.113.7' })
    expect(visit.cookies).toEqual([
      expect.stringMatching(
        /^__Host-atelier-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ])
    expect((await secured.get('/api/v1/users/me', { token: await browser.token() })).status).toBe(200)
  })
})

describe('with a public address with TLS, and links for this machine only', () => {
  const publicUrl = 'https://atelier.example'
  let local: Service
  beforeAll(async () => {
    local = await startService({ PUBLIC_URL: publicUrl })
  })
  afterAll(() => local.close())

  /** Signs a new browser in by a link that is opened at this host. */
  async function signedInAt(host: string, origin = `http://${host}`) {
    const { data } = await local.post('/api/v1/sign-in-links', {})
    const { pathname, search } = new URL(data.url)
    const path = pathname + search
    const browser = openBrowser(local.app.server, { host, origin })
    return { browser, path, visit: await browser.follow(path) }
  }
  const isIn = async (browser: Browser) => JSON.parse((await browser.open('/session')).text).signed_in
  const as = async (browser: Browser) => (await local.get('/api/v1/users/me', { token: await browser.token() })).status

  test('a link signs in at the address of the machine, by a cookie that browsers keep without TLS', async () => {
    const { browser, path, visit } = await signedInAt('127.0.0.1:3000')
    expect(visit.cookies).toEqual([
      expect.stringMatching(/^atelier-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect([await as(browser), await isIn(browser)]).toEqual([200, true])
    expect(await browser.follow(path)).toMatchObject({ status: 302, location: './' })
    const token = await browser.token()
    expect((await browser.send('DELETE', '/session')).cookies).toEqual([expect.stringMatching(/^atelier-session=;/)])
    expect((await local.get('/api/v1/users/me', { token })).status).toBe(401)
  })

  test.each(['atelier.example', 'inside:3000'])(
    'a cookie without TLS signs nobody in at the public address, where the service is asked as %s',
    async (host) => {
      const [name, value] = [...(await signedInAt('127.0.0.1:3000')).browser.jar][0] ?? ['', '']
      const victim = openBrowser(local.app.server, { host, origin: publicUrl })
      victim.jar.set(name, value)
      expect((await victim.send('POST', '/session/token')).status).toBe(401)
      const { browser, visit } = await signedInAt(host, publicUrl)
      expect(visit.cookies).toEqual([expect.stringMatching(/^__Host-atelier-session=.*; Secure$/)])
      browser.jar.set(name, value)
      expect((await browser.send('DELETE', '/session')).cookies).toEqual([
        expect.stringMatching(/^__Host-atelier-session=;/),
      ])
      expect((await browser.send('POST', '/session/token')).status).toBe(401)
    },
  )

  test('a cookie without TLS is not looked at on the public host, nor where links may be opened from anywhere', async () => {
    const { browser } = await signedInAt('127.0.0.1:3000')
    const victim = openBrowser(local.app.server, { host: 'Atelier.example', origin: publicUrl })
    for (const [name, value] of browser.jar) victim.jar.set(name, value)
    expect(await isIn(victim)).toBe(false)
    const anywhere = cookiesOf({ publicUrl, signInLinks: 'anywhere' })
    for (const said of [{ host: '127.0.0.1:3000' }, { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }]) {
      expect(anywhere.session(said).read('atelier-session=x')).toBe(null)
      expect(anywhere.session(said).write('x')).toContain('; Secure')
    }
  })
})
