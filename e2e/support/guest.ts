// In charge of coming to a review as a guest in tests.
import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { typeInto } from './fields.ts'

/** Opens a guest link, by its `url` as the API gives it, without a session. */
export async function openAsGuest(app: App, url: string, how: Parameters<App['open']>[1] = {}): Promise<Page> {
  const guest = await app.open('/', how)
  await guest.context().clearCookies()
  await guest.goto(`${app.url}/guest${new URL(url, app.url).hash}`)
  return guest
}

export async function enter(guest: Page, name = 'Grace'): Promise<void> {
  await typeInto(guest.getByRole('textbox', { name: 'Your name' }), name)
  await guest.getByRole('button', { name: 'Look at it' }).press('Enter')
}
