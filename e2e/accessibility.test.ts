// Facts about every page: axe finds nothing in either theme, on a wide screen and a phone, nor in dialogs and menus.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { cardLink } from './support/board.ts'

let app: App
let taskId: string
beforeAll(async () => {
  app = await startApp()
  const { task } = await app.make.taskWith(['Axe_01'], { name: 'A task to look at', priority: 1, count: 2 })
  taskId = task.id
  await app.make.comment(task.id)
  await app.make.patched(task.id, { assignee_id: app.service.owner.id, deadline_at: '2020-01-01T00:00:00Z' })
  const gone = await app.make.task({ name: 'A task that is gone' })
  await app.make.deleted(`/api/v1/tasks/${gone.id}`)
  await app.make.product('Glow Serum')
  const lost = await app.make.taskWith(['Lost_01'], { name: 'Lost its name' })
  await app.make.deleted(`/api/v1/tasks/${lost.task.id}`)
  await app.make.taskWith(['Lost_01'], { name: 'Has it now' })
})
afterAll(() => app.close())

const ready: Record<string, (page: Page) => Promise<unknown>> = {
  '/': (page) => cardLink(page, 'A task that is gone').waitFor(),
  '/tasks/:id': (page) => page.getByLabel('Name of the task').waitFor(),
  '/lookup': (page) => page.getByRole('heading', { name: 'Lookup' }).waitFor(),
  '/graphs': (page) => page.getByRole('main').waitFor(),
  '/runs': (page) => page.getByRole('main').waitFor(),
  '/automations': (page) => page.getByText('Nothing happens by itself yet').waitFor(),
  '/people': (page) => page.getByRole('rowheader', { name: 'Owner' }).waitFor(),
  '/products': (page) => page.getByLabel('Name of Glow Serum').waitFor(),
  '/tokens': (page) =>
    page
      .getByRole('button', { name: /Revoke/ })
      .first()
      .waitFor(),
}

describe.for(['light', 'dark'] as const)('%s', (colorScheme) => {
  test('no page has anything that axe objects to', async () => {
    const page = await app.open('/', { colorScheme })
    const found: string[] = []
    for (const [place, isReady] of Object.entries(ready)) {
      await page.goto(app.url + place.replace(':id', taskId))
      await isReady(page)
      found.push(...(await violations(page)).map((line) => `${place} ${line}`))
    }
    expect(found).toEqual([])
  })

  test('dialogs and menus have nothing that axe objects to either', async () => {
    const page = await app.open('/', { colorScheme })
    const found: string[] = []
    const look = async (what: string, without: readonly string[] = []) =>
      found.push(...(await violations(page, without)).map((line) => `${what} ${line}`))
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByTitle('Field', { exact: true }).selectOption({ label: 'Geo' })
    await look('filter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByText('Next, previous card').waitFor()
    await look('shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Restore Lost its name' }).click()
    await page.getByLabel('New name').waitFor()
    await look('conflicts')
    await page.getByRole('button', { name: 'Leave it deleted' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu of A task to look at' }).click({ force: true })
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    // While it is open, a menu lies over the page and in none of its regions.
    await look('menu', ['region'])
    expect(found).toEqual([])
  })

  test('neither have the other parts of an open task, on a phone', async () => {
    const page = await app.open(`/tasks/${taskId}`, { colorScheme, viewport: { width: 390, height: 844 } })
    const found: string[] = []
    for (const [tab, list] of [
      ['Creatives', 'Creatives'],
      ['Comments', 'Comments'],
      ['Activity', 'Activity'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('list', { name: list }).waitFor()
      found.push(...(await violations(page)).map((line) => `${tab} ${line}`))
    }
    expect(found).toEqual([])
  })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
