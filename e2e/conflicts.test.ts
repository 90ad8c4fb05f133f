// Facts about text that is typed but not saved: because another user saved first, the connection was lost, or the page was left.
import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focusIs } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
let colleague: { id: string }
beforeAll(async () => {
  app = await startApp()
  colleague = await app.service.person('writer')
})
afterAll(() => app.close())

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Task' })
const field = (page: Page, label: string): Locator => panel(page).getByLabel(label, { exact: true })
/** The message that appears below a field whose text is not saved. */
const note = (page: Page): Locator => panel(page).getByRole('alert')
const choose = (page: Page, name: string) => note(page).getByRole('button', { name, exact: true }).click()
const memberOf = async (id: string, member: string): Promise<unknown> =>
  (await app.make.read(`/api/v1/tasks/${id}`))[member]
const expectMember = (id: string, member: string, value: unknown) => expect.poll(() => memberOf(id, member)).toBe(value)

/** Makes a task and opens it for the owner (`mine`) and for the colleague (`theirs`), who is called “A writer”. */
async function inFrontOfBoth(name: string, members: Record<string, unknown> = {}) {
  const task = await app.make.task({ name, ...members })
  const [mine, theirs] = [
    await app.open(`/tasks/${task.id}`),
    await app.open(`/tasks/${task.id}`, { userId: colleague.id }),
  ]
  for (const page of [mine, theirs]) {
    await page.locator('.frame[data-live="live"]').waitFor()
    await field(page, 'Hypothesis').waitFor()
  }
  return { task, mine, theirs }
}

