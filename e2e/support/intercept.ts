// In charge of answering requests of a page in place of the service, from now on and with none let through.
import type { Page, Route } from 'playwright-core'

/**
 * Lets `handler` answer the requests to `url` of a page that is already open. A request that the page sends right after `page.route`
 * has returned may still reach the service: Chromium sends routes and keys to the page over different channels, so a key that
 * is pressed later may arrive earlier. This function therefore adds a route for an address that the service does not have, and
 * requests that address until the route answers. A page that is loaded after `page.route` does not need this.
 */
export async function intercept(
  page: Page,
  url: string | RegExp | ((url: URL) => boolean),
  handler: (route: Route) => unknown,
): Promise<void> {
  const asked = '/is-intercepted'
  await page.route(`**${asked}`, (route) => route.fulfill({ status: 204 }))
  await page.route(url, handler)
  const isAnswered = () => page.evaluate(`fetch('${asked}').then((answer) => answer.status === 204)`)
  while (!(await isAnswered()));
  await page.unroute(`**${asked}`)
}
