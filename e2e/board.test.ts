// Facts about the board: what its URL stores, what two users see, and adding, opening and editing tasks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { card, cardLink, column } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a filter is in the address and survives a reload', async () => {
  await app.make.task({ name: 'Urgent one', priority: 1 })
  await app.make.task({ name: 'Calm one', priority: 4 })
  const page = await app.open('/')
  await cardLink(page, 'Calm one').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter the board' })
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByTitle('Field', { exact: true }).selectOption({ label: 'Priority' })
  await dialog.getByTitle('Operator').selectOption({ label: 'is at most' })
  await dialog.getByTitle('Value').fill('2')
  await dialog.getByRole('button', { name: 'Show tasks' }).click()
  await cardLink(page, 'Calm one').waitFor({ state: 'detached' })
  await cardLink(page, 'Urgent one').waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toContain('"field":"priority"')
  await page.reload()
  await cardLink(page, 'Urgent one').waitFor()
  expect(await cardLink(page, 'Calm one').count()).toBe(0)
})

test('a view is saved under a name, and the focus is back on the button of the views', async () => {
  await app.make.task({ name: 'In a view' })
  const page = await app.open('/?q=In+a+view')
  const views = page.getByRole('button', { name: 'Unsaved view' })
  await views.press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await focused(page, dialog.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await focused(page, views)
  await views.press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view' }).press('Enter')
  await typeInto(dialog.getByRole('textbox', { name: 'Name' }), 'Mine')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await focused(page, page.getByRole('button', { name: 'Mine', exact: true }))
  expect(await views.count()).toBe(0)
})

test('what the service refuses of a filter is told in the builder', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Filter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByTitle('Field', { exact: true }).selectOption({ label: 'Deadline' })
  await dialog.getByRole('button', { name: 'Show tasks' }).click()
  expect(await dialog.getByRole('alert').textContent()).toMatch(/datetime/)
})

test('a day in a filter lasts from midnight to midnight where the user is', async () => {
  await app.make.task({ name: 'Due before midnight', deadline_at: '2026-11-01T03:59:00.000Z' })
  await app.make.task({ name: 'Due after midnight', deadline_at: '2026-11-01T04:01:00.000Z' })
  const rule = { field: 'deadline_at', operator: '=', value: '2026-10-31' }
  const filter = JSON.stringify({ combinator: 'and', rules: [rule] })
  const page = await app.open(`/?filter=${encodeURIComponent(filter)}`, { timezoneId: 'America/New_York' })
  await cardLink(page, 'Due before midnight').waitFor()
  expect(await cardLink(page, 'Due after midnight').count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('filter')).toBe(filter)
})

test('a filter that leaves no room for what the board adds is told in the builder', async () => {
  const rules = Array.from({ length: 49 }, () => ({ field: 'priority', operator: '!=', value: 5 }))
  const filter = JSON.stringify({ combinator: 'and', rules })
  const page = await app.open(`/?filter=${encodeURIComponent(filter)}`)
  await page.getByRole('button', { name: 'Filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter the board' })
  await dialog.getByRole('button', { name: 'Show tasks' }).click()
  expect(await dialog.getByRole('alert').textContent()).toMatch('at most 48 conditions')
})

test('a second person sees what the first one did', async () => {
  const colleague = await app.service.person('writer')
  const task = await app.make.task({ name: 'Seen by two' })
  const [first, second] = [await app.open('/'), await app.open('/', { userId: colleague.id })]
  await cardLink(column(second, 'Backlog'), 'Seen by two').waitFor()
  await card(first, 'Seen by two').hover()
  await first.getByRole('button', { name: 'Menu of Seen by two' }).click()
  await first.getByRole('menuitem', { name: 'Tech check' }).click()
  await cardLink(column(first, 'Tech check'), 'Seen by two').waitFor()
  await expect.poll(async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).status).toBe('tech_check')
  await cardLink(column(second, 'Tech check'), 'Seen by two').waitFor()
})

test('a task is added by its name, opened, and edited in place', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Ready for production' }).click()
  await page.getByLabel('Name of a new task in Ready for production').fill('Written by hand')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Ready for production'), 'Written by hand').click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Subject').fill('Summer')
  await panel.getByLabel('Topic', { exact: true }).click()
  await panel.getByLabel('Name of the task').fill('Written twice')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Ready for production'), 'Written twice').waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  expect(await app.make.read(`/api/v1/tasks/${id}`)).toMatchObject({ name: 'Written twice', subject: 'Summer' })
})

