// Facts about exporting files of a run in the browser, where each item made several files.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Body } from '../server/test/support/harness.ts'
import { makeRun, readRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

/** Two scenes, of each of which there is an ad in two sizes. */
const definition = definitionOf(
  {
    scenes: { type: 'list.collect', inputs: { values: ['tea', 'jam'] } },
    image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    ads: {
      type: 'layout.render',
      params: { placements: ['1080x1350', '300x250'] },
      inputs: { headline: 'Every morning' },
      each: ['image'],
    },
  },
  'scenes.list > image.prompt',
  'image.image > ads.image',
)

async function sizeOf(file: string): Promise<string> {
  const { bytes } = await app.service.get(`/api/v1/files/${file}`)
  const { width, height } = await sharp(bytes).metadata()
  return `${width}x${height}`
}

test('every file of an item is shown with its own picture, and can be left out', async () => {
  const task = await app.make.task({ name: 'Ads in two sizes' })
  const { id } = await makeRun(app.service, definition, { pinned_task_id: task.id })
  await runThrough(app.service, id)
  const [[, small], [otherLarge]] = (await readRun(app.service, id)).nodes.ads.outputs.images
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  await dialog.getByRole('list', { name: '4 new creatives' }).waitFor()
  await dialog.getByRole('button', { name: 'Export 4 files' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'ads · Ads, item 1, file 1' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'ads · Ads, item 2, file 2' }).uncheck()
  const told = dialog.getByRole('list', { name: '2 new creatives' })
  const pictures = told.getByRole('presentation')
  await expect.poll(() => pictures.count()).toBe(2)
  const sources = await Promise.all((await pictures.all()).map((picture) => picture.getAttribute('src')))
  expect(sources).toEqual([small, otherLarge].map(({ digest }: Body) => expect.stringContaining(digest)))
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Export 2 files' }).click()
  await page.getByText('2 creatives are on the card.').waitFor()
  const creatives: Body[] = (await app.make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  const sizes = await Promise.all(creatives.map(({ file }) => sizeOf(file)))
  expect(sizes.toSorted()).toEqual(['1080x1350', '300x250'])
})
