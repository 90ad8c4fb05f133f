// Facts about takes in the browser: a comment becomes another version of the picture, with its price said before.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
  app.service.app.takes.start()
})
afterAll(() => app.close())

test('a comment becomes a take with its price said before; the version that it proposes is used', async () => {
  const { service, make } = app
  const task = await make.task({ name: 'Warmer', status: 'tech_check' })
  const image = { type: 'sample.image', inputs: { prompt: 'tea' }, params: { width: 400, height: 300 } }
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
  await viewer.getByText('400 × 300', { exact: true }).waitFor()
  await viewer.getByLabel('Comment on version 1').fill('Make this warmer')
  await viewer.getByRole('button', { name: 'Comment', exact: true }).click()
  await viewer.getByRole('button', { name: 'Make a new take of this' }).click()
  await viewer.getByText(/Price: 1 credit\./).waitFor()
  await viewer.getByRole('button', { name: 'Start the take' }).click()
  await viewer.getByText('The take is proposed as v2.').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-take')
  await viewer.getByRole('button', { name: 'Look at v2' }).click()
  await viewer.getByRole('button', { name: 'Use this version' }).click()
  await viewer.getByText('Addressed in v2.').waitFor()
  const { items } = await make.read(`/api/v1/creatives/${creative.id}/versions`)
  expect(items.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