/** Fills in a field but leaves the focus in it, so that the text is not saved yet. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).fill(text)
}
async function write(page: Page, label: string, text: string): Promise<void> {
  await type(page, label, text)
  await field(page, label).blur()
}

test('what I type stays when somebody else saves the same field, with who it was and what they wrote', async () => {
  const { task, mine, theirs } = await inFrontOfBoth('Two of us', { hypothesis: 'Before' })
  await type(mine, 'Hypothesis', 'My long thought')
  await write(theirs, 'Hypothesis', 'Their thought')
  await note(mine).getByText('A writer changed this').waitFor()
  await note(mine).getByText('Their thought').waitFor()
  await keepShot(mine, 'conflict')
  expect(await violations(mine)).toEqual([])
  expect(await field(mine, 'Hypothesis').inputValue()).toBe('My long thought')
  // Leaving the field neither saves this user's text over the other user's nor discards it.
  await field(mine, 'Hypothesis').blur()
  expect(await field(mine, 'Hypothesis').inputValue()).toBe('My long thought')
  expect(await memberOf(task.id, 'hypothesis')).toBe('Their thought')

  await choose(mine, 'Use mine')
  await expectMember(task.id, 'hypothesis', 'My long thought')
  await note(mine).waitFor({ state: 'detached' })
  await expect.poll(() => field(theirs, 'Hypothesis').inputValue()).toBe('My long thought')
  await focusIs(mine, 'My long thought')
})

test('a change that waits for an earlier one to be saved does not go over what somebody else wrote meanwhile', async () => {
  const { task, mine } = await inFrontOfBoth('One after the other', { hypothesis: 'Before' })
  const { promise: held, resolve: begun } = Promise.withResolvers<Route>()
  let patches = 0
  await intercept(mine, `**/api/v1/tasks/${task.id}`, (route) =>
    route.request().method() === 'PATCH' && ++patches === 1 ? begun(route) : route.continue(),
  )
  await write(mine, 'Notes', 'First')
  const first = await held
  await write(mine, 'Hypothesis', 'Mine')
  await app.make.patched(task.id, { hypothesis: 'Theirs' })
  await first.continue()
  await note(mine).getByText('Theirs').first().waitFor()
  expect(await memberOf(task.id, 'hypothesis')).toBe('Theirs')
  expect(await field(mine, 'Hypothesis').inputValue()).toBe('Mine')
  await choose(mine, 'Use mine')
  await expectMember(task.id, 'hypothesis', 'Mine')
})

test('theirs can be taken, long texts and names alike', async () => {
  const { task, mine, theirs } = await inFrontOfBoth('Before it has a name')
  const [long, longer] = [
    `Mine.\n${'A line of notes. '.repeat(30)}`,
    `Theirs.\n${'Another line. '.repeat(40)}`.trimEnd(),
  ]
  await type(mine, 'Notes', long)
  await write(theirs, 'Notes', longer)
  await expect.poll(() => note(mine).getByLabel('What it says now').inputValue()).toBe(longer)
  await keepShot(mine, 'conflict-long')
  expect(await violations(mine)).toEqual([])
  expect(await field(mine, 'Notes').inputValue()).toBe(long)
  await choose(mine, 'Take theirs')
  await expect.poll(() => field(mine, 'Notes').inputValue()).toBe(longer)
  await note(mine).waitFor({ state: 'detached' })

  await type(mine, 'Name of the task', 'Mine')
  await type(theirs, 'Name of the task', 'Theirs')
  await field(theirs, 'Name of the task').press('Enter')
  await note(mine).getByText('A writer changed this').waitFor()
  expect(await field(mine, 'Name of the task').inputValue()).toBe('Mine')
  await choose(mine, 'Use mine')
  await expectMember(task.id, 'name', 'Mine')
})

test('a field that another emptied says so, and two who write the same are not in each other’s way', async () => {
  const { task, mine, theirs } = await inFrontOfBoth('Emptied', { subject: 'Before', topic: 'Before' })
  await type(mine, 'Subject', 'Mine')
  await write(theirs, 'Subject', '')
  await note(mine).getByText('A writer emptied this').waitFor()
  await choose(mine, 'Use mine')
  await expectMember(task.id, 'subject', 'Mine')
  await type(mine, 'Topic', 'The same')
  await write(theirs, 'Topic', 'The same')
  await expectMember(task.id, 'topic', 'The same')
  await field(mine, 'Topic').blur()
  expect(await note(mine).count()).toBe(0)
})

test('a variant that is open in the dialog does not undo what another adds or changes meanwhile', async () => {
  const first = { key: 'v1', variation_num: 1 }
  const { task, mine } = await inFrontOfBoth('Variants of two', { variants: [first] })
  const dialog = mine.getByRole('dialog')
  const variants = () => memberOf(task.id, 'variants')
  const theirs = { key: 'v2', variation_num: 2, audience: 'Parents' }
  await panel(mine).getByRole('button', { name: 'Add variant' }).click()
  await typeInto(dialog.getByLabel('Audience'), 'Commuters')
  await app.make.patched(task.id, { variants: [first, theirs] })
  await panel(mine).getByRole('cell', { name: 'V2', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save variant' }).click()
  await dialog.waitFor({ state: 'detached' })
  const added = { key: 'v3', variation_num: 3, audience: 'Commuters' }
  await expect.poll(variants).toMatchObject([first, theirs, added])

  await panel(mine).getByRole('button', { name: 'Edit variant v2' }).click()
  await typeInto(dialog.getByLabel('Description'), 'Mine')
  await app.make.patched(task.id, { variants: [first, { ...theirs, audience: 'Students' }, added] })
  await panel(mine).getByLabel('Audience of variant v2').and(mine.locator('[value="Students"]')).waitFor()
  await dialog.getByRole('button', { name: 'Save variant' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(variants).toMatchObject([first, { audience: 'Students', description: 'Mine' }, added])

  await panel(mine).getByRole('button', { name: 'Edit variant v2' }).click()
  await typeInto(dialog.getByLabel('Audience'), 'Mine')
  await app.make.patched(task.id, { variants: [first, theirs, added] })
  await panel(mine).getByLabel('Audience of variant v2').and(mine.locator('[value="Parents"]')).waitFor()
  await dialog.getByRole('button', { name: 'Save variant' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'somebody changed the same fields' }).waitFor()
  expect(await variants()).toMatchObject([first, { audience: 'Parents' }, added])
})

/** Does `act` before the first PATCH of this address that the page sends reaches the service. */
async function beforeSaving(page: Page, url: string, act: () => Promise<unknown>): Promise<void> {
  let isFirst = true
  await intercept(page, url, async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false
      await act()
    }
    await route.continue()
  })
}

test('a name that another gives a creative while mine is being saved is not replaced', async () => {
  const task = await app.make.task({ name: 'With a creative' })
  const creative = await app.make.creative(task.id, { name: 'Before' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const nameNow = async () => (await app.make.read(`/api/v1/creatives/${creative.id}`)).name
  const rename = (name: string) => app.service.patch(`/api/v1/creatives/${creative.id}`, { name })
  await field(page, 'Name of Before').waitFor()
  await beforeSaving(page, `**/api/v1/creatives/${creative.id}`, () => rename('Theirs'))
  await typeInto(field(page, 'Name of Before'), 'Mine')
  await page.keyboard.press('Enter')
  await note(page).getByText('Theirs', { exact: true }).waitFor()
  expect(await field(page, 'Name of Theirs').inputValue()).toBe('Mine')
  expect(await nameNow()).toBe('Theirs')
  await choose(page, 'Use mine')
  await expect.poll(nameNow).toBe('Mine')
  await note(page).waitFor({ state: 'detached' })
})

test('a sheet adds to the variants that another changes meanwhile, and replaces nothing that they wrote', async () => {
  const first = { key: 'hero', variation_num: 1, audience: 'Everybody' }
  const task = await app.make.task({ name: 'From a sheet', variants: [first] })
  const page = await app.open(`/tasks/${task.id}`)
  const variants = () => memberOf(task.id, 'variants')
  const dialog = page.getByRole('dialog', { name: 'Variants from a sheet' })
  const take = async (rows: string) => {
    await panel(page).getByRole('button', { name: 'From a sheet' }).click()
    await dialog.getByLabel('Cells of a spreadsheet').fill(`Key,Audience,Notes\n${rows}`)
    await dialog.getByRole('button', { name: 'Take them over' }).click()
  }
  await panel(page).getByRole('button', { name: 'From a sheet' }).waitFor()
  const url = `**/api/v1/tasks/${task.id}`
  const parents = { ...first, audience: 'Parents' }
  await beforeSaving(page, url, () => app.make.patched(task.id, { variants: [parents] }))
  await take('hero,,Short\nteam,Students,')
  await dialog.waitFor({ state: 'detached' })
  const team = { key: 'team', audience: 'Students' }
  await expect.poll(variants).toMatchObject([{ ...parents, notes: 'Short' }, team])

  await page.unroute(url)
  await panel(page).getByLabel('Audience of variant hero').and(page.locator('[value="Parents"]')).waitFor()
  const theirs = { ...parents, notes: 'Theirs' }
  await beforeSaving(page, url, () => app.make.patched(task.id, { variants: [theirs] }))
  await take('hero,,Mine')
  await dialog.getByRole('alert').filter({ hasText: 'Somebody changed this meanwhile' }).waitFor()
  expect(await dialog.getByLabel('Cells of a spreadsheet').inputValue()).toContain('hero,,Mine')
  expect(await variants()).toMatchObject([theirs])
})

test('an answer that comes late does not take back what another has changed since', async () => {
  const { task, mine } = await inFrontOfBoth('Answered late', { topic: 'Before' })
  const [isStored, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await intercept(mine, `**/api/v1/tasks/${task.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    const response = await route.fetch()
    isStored.resolve()
    await mayAnswer.promise
    await route.fulfill({ response })
  })
  await write(mine, 'Hypothesis', 'Mine')
  await isStored.promise
  await app.make.patched(task.id, { topic: 'Theirs' })
  await expect.poll(() => field(mine, 'Topic').inputValue()).toBe('Theirs')
  // The cards of the board are read again once the answer was taken in.
  const isDone = mine.waitForRequest(/\/board/)
  mayAnswer.resolve()
  await isDone
  expect(await field(mine, 'Topic').inputValue()).toBe('Theirs')
  expect(await field(mine, 'Hypothesis').inputValue()).toBe('Mine')
})

