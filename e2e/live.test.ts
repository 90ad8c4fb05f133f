// Facts about pages that follow the changes of other users: at once while they are connected; and after a time without connection,
// no change is missing.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Service } from '../server/test/support/harness.ts'
import { makers } from '../server/test/support/make.ts'
import { makeGraph, makeRun } from '../server/test/support/runs.ts'
import { watchEvents } from '../server/test/support/watch.ts'
import { type App, startApp } from './support/app.ts'
import { card, cardLink, column, columnsRead } from './support/board.ts'
import { add, node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Collects the requests about a run that the page sends from now on, each as method, path and query. */
function askedOf(page: Page, runId: string): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith(`/api/v1/runs/${runId}`)) asked.push(`${request.method()} ${pathname}${search}`)
  })
  return asked
}

/** Opens the board, and waits until the page's event stream is connected, so that the page misses no later change. */
async function watching(userId?: string, at = '/'): Promise<Page> {
  const page = await app.open(at, userId === undefined ? {} : { userId })
  await page.locator('.frame[data-live="live"]').waitFor()
  return page
}
/** Creates 60 tasks, of which a board that has not been scrolled shows 50 in a column; `membersOf` gets the index of each task. */
async function sixty(membersOf: (index: number) => Record<string, unknown>): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < 60; index += 1) ids.push((await app.make.task(membersOf(index))).id)
  return ids
}
const count = (page: Page, label: string) => column(page, label).locator('.column-count').first()
const isBoard = (url: URL) => url.pathname === '/api/v1/tasks/board'
/** Whether a request reads only the number of tasks in a column. */
const isTotal = (url: URL) => isBoard(url) && url.searchParams.has('status') && url.searchParams.get('limit') === '1'
const move = async (page: Page, name: string, to: string) => {
  await card(page, name).hover()
  await page.getByRole('button', { name: `Menu of ${name}` }).click()
  await page.getByRole('menuitem', { name: to }).click()
}

test('whoever edits a run while somebody else starts it goes on once the run rests', async () => {
  const { id } = await makeRun(app.service, definitionOf({ words: { type: 'input.text', params: { value: 'x' } } }))
  const page = await app.open(`/runs/${id}?view=edit`)
  await node(page, 'words').waitFor()
  // No worker runs here, so the run is queued until it is cancelled.
  let isFirst = true
  await intercept(page, `**/api/v1/runs/${id}`, async (route) => {
    if (route.request().method() === 'PATCH' && isFirst) {
      isFirst = false
      expect((await app.service.post(`/api/v1/runs/${id}/start`, {})).status).toBe(200)
    }
    await route.continue()
  })
  await add(page, 'number')
  await page.getByRole('alert').filter({ hasText: 'The run is at work' }).waitFor()
  expect((await app.service.post(`/api/v1/runs/${id}/cancel`)).status).toBe(200)
  await page.getByRole('button', { name: 'See both versions' }).waitFor()
})

test('what one person does shows on the board of another without a reload', async () => {
  const colleague = await app.service.person('writer')
  const task = await app.make.task({ name: 'Followed' })
  const [first, second] = [await watching(), await watching(colleague.id)]
  const asked: string[] = []
  await cardLink(column(second, 'Backlog'), 'Followed').waitFor()
  second.on('request', (request) => asked.push(request.url()))

  await move(first, 'Followed', 'Tech check')
  await cardLink(column(second, 'Tech check'), 'Followed').waitFor()
  await expect.poll(() => cardLink(column(second, 'Backlog'), 'Followed').count()).toBe(0)
  // The page has read only the changed card again, and no whole column.
  const reads = asked.filter((url) => url.includes('/tasks/board')).map((url) => new URL(url).searchParams)
  expect(reads.length).toBeGreaterThan(0)
  for (const read of reads) {
    expect(read.get('status')).toBe(null)
    expect(read.get('query')).toContain(`"field":"number","operator":"in","value":[${task.number}]`)
  }

  await first.getByRole('button', { name: 'New task in Backlog' }).click()
  await first.getByLabel('Name of a new task in Backlog').fill('Just thought of')
  await first.keyboard.press('Enter')
  await cardLink(column(second, 'Backlog'), 'Just thought of').waitFor()

  await cardLink(second, 'Followed').click()
  await second.getByRole('tab', { name: 'Comments' }).click()
  await second.getByText('Nobody has said anything yet.').waitFor()
  await first.goto(`${app.url}/tasks/${task.id}`)
  await first.getByRole('tab', { name: 'Comments' }).click()
  await first.getByLabel('Write a comment').fill('Can you look at this?')
  await first.getByRole('button', { name: 'Comment', exact: true }).click()
  const thread = second.getByRole('list', { name: 'Comments' })
  await thread.getByText('Can you look at this?').waitFor()

  await first.getByRole('button', { name: 'Menu of the comment of' }).click()
  await first.getByRole('menuitem', { name: 'Delete' }).click()
  await first.getByRole('menuitem', { name: 'Really delete' }).click()
  await second.getByText('Nobody has said anything yet.').waitFor()
})

