// Facts about the command palette: on a slow machine, and where more is found than it shows.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { cardLink } from './support/board.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('what is typed right after the palette is opened is in its field', async () => {
  const page = await app.open('/')
  const opener = page.getByRole('button', { name: 'Go to or do' })
  const field = page.getByRole('combobox', { name: /^Go to a task/ })
  await opener.waitFor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  for (const _ of [1, 2]) {
    await opener.click()
    await page.keyboard.type('night owls and others')
    await expect.poll(() => field.inputValue()).toBe('night owls and others')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  }
  expect(app.problems).toEqual([])
})

test('the palette is about the task of the focused card before that task has been read', async () => {
  const task = await app.make.task({ name: 'At hand' })
  const page = await app.open('/?q=At+hand')
  await cardLink(page, 'At hand').waitFor()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, `**/api/v1/tasks/${task.id}`, async (route) => {
    await released
    await route.continue()
  })
  await cardLink(page, 'At hand').focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('move')
  await page.getByRole('option', { name: 'Move “At hand” to …' }).waitFor()
  release()
  expect(app.problems).toEqual([])
})

test('the address of a task opens the task, as it stands in the menu of a card', async () => {
  const task = await app.make.task({ name: 'By its address' })
  const page = await app.open('/graphs')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page
    .getByRole('combobox', { name: /^Go to a task/ })
    .fill(new URL(`/tasks/${task.id}#comments`, page.url()).href)
  await page.getByRole('option', { name: 'Open this task' }).waitFor()
  expect(await page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Comments', selected: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/tasks/${task.id}`)
})

test('a run is found by the name of its graph, however many runs came after it', async () => {
  const [old, later] = [
    await makeGraph(app.service, definitionOf({}), 'Long ago'),
    await makeGraph(app.service, definitionOf({}), 'Later'),
  ]
  const { data: run } = await app.service.post(`/api/v1/graphs/${old.id}/runs`, {})
  for (let made = 0; made < 51; made += 1) await app.service.post(`/api/v1/graphs/${later.id}/runs`, {})
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page.keyboard.type('Later')
  await page.getByRole('group', { name: 'Runs · The first 50; type to narrow' }).waitFor()
  await page.getByRole('combobox', { name: /^Go to a task/ }).fill('draft')
  await page.getByRole('group', { name: 'Runs · Of the latest 50' }).waitFor()
  await page.getByRole('combobox', { name: /^Go to a task/ }).fill('long AGO')
  await page
    .getByRole('group', { name: 'Runs', exact: true })
    .getByRole('option', { name: /^Run of Long ago/ })
    .click()
  await page.waitForURL(`**/runs/${run.id}`)
  expect(app.problems).toEqual([])
})

test('Enter that is pressed before the palette has loaded opens nothing, and what was typed is in its field', async () => {
  const task = await app.make.task({ name: 'Stays shut' })
  const page = await app.open('/?q=Stays')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/command-dialog-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  await cardLink(page, 'Stays shut').focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('move')
  for (const key of ['Enter', 'Tab', 'ArrowDown']) await page.keyboard.press(key)
  release()
  await page.getByRole('option', { name: 'Move “Stays shut” to …' }).waitFor()
  expect(await page.getByRole('combobox', { name: /^Go to a task/ }).inputValue()).toBe('move')
  expect(new URL(page.url()).pathname).not.toContain(task.id)
})

test('of more graphs than are shown it is said that these are the first, and those of one name are told apart', async () => {
  for (let made = 0; made < 51; made += 1) await makeGraph(app.service, { nodes: [], edges: [] }, 'Hooks')
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page.keyboard.type('Hooks')
  const graphs = page.getByRole('group', { name: 'Graphs · The first 6; type to narrow' })
  await graphs.waitFor()
  expect(await graphs.getByRole('option', { name: /^Hooks\s*Changed / }).count()).toBe(6)

  await page.goto(new URL('/automations', page.url()).href)
  await page.getByRole('button', { name: 'New automation' }).click()
  await page.getByRole('combobox', { name: 'run the graph' }).click()
  const choices = page.getByRole('group', { name: 'The first 50; type to narrow' })
  await choices.waitFor()
  expect(await choices.getByRole('option', { name: /^Hooks\s*Changed / }).count()).toBe(50)
  expect(app.problems).toEqual([])
})

/** Goes from the board to a task with a picture, and opens the picture. */
async function overPicture(name: string) {
  const { task, creatives } = await app.make.taskWith([`${name} 1`], { name })
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file })
  const page = await app.open('/')
  const address = `${app.url}/tasks/${task.id}#creatives`
  await page.goto(address)
  const opener = page.getByRole('button', { name: `Open the file of ${name} 1` })
  await opener.click()
  await viewer(page).getByText('400 × 300', { exact: true }).waitFor()
  return { page, address, opener }
}

test('over a picture the palette stands above it, and Escape or a click beside it leads back to the picture', async () => {
  const { page, address, opener } = await overPicture('Looked at')
  const field = page.getByRole('combobox', { name: /^Go to a task/ })
  const leaves = [
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('Control+k'),
    () => page.mouse.click(20, 400),
  ]
  for (const leave of leaves) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('run')
    await focused(page, field)
    expect(await field.inputValue()).toBe('run')
    await page.getByRole('option', { name: 'Runs' }).click({ trial: true })
    await leave()
    await field.waitFor({ state: 'detached' })
    await focused(page, viewer(page))
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'palette-over-viewer')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await isClosed(page)
  expect(page.url()).toBe(address)
  await focused(page, opener)
  expect(app.problems).toEqual([])
})

test('a choice in the palette over a picture closes the picture, and Back leads to the page that was below it', async () => {
  const { page, address } = await overPicture('Left by the palette')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('lookup')
  await page.getByRole('option', { name: 'Lookup', exact: true }).click()
  await page.waitForURL(`${app.url}/lookup`)
  await isClosed(page)
  await page.goBack()
  await page.waitForURL(address)
  await isClosed(page)
  await page.goBack()
  await page.waitForURL(`${app.url}/`)
  expect(app.problems).toEqual([])
})

test('a list in the palette scrolls by wheel also over a dialog of the page', async () => {
  const page = await app.open('/automations')
  await page.getByRole('button', { name: 'New automation' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Control+k')
  const list = page.locator('.command-list')
  await page.getByRole('option').nth(12).waitFor()
  await page.mouse.move(683, 300)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => list.evaluate((element: { scrollTop: number }) => element.scrollTop)).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  // Escape has closed the palette only.
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(app.problems).toEqual([])
})