test('what was refused because the task was deleted is saved once the task is restored', async () => {
  const task = await app.make.task({ name: 'Deleted meanwhile' })
  const page = await app.open(`/tasks/${task.id}`)
  await field(page, 'Hypothesis').waitFor()
  await beforeSaving(page, `**/api/v1/tasks/${task.id}`, () => app.service.ask('DELETE', `/api/v1/tasks/${task.id}`))
  await write(page, 'Hypothesis', 'Not lost')
  await panel(page).getByText('restore it before you change it').waitFor()
  await expect.poll(() => field(page, 'Hypothesis').isDisabled()).toBe(true)
  await app.service.post(`/api/v1/tasks/${task.id}/restore`)
  await expectMember(task.id, 'hypothesis', 'Not lost')
  await expect.poll(() => field(page, 'Hypothesis').getAttribute('aria-invalid')).not.toBe('true')
})

test('a refusal that arrives only after the task was restored does not keep the words from being saved', async () => {
  const task = await app.make.task({ name: 'Back already' })
  const page = await app.open(`/tasks/${task.id}`)
  await field(page, 'Hypothesis').waitFor()
  const isDisabled = () => field(page, 'Hypothesis').isDisabled()
  let saves = 0
  await intercept(page, `**/api/v1/tasks/${task.id}`, async (route) => {
    if (route.request().method() !== 'PATCH' || ++saves > 1) return route.continue()
    await app.service.ask('DELETE', `/api/v1/tasks/${task.id}`)
    const refusal = await route.fetch()
    await expect.poll(isDisabled).toBe(true)
    await app.service.post(`/api/v1/tasks/${task.id}/restore`)
    await expect.poll(isDisabled).toBe(false)
    await route.fulfill({ response: refusal })
  })
  await write(page, 'Hypothesis', 'Not lost')
  await expectMember(task.id, 'hypothesis', 'Not lost')
})