test('a new task that the search or the filter hides is said to be there, and can be opened; one that they show is just there', async () => {
  const rule = { field: 'priority', operator: '=', value: 1 }
  const filter = encodeURIComponent(JSON.stringify({ combinator: 'and', rules: [rule] }))
  for (const [address, why] of [
    ['/?q=Quietly', 'The search does not show it.'],
    [`/?filter=${filter}`, 'The filter does not show it.'],
  ] as const) {
    const page = await app.open(address)
    await page.getByRole('button', { name: 'New task in Backlog' }).click()
    const name = page.getByLabel('Name of a new task in Backlog')
    const told = page.getByRole('alert').filter({ hasText: why })
    if (address.includes('q=')) {
      await typeInto(name, 'Quietly added')
      await page.keyboard.press('Enter')
      await cardLink(column(page, 'Backlog'), 'Quietly added').waitFor()
    }
    await typeInto(name, 'Out of sight')
    await page.keyboard.press('Enter')
    await told.getByText('Added “Out of sight”.').waitFor()
    expect(await page.getByText('Added “Quietly added”.').count()).toBe(0)
    await told.getByRole('button', { name: 'Open it' }).click()
    await page.getByRole('heading', { name: 'Out of sight' }).waitFor()
    expect(new URL(page.url()).search).not.toBe('')
  }
})

test('a change somebody else made to the same field is not undone', async () => {
  const task = await app.make.task({ name: 'Two writers', subject: 'first' })
  const page = await app.open(`/tasks/${task.id}`)
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Subject').waitFor()
  await app.make.patched(task.id, { subject: 'theirs', topic: 'theirs' })
  await panel.getByLabel('Audience').fill('mine')
  await panel.getByLabel('Audience').press('Enter')
  await expect.poll(async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).audience).toBe('mine')
  const topic = panel.getByLabel('Topic', { exact: true })
  await topic.fill('mine')
  await app.make.patched(task.id, { topic: 'theirs again', subject: 'seen' })
  // The page shows the other user's change of another field, and leaves the text that this user is typing as it is.
  await expect.poll(() => panel.getByLabel('Subject').inputValue()).toBe('seen')
  expect(await topic.inputValue()).toBe('mine')
  await topic.press('Enter')
  await panel.getByText('You changed this elsewhere').waitFor()
  expect(await topic.inputValue()).toBe('mine')
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).topic).toBe('theirs again')
})

test('a pack is recorded as live from the menu of its task, and its creatives show the campaign id', async () => {
  const { task } = await app.make.taskWith(['Pack_01', 'Pack_02'], { name: 'Goes live whole' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const record = async (id: string) => {
    await page.getByRole('button', { name: 'Menu of the task' }).click()
    await page.getByRole('menuitem', { name: 'Record a launch of the pack' }).click()
    await page.getByLabel('Campaign id').fill(id)
    await page.getByRole('button', { name: 'Record the launch' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  // Five digits are probably no campaign id. The lookup could never find creatives by them, so the form asks for confirmation.
  await page.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Record a launch of the pack' }).click()
  await page.getByLabel('Campaign id').fill('12345')
  await page.getByRole('button', { name: 'Record the launch' }).click()
  await page.getByText('This does not look like a campaign id').waitFor()
  await page.getByRole('button', { name: 'Record it all the same' }).waitFor()
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).ad_id).toBe(null)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await record('120216239968820875')
  await expect.poll(() => page.getByText('120216239968820875', { exact: true }).count()).toBe(2)
  await record('120216239968820875')
  await page.getByText('That was recorded before').waitFor()

  await page.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Launches, and corrections' }).click()
  const dialog = page.getByRole('dialog', { name: 'Launches' })
  await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
  await dialog.getByLabel('Campaign id').fill('120216239968820999')
  await keepShot(page, 'launch-correction')
  await dialog.getByRole('button', { name: 'Correct it' }).click()
  await dialog.getByText('corrected it').waitFor()
  await dialog.getByText('the campaign id is 120216239968820999').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'launches')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByText('120216239968820999', { exact: true }).count()).toBe(2)
})

test('whoever records a launch of a creative that was renamed meanwhile is told that no creative has the name', async () => {
  const { task, creatives } = await app.make.taskWith(['Before'], { name: 'Renamed meanwhile' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Menu of Before' }).click()
  await page.getByRole('menuitem', { name: 'Record a launch' }).click()
  const dialog = page.getByRole('dialog', { name: 'The creative went live' })
  await typeInto(dialog.getByLabel('Campaign id'), '23852150404470777')
  await intercept(page, '**/creatives/launches', async (route) => {
    await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { name: 'After' })
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Record the launch' }).click()
  const told = page.getByRole('alert').filter({ hasText: 'No creative has this name any more' })
  await told.getByText('kept for “Before”').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Menu of After').waitFor()
})

test('an automation at work is not shown as stalled on a computer whose clock is an hour ahead', async () => {
  const { id } = await app.make.task({ name: 'Under way' })
  await app.service.rows(
    `update tasks set automation_state = 'running', automation_started_at = now_ms() where id = $1`,
    [id],
  )
  const page = await app.open('/?q=Under')
  await page.addInitScript('const right = Date.now; Date.now = () => right() + 3_600_000')
  await page.reload()
  const mark = card(page, 'Under way').getByRole('button', { name: /Running|Stalled/ })
  await mark.waitFor()
  expect(await mark.textContent()).toBe('Running')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
