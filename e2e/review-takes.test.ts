// Facts about takes that a comment asks for, in the browser: the price is shown before the take starts, and the take becomes
// another version of the picture.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { createProvider, testNodes } from '../server/test/support/test-nodes.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { keepShot } from './support/shots.ts'
import { isClosed } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp({}, testNodes(createProvider()))
  await app.service.app.worker.start()
  app.service.app.takes.start()
})
afterAll(() => app.close())

/**
 * Runs a node that makes a picture, exports the picture to a task, comments on it in the viewer, and asks for a take that follows
 * the comment.
 */
async function commented(name: string, image: { type: string }) {
  const { service, make } = app
  const task = await make.task({ name, status: 'tech_check' })
  const { id } = await makeRun(service, definitionOf({ image }), { pinned_task_id: task.id })
  await runThrough(service, id)
  await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] })
  const [creative] = (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page
    .getByRole('list', { name: 'Creatives' })
    .getByRole('button', { name: new RegExp(creative.name) })
    .first()
    .click()
  const viewer = page.getByRole('dialog', { name: /^Picture / })
  await viewer.getByText(/^\d+ × \d+$/).waitFor()
  await viewer.getByLabel('Comment on version 1').fill('Make this warmer')
  await viewer.getByRole('button', { name: 'Comment', exact: true }).click()
  await viewer.getByRole('button', { name: 'Make a new take of this' }).click()
  return { creative, page, viewer }
}

test('a comment becomes a take with its price said before; the version that it proposes is used', async () => {
  const { creative, page, viewer } = await commented('Warmer', {
    ...{ type: 'sample.image', inputs: { prompt: 'tea' }, params: { width: 400, height: 300 } },
  })
  await viewer.getByText(/Price: 1 credit\./).waitFor()
  await viewer.getByRole('button', { name: 'Start the take' }).click()
  await viewer.getByText('The take is proposed as v2.').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-take')
  await viewer.getByRole('button', { name: 'Look at v2' }).click()
  const decided: string[] = []
  page.on('request', (request) => {
    if (/\/review-takes\/.+\/verdict/.test(request.url())) decided.push(request.url())
  })
  await viewer.getByRole('button', { name: 'Use this version' }).dblclick()
  await viewer.getByText('Addressed in v2.').waitFor()
  expect(decided.length).toBe(1)
  const { items } = await app.make.read(`/api/v1/creatives/${creative.id}/versions`)
  expect(items.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
  // Back from its run leads to the task, not to the viewer's own entry above it.
  const address = page.url()
  await viewer.getByRole('link', { name: 'Its run' }).click()
  await page.waitForURL('**/runs/*')
  await page.goBack()
  await page.waitForURL(address)
  await isClosed(page)
  // And Forward leads to the run again, as often as one likes.
  for (const _ of [1, 2]) {
    await page.goForward()
    await page.waitForURL('**/runs/*')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goBack()
    await page.waitForURL(address)
    await isClosed(page)
  }
})

test('a take above the sum that needs an approval asks for it in the viewer, and starts once it was given', async () => {
  const { creative, page, viewer } = await commented('Dearer', {
    ...{ type: 'test.priced_picture', inputs: { prompt: 'jam' } },
  })
  await app.service.patch('/api/v1/money', { approval_above: 1 })
  await viewer.getByText(/Price: .*USD 0\.04/).waitFor()
  const start = viewer.getByRole('button', { name: 'Start the take' })
  await start.click()
  const dialog = page.getByRole('dialog', { name: 'This start needs an approval' })
  const ask = dialog.getByRole('button', { name: 'Ask for the approval' })
  await ask.waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-take-approval')
  await page.keyboard.press('Escape')
  await ask.waitFor({ state: 'hidden' })
  await start.click()
  await ask.click()
  await page.getByText('The admins get to know it, and you what they decide.').waitFor()
  const [asked] = (await app.make.read('/api/v1/approvals?open=true')).items
  await app.service.post(`/api/v1/approvals/${asked.id}/decision`, { approved: true })
  await start.click()
  await viewer.getByText('The take is proposed as v2.').waitFor()
  expect(await app.make.read(`/api/v1/creatives/${creative.id}/versions`)).toMatchObject({ items: [{}, {}] })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