test('who may not write any more is told that it is the role, and what is typed is saved once the role allows it', async () => {
  const { id } = await app.service.person('writer')
  const setRole = (role: string) => app.service.patch(`/api/v1/users/${id}`, { role })
  const task = await app.make.task({ name: 'A change of roles' })
  const page = await app.open(`/tasks/${task.id}`, { userId: id })
  await field(page, 'Hypothesis').waitFor()
  await beforeSaving(page, `**/api/v1/tasks/${task.id}`, () => setRole('reader'))
  await write(page, 'Hypothesis', 'Not lost')
  await panel(page).getByText('Your role does not allow this').waitFor()
  await panel(page).getByText('An admin can change your role').waitFor()
  expect(await panel(page).getByText('token').count()).toBe(0)
  await expect.poll(() => field(page, 'Hypothesis').isDisabled()).toBe(true)
  await setRole('writer')
  await expectMember(task.id, 'hypothesis', 'Not lost')
})

test('words typed without a connection are saved as soon as it is back', async () => {
  const task = await app.make.task({ name: 'On a train', priority: 3 })
  const page = await app.open(`/tasks/${task.id}`)
  await field(page, 'Hypothesis').waitFor()
  await page.context().setOffline(true)
  await write(page, 'Hypothesis', 'Thought of in a tunnel')
  await note(page).getByText('the service cannot be reached').waitFor()
  await keepShot(page, 'offline-field')
  expect(await memberOf(task.id, 'hypothesis')).toBe(null)
  await page.context().setOffline(false)
  await expectMember(task.id, 'hypothesis', 'Thought of in a tunnel')
  await note(page).waitFor({ state: 'detached' })
  expect(await field(page, 'Hypothesis').getAttribute('aria-invalid')).not.toBe('true')
})

test('what another changed while I had no connection is not undone by what I typed', async () => {
  const { task, mine } = await inFrontOfBoth('Both on a train', { hypothesis: 'Before' })
  await mine.context().setOffline(true)
  await write(mine, 'Hypothesis', 'From the tunnel')
  await note(mine).getByText('the service cannot be reached').waitFor()
  await app.make.patched(task.id, { hypothesis: 'From the office' })
  await mine.context().setOffline(false)
  await note(mine).getByText('From the office').waitFor()
  expect(await field(mine, 'Hypothesis').inputValue()).toBe('From the tunnel')
  expect(await memberOf(task.id, 'hypothesis')).toBe('From the office')
})

test('words that are not saved outlive a page that is loaded again, and a task that is closed', async () => {
  const task = await app.make.task({ name: 'Left in a hurry' })
  const page = await app.open(`/tasks/${task.id}`)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await type(page, 'Notes', 'Half a sentence')
  await page.reload()
  await expect.poll(() => field(page, 'Notes').inputValue()).toBe('Half a sentence')
  await note(page).getByText('it is not saved yet').waitFor()
  expect(asked).toEqual(['beforeunload'])
  await choose(page, 'Save')
  await expectMember(task.id, 'notes', 'Half a sentence')

  // A comment that was not sent is kept as well: while another tab of the task is open, and after a reload.
  const comment = () => page.getByLabel('Write a comment')
  const part = (name: string) => panel(page).getByRole('tab', { name }).click()
  await part('Comments')
  await comment().fill('Half a comment')
  await part('Details')
  await part('Comments')
  expect(await comment().inputValue()).toBe('Half a comment')
  await page.reload()
  await part('Comments')
  expect(await comment().inputValue()).toBe('Half a comment')
  await comment().press('Control+Enter')
  await panel(page).getByRole('listitem').filter({ hasText: 'Half a comment' }).waitFor()
  await expect.poll(() => comment().inputValue()).toBe('')

  // The browser's Back button closes the task while the field still has the focus, so the text has not been saved.
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Left in a hurry' }).click()
  await type(page, 'Audience', 'Anybody')
  await page.goBack()
  await panel(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Left in a hurry' }).click()
  await expect.poll(() => field(page, 'Audience').inputValue()).toBe('Anybody')
  await choose(page, 'Discard')
  expect(await field(page, 'Audience').inputValue()).toBe('')
  expect(await memberOf(task.id, 'audience')).toBe(null)
  await page.reload()
  await field(page, 'Audience').waitFor()
  // At the three reloads, the browser asked about the text in Notes and about the comment, but not about the discarded text.
  expect(asked).toEqual(['beforeunload', 'beforeunload'])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