test('a change between the first read of a page and its connection for events shows', async () => {
  const task = await app.make.task({ name: 'Changed early' })
  const page = await app.open('/login')
  let connect = (): void => undefined
  const connected = new Promise<void>((resolve) => {
    connect = resolve
  })
  await page.route('**/api/v1/events*', async (route) => {
    await connected
    await route.continue()
  })
  await page.goto(`${app.url}/`)
  await cardLink(column(page, 'Backlog'), 'Changed early').waitFor()
  const others = await watchEvents(app.url, app.service.owner.token)
  await app.service.patch(`/api/v1/tasks/${task.id}`, { name: 'Changed by now' })
  await expect.poll(() => others.seen).toContain(`task/${task.id}`)
  others.close()
  connect()
  await cardLink(column(page, 'Backlog'), 'Changed by now').waitFor()
  await page.unroute('**/api/v1/events*')
})

test('a column counts one less when a card leaves it from a page that was not read', async () => {
  const oldest = await app.make.task({ name: 'The oldest of many', status: 'done' })
  for (let more = 0; more < 59; more += 1) await app.make.task({ name: 'One of many', status: 'done' })
  const page = await app.open('/')
  await page.locator('.frame[data-live="live"]').waitFor()
  const [done, ready] = [count(page, 'Done'), count(page, 'Ready for production')]
  await done.filter({ hasText: '60' }).waitFor()
  await columnsRead(page, 'Ready for production')
  const before = Number(await ready.textContent())
  await app.make.patched(oldest.id, { status: 'ready_for_production' })
  await done.filter({ hasText: '59' }).waitFor()
  await expect.poll(async () => Number(await ready.textContent())).toBe(before + 1)
})

test('a board goes on following changes when the number of tasks in a column could not be read', async () => {
  const [oldest] = await sixty((index) => ({ name: `Uncounted ${index}`, status: 'done' }))
  const page = await watching(undefined, '/?q=Uncounted')
  await count(page, 'Done').filter({ hasText: '60' }).waitFor()
  await columnsRead(page, 'Ready for production')
  let refused = 0
  await intercept(page, isTotal, (route) => {
    refused += 1
    return route.fulfill({ status: 503 })
  })
  await app.make.patched(oldest ?? '', { status: 'ready_for_production' })
  await count(page, 'Done').filter({ hasText: '59' }).waitFor()
  expect(refused).toBeGreaterThan(0)
  await app.make.patched(oldest ?? '', { name: 'Uncounted and followed' })
  await cardLink(column(page, 'Ready for production'), 'Uncounted and followed').waitFor()
})

