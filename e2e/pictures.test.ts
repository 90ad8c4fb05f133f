// Facts about pictures: on cards, in a task, in the gallery, and in the full-size viewer, which is used by mouse and by keyboard.
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tilesFor } from '../web/src/board/gallery-places.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { card, cardLink } from './support/board.ts'
import { focusIs } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { loaded, shows, viewer } from './support/viewer.ts'

let app: App
let taskId: string
beforeAll(async () => {
  app = await startApp()
  const { task } = await app.make.taskWith(['Without'], { name: 'With pictures', status: 'in_progress' })
  taskId = task.id
  for (const [name, width, height] of [
    ['First', 1600, 1200],
    ['Second', 300, 250],
  ] as const) {
    await app.make.creative(taskId, { name, file: await app.make.file(await picture(width, height), 'image/png') })
  }
  await app.make.creative(taskId, { name: 'Third', file: await app.make.file('no film at all') })
  await app.make.task({ name: 'Without pictures', status: 'in_progress' })
})
afterAll(() => app.close())

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()

test('a card shows the first picture of its task, small, and leads to all of them in full size', async () => {
  const page = await app.open('/')
  const own = card(page, 'With pictures')
  const cover = `[data-card="${taskId}"] .card-cover img`
  await loaded(page, cover)
  expect(await own.locator('img').getAttribute('src')).toContain('/thumbnail?')
  expect(await card(page, 'Without pictures').locator('.card-cover').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'board-covers')
  await own.hover()
  await own.getByRole('button', { name: 'Look at the pictures of With pictures' }).click()
  await shows(page, 'First', '1600 × 1200')
  await viewer(page).getByText('1 of 3').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer')
  await viewer(page).getByRole('button', { name: 'Close (Esc)' }).click()
  await viewer(page).waitFor({ state: 'detached' })
})

test('over a picture of 9:16 one sees what apps cover, and over others there is nothing to see', async () => {
  const { task, creatives } = await app.make.taskWith(['Tall'], { name: 'Full screen' })
  const file = await app.make.file(await picture(1080, 1920), 'image/png')
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of Tall' }).click()
  await shows(page, 'Tall', '1080 × 1920')
  const zone = (name: string) => viewer(page).getByRole('img', { name: `Safe zone of ${name}` })
  await viewer(page).getByRole('button', { name: 'Safe zone of Reels (z)' }).click()
  await zone('Reels').waitFor()
  const [whole, free] = [
    await viewer(page).getByRole('img', { name: 'Tall' }).boundingBox(),
    await zone('Reels').boundingBox(),
  ]
  expect((free?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(0.88, 2)
  expect((free?.height ?? 0) / (whole?.height ?? 1)).toBeCloseTo(0.51, 2)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-safe-zone')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => ((await zone('Reels').boundingBox())?.width ?? 1000) < 390).toBe(true)
  const bar: number = await page.evaluate(`document.querySelector('.viewer-bar').scrollWidth`)
  expect(bar).toBeLessThanOrEqual(390)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-safe-zone-phone')
  await page.keyboard.press('z')
  await zone('Shorts').waitFor()
  await page.keyboard.press('z')
  await zone('Shorts').waitFor({ state: 'detached' })
})

test('a creative with the same file as the one before it has its size shown too', async () => {
  const { task, creatives } = await app.make.taskWith(['One', 'Other'], { name: 'Twice the same' })
  const file = await app.make.file(await picture(320, 240), 'image/png')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of One' }).click()
  await shows(page, 'One', '320 × 240')
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Other', '320 × 240')
  expect(await viewer(page).getByText('2 of 2').isVisible()).toBe(true)
})

test('a cover comes with a file that somebody puts on a creative meanwhile', async () => {
  const { task, creatives } = await app.make.taskWith(['Later'], { name: 'Filled later', status: 'in_progress' })
  const page = await app.open('/')
  await cardLink(page, 'Filled later').waitFor()
  await page.locator('[data-live="live"]').waitFor()
  const file = await app.make.file(await picture(64, 64), 'image/png')
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file })
  await loaded(page, `[data-card="${task.id}"] .card-cover img`)
  expect(await card(page, 'Filled later').locator('.card-cover').count()).toBe(1)
})

test('by keyboard one goes from picture to picture, nearer and back, and returns to where one was', async () => {
  const page = await app.open(`/tasks/${taskId}#creatives`)
  const opener = page.getByRole('button', { name: 'Open the file of First' })
  await loaded(page, '[aria-label="Open the file of First"] img')
  await opener.press('Enter')
  await shows(page, 'First', '1600 × 1200')
  await viewer(page).getByText('No run made it: somebody put it on the card.').waitFor()
  const scale = viewer(page).locator('output')
  const isScaled = (to: string | null) => expect.poll(() => scale.textContent()).toBe(to)
  const whole = await scale.textContent()
  await page.keyboard.press('1')
  await isScaled('100 %')
  await page.keyboard.press('0')
  await isScaled(whole)
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Second', '300 × 250')
  // A picture that is smaller than the viewer is not enlarged.
  await isScaled('100 %')
  await page.keyboard.press('ArrowRight')
  await viewer(page).getByText('This file cannot be shown here.').waitFor()
  await page.keyboard.press('Home')
  await shows(page, 'First', '1600 × 1200')
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  await focusIs(page, 'Open the file of First')
  // Escape has closed only the viewer; the task is still open.
  expect(new URL(page.url()).pathname).toBe(`/tasks/${taskId}`)
})

