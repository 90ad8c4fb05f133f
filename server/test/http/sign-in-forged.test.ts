// Facts about signing in at a real issuer whose response is not valid for the request: another nonce, another challenge, another
// key, an invalid subject, or a person whom the issuer has deleted.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Browser, openBrowser, type Visit } from '../support/browser.ts'
import { type Service, startService } from '../support/harness.ts'
import { audience, browserClient, type Issuer, startIssuer } from '../support/issuer.ts'
import { sendMessage, userDeletedMessage, webhookSecret } from '../support/provider.ts'

let issuer: Issuer
let service: Service
beforeAll(async () => {
  issuer = await startIssuer()
  service = await startService({
    PUBLIC_URL: audience,
    ATELIER_OAUTH_ISSUER: issuer.url,
    ATELIER_OAUTH_CLIENT_ID: browserClient.client_id,
    ATELIER_OAUTH_CLIENT_SECRET: browserClient.client_secret,
    ATELIER_WEBHOOK_SECRETS: webhookSecret,
  })
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await service.close()
  await issuer.stop()
})

const newBrowser = () => openBrowser(service.app.server, { host: 'inside:3000', origin: audience })
/** Signs in at the issuer; `change` may modify the query of the address to which the service redirects the browser. */
async function signIn(login: string, browser: Browser, change = (_query: URLSearchParams) => {}): Promise<Visit> {
  const begun = new URL((await browser.open('/sign-in')).location)
  change(begun.searchParams)
  const address = await issuer.visit(begun.href, login)
  return browser.open(address.slice(audience.length), { 'sec-fetch-site': 'cross-site' })
}
const isIn = (browser: Browser) => browser.jar.has('__Host-atelier-session')

test('the ID token of a sign-in with another nonce signs nobody in, nor does one without', async () => {
  for (const change of [
    (query: URLSearchParams) => query.set('nonce', 'x'.repeat(43)),
    (query: URLSearchParams) => query.delete('nonce'),
  ]) {
    const browser = newBrowser()
    expect((await signIn('ada', browser, change)).status).toBe(502)
    expect(isIn(browser)).toBe(false)
  }
})

test('a code that was asked for with another challenge signs nobody in', async () => {
  const browser = newBrowser()
  const other = Buffer.from('another verifier of forty-three characters!').toString('base64url').slice(0, 43)
  expect((await signIn('ada', browser, (query) => query.set('code_challenge', other))).status).toBe(400)
  expect(isIn(browser)).toBe(false)
})

test('after the issuer has changed its key sign-ins go on within a minute, and not by the key before', async () => {
  // The service looks up unknown keys at most once a minute, so the test moves the clock itself.
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 3_600_000)
  expect((await signIn('ada', newBrowser())).status).toBe(302)
  await issuer.rotate('second')
  const early = newBrowser()
  expect((await signIn('ada', early)).status).toBe(502)
  expect(isIn(early)).toBe(false)
  vi.setSystemTime(Date.now() + 61_000)
  const late = newBrowser()
  expect((await signIn('ada', late)).status).toBe(302)
  expect(isIn(late)).toBe(true)
})

test('a subject that is longer than one may be signs nobody in, and the next sign-in works', async () => {
  const browser = newBrowser()
  expect((await signIn('x'.repeat(256), browser)).status).toBe(502)
  expect(isIn(browser)).toBe(false)
  expect((await signIn('x'.repeat(255), browser)).status).toBe(302)
})

test('whom the provider has deleted before the first sign-in gets the page that says so', async () => {
  expect((await sendMessage(service, userDeletedMessage('deleted'))).status).toBe(204)
  for (const browser of [newBrowser(), newBrowser()]) {
    expect(await signIn('deleted', browser)).toMatchObject({
      status: 403,
      text: expect.stringContaining('deactivated'),
    })
    expect(isIn(browser)).toBe(false)
  }
})