test.each([
  { when: 'while the move is being saved', name: 'Tallied' },
  { when: 'after the move was saved', name: 'Reckoned' },
])(
  'a number of tasks that was read before a move of one’s own and arrives $when is read again',
  async ({ when, name }) => {
    const ids = await sixty((index) => ({ name: `${name} ${index}`, status: 'done' }))
    const page = await watching(undefined, `/?q=${name}`)
    const done = count(page, 'Done')
    await done.filter({ hasText: '60' }).waitFor()
    await columnsRead(page, 'Ready for production')
    const [counted, mayArrive, maySave] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    let totals = 0
    await intercept(
      page,
      (url) => isTotal(url) && url.searchParams.get('status') === 'done',
      async (route) => {
        totals += 1
        if (totals > 1) return route.fallback()
        const response = await route.fetch()
        counted?.resolve()
        await mayArrive?.promise
        await route.fulfill({ response })
      },
    )
    await intercept(page, `**/api/v1/tasks/${ids[59]}`, async (route) => {
      if (route.request().method() === 'PATCH') await maySave?.promise
      await route.fallback()
    })
    await app.make.patched(ids[0] ?? '', { status: 'ready_for_production' })
    await counted?.promise
    if (when.startsWith('after')) maySave?.resolve()
    await move(page, `${name} 59`, 'Ready for production')
    if (when.startsWith('after')) await page.getByRole('alert').filter({ hasText: 'Moved' }).waitFor()
    await done.filter({ hasText: '59' }).waitFor()
    const arrived = page.waitForResponse((response) => isTotal(new URL(response.url())))
    mayArrive?.resolve()
    await arrived
    maySave?.resolve()
    await expect.poll(() => done.textContent()).toBe('58')
  },
)

test('a new task that belongs on a page that was not read is counted once', async () => {
  const [first] = await sixty((index) => ({
    name: `Dated ${index}`,
    status: 'backlog',
    deadline_at: new Date(Date.UTC(2027, 0, 1 + index)).toISOString(),
  }))
  const page = await watching(undefined, '/?q=Dated&sort=deadline_at')
  await count(page, 'Backlog').filter({ hasText: '60' }).waitFor()
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  await typeInto(page.getByLabel('Name of a new task in Backlog'), 'Dated never')
  await page.keyboard.press('Enter')
  await count(page, 'Backlog').filter({ hasText: '61' }).waitFor()
  // When the page shows this later change, it has processed the report of its own new task too.
  await app.make.patched(first ?? '', { name: 'Dated and renamed' })
  await cardLink(column(page, 'Backlog'), 'Dated and renamed').waitFor()
  await expect.poll(() => count(page, 'Backlog').textContent()).toBe('61')
})

test('a change shows although products have changed while its card was read', async () => {
  const product = await app.make.product('Followed serum')
  const task = await app.make.task({ name: 'Followed product', product_id: product.id })
  const page = await watching(undefined, '/?q=Followed+product')
  await card(page, 'Followed product').getByText('Followed serum').waitFor()
  const held: Route[] = []
  const isOfCards = (url: URL) => isBoard(url) && url.searchParams.get('query')?.includes('"number"') === true
  await intercept(page, isOfCards, (route) => (held.length === 0 ? held.push(route) : route.continue()))
  await app.make.patched(task.id, { name: 'Followed product, renamed' })
  await expect.poll(() => held.length).toBe(1)
  await app.service.patch(`/api/v1/products/${product.id}`, { name: 'Followed cream' })
  await card(page, 'Followed product').getByText('Followed cream').waitFor()
  await held[0]?.continue()
  await cardLink(page, 'Followed product, renamed').waitFor()
})

test('what others did shows although a move of a card has interrupted the read that would have shown it', async () => {
  const ids = await sixty((index) => ({ name: `Interrupted ${index}`, status: 'done' }))
  await app.make.task({ name: 'Interrupted by this', status: 'backlog' })
  const page = await watching(undefined, '/?q=Interrupted')
  await columnsRead(page, 'Backlog', 'Tech check', 'Ready for production', 'Done')
  const held: Route[] = []
  const isOfColumn = (url: URL) => isBoard(url) && url.searchParams.get('status') === 'ready_for_production'
  await intercept(page, isOfColumn, (route) => (held.length === 0 ? held.push(route) : route.continue()))
  // The page has no card of these tasks yet, and there are too many new tasks to read one by one: it reads all columns again.
  await app.service.post('/api/v1/tasks/bulk', { ids: ids.slice(0, 10), patch: { status: 'ready_for_production' } })
  await expect.poll(() => held.length).toBe(1)
  await move(page, 'Interrupted by this', 'Tech check')
  await cardLink(column(page, 'Ready for production'), 'Interrupted 9').waitFor()
  await cardLink(column(page, 'Tech check'), 'Interrupted by this').waitFor()
})