test('the gallery shows pictures alone, filtered as the columns are, and is remembered', async () => {
  const done = await app.make.task({ name: 'Finished with pictures', status: 'done' })
  const file = await app.make.file(await picture(400, 300), 'image/png')
  await app.make.creative(done.id, { name: 'Last', file })
  const page = await app.open('/')
  const gallery = page.getByRole('region', { name: 'Gallery' })
  const looks = (name: string) => gallery.getByRole('button', { name: `Look at the pictures of ${name}`, exact: true })
  await page.getByRole('button', { name: 'Gallery', exact: true }).click()
  await Promise.all([looks('With pictures').waitFor(), looks('Finished with pictures').waitFor()])
  expect(new URL(page.url()).searchParams.get('layout')).toBe('gallery')
  expect(await gallery.getByRole('link', { name: 'Without pictures' }).count()).toBe(0)
  await loaded(page, `.gallery [data-card="${taskId}"] img`)
  const widthOf = async (part: string) => (await gallery.locator(part).boundingBox())?.width ?? 0
  expect(await widthOf('li >> nth=0')).toBe(tilesFor(await widthOf('ul')).width)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'gallery')

  await page.goto(`${app.url}/?q=finished`)
  await looks('Finished with pictures').waitFor()
  expect(await looks('With pictures').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await focusIs(page, 'Look at the pictures of Finished with pictures')
  await loaded(page, `.gallery [data-card="${done.id}"] img`)
  await page.keyboard.press('Enter')
  await shows(page, 'Last', '400 × 300')
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  await focusIs(page, 'Look at the pictures of Finished with pictures')

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await cardLink(page, 'Finished with pictures').waitFor()
  expect(await gallery.count()).toBe(0)
})

test('a task gets variants from a matrix, and is duplicated with them and without its creatives', async () => {
  const page = await app.open(`/tasks/${taskId}`)
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByRole('button', { name: 'From a matrix' }).click()
  const dialog = page.getByRole('dialog', { name: 'Variants from a matrix' })
  for (const [side, count] of [
    ['Angles', 3],
    ['Hooks', 2],
  ] as const) {
    await dialog.getByRole('combobox', { name: side }).click()
    const options = page.getByRole('listbox', { name: side }).getByRole('option')
    for (let at = 0; at < count; at += 1) await options.nth(at).click()
    await dialog.getByText('One variant for each combination').click()
    await page.getByRole('listbox', { name: side }).waitFor({ state: 'hidden' })
  }
  await dialog.getByText('6 new variants.').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'matrix')
  await dialog.getByRole('button', { name: 'Make variants' }).click()
  await dialog.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Edit variant v6' }).waitFor()

  await panel.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate, without creatives' }).click()
  await panel.getByRole('heading', { name: 'With pictures (copy)' }).waitFor()
  await panel.getByRole('button', { name: 'Edit variant v6' }).waitFor()
  await panel.getByRole('tab', { name: 'Creatives', exact: true }).waitFor()
})

test('variants are edited in the cells of their table, and taken over from a sheet that is pasted, which can be undone', async () => {
  const { id } = await app.make.task({
    name: 'A sheet',
    variants: [
      { key: 'v1', variation_num: 1 },
      { key: 'v2', variation_num: 2 },
    ],
  })
  const variants = async () => (await app.service.get(`/api/v1/tasks/${id}`)).data.variants
  const page = await app.open(`/tasks/${id}`)
  const cell = (name: string) => page.getByLabel(name, { exact: true })
  await cell('Audience of variant v1').fill('Commuters')
  await page.keyboard.press('ArrowDown')
  await focusIs(page, 'Audience of variant v2')
  await page.keyboard.type('Parents')
  await page.keyboard.press('Enter')
  const angle = cell('Angle of variant v1')
  const chosen = await angle.locator('option').nth(1).getAttribute('value')
  await angle.selectOption(chosen)
  await expect.poll(variants).toMatchObject([
    { audience: 'Commuters', messaging_angle: chosen },
    { audience: 'Parents', messaging_angle: null },
  ])

  const sheet = 'Key\tAudience\tBudget\nv2\tStudents\t3\nhero\tRunners\t4\n'
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(sheet)})`)
  await cell('Key of variant v1').focus()
  await page.keyboard.press('Control+v')
  const dialog = page.getByRole('dialog', { name: 'Variants from a sheet' })
  await dialog.getByText('1 new variant, 1 changed.').waitFor()
  await dialog.getByText('Column “Budget” is left out').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'sheet')
  await dialog.getByRole('button', { name: 'Take them over' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(variants).toMatchObject([{ key: 'v1' }, { audience: 'Students' }, { key: 'hero' }])
  await cell('Audience of variant hero').waitFor()
  await keepShot(page, 'variants')
  const theirs = { key: 'theirs', variation_num: 9 }
  const kept = (await variants()).map((variant: TaskVariant) => ({ ...variant, completed: undefined }))
  const patched = await app.service.patch(`/api/v1/tasks/${id}`, { variants: [...kept, theirs] })
  expect(patched.status).toBe(200)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(variants).toMatchObject([{ key: 'v1' }, { audience: 'Parents' }, theirs])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
