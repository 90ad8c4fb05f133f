// Facts about two main jobs in WebKit: from an empty card to a live creative, and restoring a deleted task after another task got
// a creative with the same name. The steps are those of `first-job.test.ts` and `main-jobs.test.ts`, in another browser with
// another driver.
import { Key } from 'selenium-webdriver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staticsFromCard } from '../../server/src/features/demo/graphs.ts'
import { makers } from '../../server/test/support/make.ts'
import { signInLink, startServed } from '../support/app.ts'
import { launchWebKit, type WebKitPage } from '../support/webkit.ts'

let app: Awaited<ReturnType<typeof startServed>>
let make: ReturnType<typeof makers>
let browser: Awaited<ReturnType<typeof launchWebKit>>
let page: WebKitPage
beforeAll(async () => {
  app = await startServed()
  make = makers(app.service)
  await app.service.app.worker.start()
  await app.service.post('/api/v1/graphs', staticsFromCard())
  browser = await launchWebKit()
  page = browser.page
  await page.goto(await signInLink(app.service, app.url, app.service.owner.id))
  await page.click('button', 'Sign in')
  await page.find('button', 'New task in In progress')
})
afterAll(async () => {
  await browser.close()
  await app.service.close()
})

const namesOn = async (id: string): Promise<string[]> => {
  const { items } = await make.read(`/api/v1/tasks/${id}/creatives`)
  return items.map(({ name }: { name: string }) => name).toSorted()
}

test('the first job takes at most twenty clicks, typing not counted', async () => {
  const adId = '23852150404470001'
  await page.evaluate(`globalThis.presses = 0
    document.addEventListener('pointerdown', () => { globalThis.presses += 1 }, { capture: true })`)
  await page.click('button', 'New task in In progress')
  await page.typeInto('Name of a new task in In progress', 'Cool side of the pillow')
  await page.pressWith(Key.SHIFT, Key.ENTER)
  const task = await page.find('complementary', 'Task')
  await page.click('button', 'Add variant')
  await page.typeInto(/^Key/, Key.ENTER)
  await page.find('cell', 'V1')
  await page.click('textbox', 'Count', task)
  await page.press('2', Key.ENTER)
  const id = new URL(await page.url()).pathname.split('/').at(-1) ?? ''
  await page.until(async () => (await make.read(`/api/v1/tasks/${id}`)).count === 2, 'the count to be kept')
  await page.click('tab', 'Runs')
  await page.click('option', /^Static ads in five placements/)
  await page.click('button', 'Start the run')
  await page.click('button', 'Go on with this')
  const gate = await page.find('region', 'Which picture goes on?')
  await page.click('button', 'Roll again, option 2', gate)
  await page.findText('New', gate)
  await page.click('button', 'Choose option 2', gate)
  await page.findText('Succeeded')
  await page.click('button', 'Export')
  const dialog = await page.find('dialog', 'Export to a task')
  await page.click('checkbox', 'ads · Ads', dialog)
  await page.click('checkbox', 'ads · Ads, item 1', dialog)
  await page.click('checkbox', 'ads · Ads, item 2', dialog)
  await page.click('button', 'Export 2 files', dialog)
  await page.click('link', 'Open the card', dialog)
  for (const check of ['Tech check', 'Creative check', 'Done']) {
    await page.click('button', `Move on to ${check}`)
    await page.until(async () => {
      const column = await page.find('combobox', 'Column')
      return (await column.getAttribute('value')) === check
    }, `the column ${check}`)
  }
  await page.click('button', 'Record the launch')
  await page.typeInto(/^Campaign id/, adId + Key.ENTER)
  await page.findText(`Recorded as live under ${adId}`)
  await page.click('button', 'Go to or do')
  const [name = ''] = await namesOn(id)
  await page.typeInto(/^Go to a task/, name)
  await page.find('option', `Look up ${name}`)
  await page.press(Key.ENTER)
  const row = await page.find('row', new RegExp(name))
  await page.find('cell', adId, row)
  const done = await make.read(`/api/v1/tasks/${id}`)
  expect(done).toMatchObject({ status: 'done', count: 2, ad_id: adId })
  expect(await namesOn(id)).toEqual(done.planned_creative_names.toSorted())
  expect(await page.evaluate('return globalThis.presses')).toBeLessThanOrEqual(20)
})

test('where a name was taken meanwhile, the dialog says who has it, and one step renames and restores', async () => {
  const { task } = await make.taskWith(['Shared_01', 'Kept_01'], { name: 'Deleted for days' })
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await make.taskWith(['Shared_01'], { name: 'Came later' })
  await page.goto(`${app.url}/`)
  await page.click('button', 'Restore Deleted for days')
  const dialog = await page.find('dialog', 'These names were taken meanwhile')
  await page.findText(/Came later/, dialog)
  await page.click('button', 'Rename and restore', dialog)
  await page.until(async () => (await make.read(`/api/v1/tasks/${task.id}`)).deleted_at === null, 'the task to be back')
  expect(await namesOn(task.id)).toEqual(['Kept_01', 'Shared_01_r1'])
})
