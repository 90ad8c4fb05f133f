// Facts about changes of a task that could not be saved, because the service was out of reach or could not write. They are saved when
// that is over, even if the user has closed the task; but not if somebody else has changed the same member meanwhile.
import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Task' })
const field = (page: Page, label: string): Locator => panel(page).getByLabel(label, { exact: true })
const memberOf = async (id: string, member: string): Promise<unknown> =>
  (await app.make.read(`/api/v1/tasks/${id}`))[member]

/** Opens a task, goes offline, and writes a hypothesis and notes, which are not saved. */
async function writtenOffline(name: string) {
  const task = await app.make.task({ name, hypothesis: 'Before', notes: 'Before' })
  const page = await app.open(`/tasks/${task.id}`)
  await field(page, 'Hypothesis').waitFor()
  await page.context().setOffline(true)
  for (const label of ['Hypothesis', 'Notes']) {
    await field(page, label).fill('From the tunnel')
    await field(page, label).blur()
  }
  await expect.poll(() => panel(page).getByText('the service cannot be reached').count()).toBe(2)
  const saved = () => Promise.all(['hypothesis', 'notes'].map((member) => memberOf(task.id, member)))
  return { task, page, saved }
}

const both = ['From the tunnel', 'From the tunnel']

test('they are saved when another tab of the task is open by then, and when the task is closed', async () => {
  for (const leave of [
    (page: Page) => panel(page).getByRole('tab', { name: 'Activity' }).click(),
    (page: Page) => page.getByRole('button', { name: 'Close' }).first().click(),
  ]) {
    const { page, saved } = await writtenOffline('Left without a connection')
    await leave(page)
    await field(page, 'Hypothesis').waitFor({ state: 'detached' })
    expect(await saved()).toEqual(['Before', 'Before'])
    await page.context().setOffline(false)
    await expect.poll(saved).toEqual(both)
    await page.close()
  }
})

test('what somebody else has saved stays, a message says so, and its button leads to what was typed', async () => {
  const { task, page, saved } = await writtenOffline('Both at once')
  await panel(page).getByRole('tab', { name: 'Activity' }).click()
  await field(page, 'Hypothesis').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close' }).first().click()
  await panel(page).waitFor({ state: 'detached' })
  await app.make.patched(task.id, { hypothesis: 'From the office' })
  await page.context().setOffline(false)
  await expect.poll(saved).toEqual(['From the office', 'From the tunnel'])
  const message = page.getByRole('alert').filter({ hasText: 'A change of “Both at once” is not saved.' })
  await message.waitFor()
  await keepShot(page, 'late-save-refused')
  await message.getByRole('button', { name: 'Open it' }).click()
  await panel(page).getByText('From the office').waitFor()
  expect(await field(page, 'Hypothesis').inputValue()).toBe('From the tunnel')
})

