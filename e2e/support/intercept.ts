// In charge of answering requests of a page in place of the service, from now on and with none let through.
import type { Page, Route } from 'playwright-core'

/**
 * Lets `handler` answer the requests to `url` of a page that is open. A page that had no route before may still send requests past
 * `page.route` for a moment after it has returned: Chromium tells the page's process of it by another way than keys take. So this
 * also asks for an address that only a route answers, until it is answered. Not needed before a page is loaded.
 */
export async function intercept(
  page: Page,
  url: string | ((url: URL) => boolean),
  handler: (route: Route) => unknown,
): Promise<void> {
  const asked = '/is-intercepted'
  await page.route(`**${asked}`, (route) => route.fulfill({ status: 204 }))
  await page.route(url, handler)
  const isAnswered = () => page.evaluate(`fetch('${asked}').then((answer) => answer.status === 204)`)
  while (!(await isAnswered()));
  await page.unroute(`**${asked}`)
}