test('the number of creatives at their tab follows what others add', async () => {
  const { task } = await app.make.taskWith(['Counted_01'], { name: 'Counted' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('tab', { name: 'Creatives 1' }).waitFor()
  await app.make.creative(task.id)
  await expect.poll(() => page.getByRole('tab', { name: 'Creatives 2' }).count()).toBe(1)
})

test('the list of runs shows what others start and cancel', async () => {
  const words = { type: 'input.text', version: 1, params: { value: 'x' } }
  const [graph, other] = [
    await makeGraph(app.service, { schema: 1, nodes: { words }, edges: [] }, 'Followed graph'),
    await makeGraph(app.service, { schema: 1, nodes: { words }, edges: [] }, 'Another graph'),
  ]
  await app.service.post(`/api/v1/graphs/${other.id}/runs`, {})
  const page = await app.open('/runs')
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('link', { name: /Another graph/ }).waitFor()
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const row = page.getByRole('listitem').filter({ hasText: 'Followed graph' })
  await row.getByText('Draft').waitFor()
  // No worker is running in these tests, so the run stays in the queue until it is cancelled.
  await app.service.post(`/api/v1/runs/${run.id}/start`, {})
  await row.getByText('Queued').waitFor()
  await app.service.post(`/api/v1/runs/${run.id}/cancel`, {})
  await row.getByText('Cancelled').waitFor()
  expect(await row.count()).toBe(1)
})

test('a page of a run reads what others did to it as changes, what was done on it too, and never the whole run again', async () => {
  const words = { type: 'input.text', version: 1, params: { value: 'x' } }
  const graph = await makeGraph(app.service, { schema: 1, nodes: { words }, edges: [] }, 'Read as changes')
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const page = await app.open(`/runs/${run.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  const status = page.getByRole('status').filter({ hasText: /Draft|Queued|Cancelled/ })
  await status.getByText('Draft').waitFor()
  const asked = askedOf(page, run.id)
  await app.service.post(`/api/v1/runs/${run.id}/start`, {})
  await status.getByText('Queued').waitFor()
  await app.service.post(`/api/v1/runs/${run.id}/cancel`, {})
  await status.getByText('Cancelled').waitFor()
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('menuitem', { name: /^Everything/ }).click()
  await status.getByText('Queued').waitFor()
  const writes = asked.filter((one) => one.startsWith('POST') && !one.endsWith('/plan'))
  expect(writes).toEqual([`POST /api/v1/runs/${run.id}/start`])
  // The page never reads the whole run again, only its changes. Requests for its history and its costs are not checked here.
  const reads = asked.filter((one) => one.startsWith('GET') && !/\/(?:history|costs)/.test(one))
  expect(reads.length).toBeGreaterThanOrEqual(3)
  for (const read of reads) expect(read).toContain(`/api/v1/runs/${run.id}/changes?since=`)
})

test('a browser without a network says so until it is back', async () => {
  const page = await watching()
  await page.context().setOffline(true)
  await page.getByText('Offline', { exact: true }).waitFor()
  await page.context().setOffline(false)
  await page.getByText('Offline', { exact: true }).waitFor({ state: 'detached' })
  expect(await page.getByText('You are offline.').count()).toBe(0)
})

test('a page says that its connection is lost, and is whole again when the service is back', async () => {
  const page = await watching()
  const graph = await makeGraph(app.service, { schema: 1, nodes: {}, edges: [] }, 'Read whole again')
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const ofRun = await app.open(`/runs/${run.id}`)
  await ofRun.locator('.frame[data-live="live"]').waitFor()
  const asked = askedOf(ofRun, run.id)
  const port = Number(new URL(app.url).port)
  const next: Service = await app.service.another()
  await app.service.app.server.close()
  await page.getByText('Reconnecting…').waitFor()

  // The open page gets no event about this task: it is connected to no service when the task is created.
  await makers(next).task({ name: 'Made meanwhile' })
  await next.app.server.listen({ port, host: '127.0.0.1' })
  await cardLink(column(page, 'Backlog'), 'Made meanwhile').waitFor()
  await expect.poll(() => asked).toContain(`GET /api/v1/runs/${run.id}/changes`)
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' })

  await makers(next).task({ name: 'Made after it' })
  await cardLink(column(page, 'Backlog'), 'Made after it').waitFor()
  expect(await page.locator('.frame').getAttribute('data-live')).toBe('live')
  await next.close()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