test('a field that is there again by then saves its text itself, once', async () => {
  const { task, page, saved } = await writtenOffline('There again')
  await panel(page).getByRole('tab', { name: 'Activity' }).click()
  await panel(page).getByRole('tab', { name: 'Details' }).click()
  await field(page, 'Hypothesis').waitFor()
  await page.context().setOffline(false)
  await expect.poll(saved).toEqual(both)
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/activity`)
  expect(items.filter(({ kind }: { kind: string }) => kind === 'task_changed')).toHaveLength(2)
})

const full = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    status: 503,
    code: 'database_unavailable',
    detail: 'The disk of the database is full: nothing is written until an operator makes room on it.',
  }),
}

/**
 * Opens a task and writes its notes. The service answers the first `times` attempts to save them with `answer`; the stream of events
 * stays open meanwhile.
 */
async function writtenOnFullDisk(name: string, times: number, answer = full) {
  const task = await app.make.task({ name, notes: 'Before' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.clock.install()
  await page.reload()
  await page.locator('.frame[data-live="live"]').waitFor()
  await field(page, 'Notes').waitFor()
  let refusals = 0
  await intercept(page, `**/api/v1/tasks/${task.id}`, (route) =>
    route.request().method() === 'PATCH' && ++refusals <= times ? route.fulfill(answer) : route.continue(),
  )
  await typeInto(field(page, 'Notes'), 'While the disk was full')
  await field(page, 'Notes').blur()
  const note = panel(page).getByRole('alert')
  await note.waitFor()
  return { page, note, refusals: () => refusals, saved: () => memberOf(task.id, 'notes') }
}

test('a field that a full disk kept from being saved says so, and is saved soon after that is over, with nothing else told', async () => {
  const { page, note, refusals, saved } = await writtenOnFullDisk('On a full disk', 2)
  const words = 'Not saved: The disk of the database is full: nothing is written until an operator makes room on it.'
  expect(await note.textContent()).toContain(`${words} It is saved as soon as that is over.`)
  await keepShot(page, 'not-saved-full-disk')
  await page.clock.fastForward(2_000)
  await expect.poll(refusals).toBe(2)
  expect(await saved()).toBe('Before')
  await page.clock.fastForward(4_000)
  await expect.poll(saved).toBe('While the disk was full')
  await note.waitFor({ state: 'detached' })
})

test('while another attempt is under way, the buttons of its note are off', async () => {
  const { page, note, saved } = await writtenOnFullDisk('Tried again on a full disk', 1)
  let writes = 0
  const held: Route[] = []
  await intercept(page, /\/api\/v1\/tasks\/[^/?]+$/, (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    writes += 1
    return held.push(route)
  })
  const discard = note.getByRole('button', { name: 'Discard' })
  await note.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => discard.getAttribute('aria-disabled')).toBe('true')
  for (const name of ['Discard', 'Try again']) await note.getByRole('button', { name }).press('Enter')
  expect(await field(page, 'Notes').inputValue()).toBe('While the disk was full')
  for (const route of held) await route.continue()
  await expect.poll(saved).toBe('While the disk was full')
  await note.waitFor({ state: 'detached' })
  expect(writes).toBe(1)
})

test('Escape while text is being saved discards only what was typed after it', async () => {
  const task = await app.make.task({ name: 'Discarded too late', topic: 'Before' })
  const page = await app.open(`/tasks/${task.id}`)
  const topic = field(page, 'Topic')
  await topic.waitFor()
  const held: Route[] = []
  const sent: unknown[] = []
  await intercept(page, `**/api/v1/tasks/${task.id}`, (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    sent.push(route.request().postDataJSON())
    return held.push(route)
  })
  await typeInto(topic, 'New')
  await topic.blur()
  await expect.poll(() => held.length).toBe(1)
  await typeInto(topic, 'New and more')
  await topic.press('Escape')
  await expect.poll(() => topic.inputValue()).toBe('New')
  await topic.blur()
  await held[0]?.continue()
  await expect.poll(() => memberOf(task.id, 'topic')).toBe('New')
  expect(await topic.inputValue()).toBe('New')
  expect(sent).toEqual([{ topic: 'New' }])
})

test('it is saved when the task is closed by then, too', async () => {
  const { page, refusals, saved } = await writtenOnFullDisk('Closed on a full disk', 2)
  await page.getByRole('button', { name: 'Close the task' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await page.clock.fastForward(2_000)
  await expect.poll(refusals).toBe(2)
  await page.clock.fastForward(4_000)
  await expect.poll(saved).toBe('While the disk was full')
})

/** Opens a task, and gives its one creative another name without a connection, which is not saved. */
async function renamedOffline(name: string) {
  const task = await app.make.task({ name: `${name}, a task` })
  const creative = await app.make.creative(task.id, { name })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const typed = panel(page).getByRole('textbox', { name: `Name of ${name}` })
  await typed.waitFor()
  await page.context().setOffline(true)
  await typeInto(typed, `${name}, renamed`)
  await typed.blur()
  await panel(page).getByText('the service cannot be reached').waitFor()
  const nameNow = async () => (await app.make.read(`/api/v1/creatives/${creative.id}`)).name
  return { creative, page, typed, nameNow }
}
const closeTask = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Close the task' }).click()
  await panel(page).waitFor({ state: 'detached' })
}

test('the name of a creative is saved when another tab of the task is open by then, and when the task is closed', async () => {
  const leaves = {
    'Creative in another tab': (page: Page) => panel(page).getByRole('tab', { name: 'Activity' }).click(),
    'Creative of a closed task': closeTask,
  }
  for (const [name, leave] of Object.entries(leaves)) {
    const { page, typed, nameNow } = await renamedOffline(name)
    await leave(page)
    await typed.waitFor({ state: 'detached' })
    expect(await nameNow()).toBe(name)
    await page.context().setOffline(false)
    await expect.poll(nameNow).toBe(`${name}, renamed`)
    await page.close()
  }
})

test('a name that somebody else has given a creative stays, and a button leads to the one that was typed', async () => {
  const { creative, page, nameNow } = await renamedOffline('Creative of two')
  await closeTask(page)
  await app.service.patch(`/api/v1/creatives/${creative.id}`, { name: 'Creative of two, from the office' })
  await page.context().setOffline(false)
  const message = page.getByRole('alert').filter({ hasText: 'A change of “Creative of two” is not saved.' })
  await message.getByRole('button', { name: 'Open it' }).click()
  const typed = panel(page).getByRole('textbox', { name: 'Name of Creative of two, from the office' })
  await expect.poll(() => typed.inputValue()).toBe('Creative of two, renamed')
  expect(await nameNow()).toBe('Creative of two, from the office')
})

test('a change of which only the answer was lost is not said to be refused', async () => {
  const { creative, page, nameNow } = await renamedOffline('Creative saved unseen')
  await closeTask(page)
  await app.service.patch(`/api/v1/creatives/${creative.id}`, { name: 'Creative saved unseen, renamed' })
  const isWritten = page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && answer.url().endsWith(`/creatives/${creative.id}`),
  )
  await page.context().setOffline(false)
  expect((await isWritten).ok()).toBe(true)
  expect(await nameNow()).toBe('Creative saved unseen, renamed')
})

test('where a proxy alone has answered, the service is said to be out of reach', async () => {
  const { page, note, saved } = await writtenOnFullDisk('Behind a proxy', 1, {
    status: 502,
    contentType: 'text/html',
    body: '<h1>Bad Gateway</h1>',
  })
  expect(await note.textContent()).toContain('the service cannot be reached. It is saved as soon as the connection is')
  await page.clock.fastForward(2_000)
  await expect.poll(saved).toBe('While the disk was full')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
