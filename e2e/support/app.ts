// In charge of the web app under test: the real service with its own database, a browser, and users signed in to the app.
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { NodeType } from '../../server/src/nodes/node-type.ts'
import { readWeb } from '../../server/src/platform/http/web.ts'
import { type Service, startService } from '../../server/test/support/harness.ts'
import { makers } from '../../server/test/support/make.ts'
import { testBrowser } from './browsers.ts'

export type App = {
  service: Service
  url: string
  make: ReturnType<typeof makers>
  /**
   * Opens a page in its own browser context, signed in with a one-time link as a user (by default the owner). `pressing`: presses
   * the button of the sign-in page to sign in. `cold`: uses a browser context that has loaded nothing yet. The page is closed when
   * the calling test ends.
   */
  open(
    path: string,
    options?: BrowserContextOptions & { userId?: string; pressing?: boolean; cold?: boolean },
  ): Promise<Page>
  /** Errors in any page so far: script errors and console errors, such as violations of the content security policy. */
  problems: string[]
  close(): Promise<void>
}

/**
 * How long in ms a page may take to show an awaited element. The time is long because a busy machine is slow; it costs nothing,
 * since only a test that fails waits so long.
 */
const patience = 30_000

/** Each request of a page is delayed by a random time of up to this many ms, to find tests that act before the page is ready. */
const slowest = Number(process.env.ATELIER_TEST_SLOW_PAGES ?? 0)
async function answerLate(route: Route): Promise<void> {
  await delay(Math.random() * slowest)
  // Continuing fails if the page was closed in the meantime.
  await route.continue().catch(() => undefined)
}

/** Starts the service and the browser. The settings (`environment`) and node types are added to those that every test has. */
export async function startApp(
  environment: Record<string, string> = {},
  moreNodeTypes: readonly NodeType[] = [],
): Promise<App> {
  const { service, url } = await startServed(environment, moreNodeTypes)
  const { launch, options: optionsOf, canForget } = testBrowser()
  const browser = await launch()
  const openPage = pagesIn(browser, canForget)
  const problems: string[] = []
  return {
    service,
    url,
    make: makers(service),
    problems,
    async open(path, { userId = service.owner.id, pressing = false, cold = false, ...options } = {}) {
      const wanted = optionsOf({ viewport: { width: 1366, height: 768 }, ...options })
      const { context, page } = await openPage(url, cold, wanted)
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        // The console also logs error responses that the page handles, as failed resources; these are ignored.
        if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
          problems.push(message.text())
      })
      const link = await signInLink(service, url, userId)
      await (pressing ? pressSignIn(page, link) : signIn(context, link))
      await page.goto(url + path)
      return page
    },
    async close() {
      await browser.close()
      await service.close()
    },
  }
}

/** Starts the service, which serves the built web app too; returns the service and its URL. */
export async function startServed(environment: Record<string, string> = {}, moreNodeTypes: readonly NodeType[] = []) {
  const web = readWeb(path.resolve(import.meta.dirname, '../../web/dist'))
  if (!web) throw new Error('The web app has not been built.')
  const service = await startService(environment, undefined, moreNodeTypes, { web })
  return { service, url: await service.app.server.listen({ port: 0, host: '127.0.0.1' }) }
}

type Opened = { context: BrowserContext; page: Page }

/**
 * Opens pages in browser contexts that behave like new ones. When a test is over, its context is reused for the next test with the
 * same options, because loading the app's files takes a new context seconds. All other data of the context is removed.
 */
function pagesIn(
  browser: Browser,
  canForget: boolean,
): (url: string, cold: boolean, options: BrowserContextOptions) => Promise<Opened> {
  const free = new Map<string, BrowserContext[]>()
  return async (url, cold, options) => {
    const wanted = JSON.stringify(options)
    const used = cold ? undefined : free.get(wanted)?.pop()
    const context = used ?? (await newContext(browser, options))
    onTestFinished(async () => {
      if (!canForget) return context.close()
      for (const page of context.pages()) await page.close()
      await context.clearCookies()
      await context.clearPermissions()
      await context.setOffline(options.offline ?? false)
      free.set(wanted, [...(free.get(wanted) ?? []), context])
    })
    const page = await context.newPage()
    if (used) await clearStorage(page, url)
    return { context, page }
  }
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(patience)
  if (slowest > 0) await context.route('**/*', answerLate)
  return context
}

/** Removes the data that the app's pages have stored in the browser. */
async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  })
  await session.detach()
}

async function pressSignIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
}

/** Sends what the button on the sign-in page sends. The button would also load the app, and the test would then load it again. */
async function signIn({ request }: BrowserContext, link: string): Promise<void> {
  const { origin, searchParams } = new URL(link)
  const form = { code: searchParams.get('code') ?? '' }
  const answer = await request.post(`${origin}/sign-in`, { form, headers: { origin }, maxRedirects: 0 })
  if (answer.status() !== 302) throw new Error(`Nobody was signed in: ${answer.status()} ${await answer.text()}`)
}

/** Makes a one-time URL that signs a user in at the service under `url`. */
export async function signInLink(service: Service, url: string, userId: string): Promise<string> {
  const { data } = await service.post('/api/v1/sign-in-links', { user_id: userId })
  const link = new URL(data.url)
  return new URL(link.pathname + link.search, url).href
}
