// In charge of starting the web app under test: the real service with a database of its own, a browser, and signed-in users.
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
   * Opens the page at `path` in its own browser context, signed in as a user (by default the owner) by a one-time link. `pressing`:
   * signs in by the button of the sign-in page, as people do. `cold`: uses a browser context that has loaded nothing yet. The page
   * is closed when the calling test ends.
   */
  open(
    path: string,
    options?: BrowserContextOptions & { userId?: string; pressing?: boolean; cold?: boolean },
  ): Promise<Page>
  /** The errors of all pages so far: script errors and console errors, such as violations of the content security policy. */
  problems: string[]
  close(): Promise<void>
}

/**
 * How long in ms a page may take to show an awaited element. The time is long because a busy machine is slow; it costs nothing,
 * since only a test that fails waits so long.
 */
const patience = 30_000

/** If above 0, each request of a page is delayed by a random time up to this many ms: so tests that act too early fail. */
const slowest = Number(process.env.ATELIER_TEST_SLOW_PAGES ?? 0)
async function answerLate(route: Route): Promise<void> {
  await delay(Math.random() * slowest)
  // Continuing fails if the page was closed in the meantime.
  await route.continue().catch(() => undefined)
}

/** Starts the service and the browser. The settings in `environment` and the node types are added to those that all tests have. */
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
        // “Failed to load resource” is ignored: the console logs this for every error response, even if the page handles it.
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

/** Starts the service, which also serves the built web app. Returns the service and its URL. */
export async function startServed(environment: Record<string, string> = {}, moreNodeTypes: readonly NodeType[] = []) {
  const web = readWeb(path.resolve(import.meta.dirname, '../../web/dist'))
  if (!web) throw new Error('The web app has not been built.')
  const service = await startService(environment, undefined, moreNodeTypes, { web })
  return { service, url: await service.app.server.listen({ port: 0, host: '127.0.0.1' }) }
}

type Opened = { context: BrowserContext; page: Page }

/**
 * Opens pages in browser contexts that behave like new ones. A test reuses the context of an earlier test with the same options:
 * the context has cached the app's files, and loading these into a new context takes seconds. All else that it stores is removed.
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

/** Removes all data that pages of the app have stored in the browser context. */
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

/** Signs in by the request that the button of the sign-in page sends. The button would also load the app, which costs time. */
async function signIn({ request }: BrowserContext, link: string): Promise<void> {
  const { origin, searchParams } = new URL(link)
  const form = { code: searchParams.get('code') ?? '' }
  const answer = await request.post(`${origin}/sign-in`, { form, headers: { origin }, maxRedirects: 0 })
  if (answer.status() !== 302) throw new Error(`Nobody was signed in: ${answer.status()} ${await answer.text()}`)
}

/** Makes a one-time link that signs a user in; the service has the address `url`. */
export async function signInLink(service: Service, url: string, userId: string): Promise<string> {
  const { data } = await service.post('/api/v1/sign-in-links', { user_id: userId })
  const link = new URL(data.url)
  return new URL(link.pathname + link.search, url).href
}
