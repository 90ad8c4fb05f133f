// Facts about the items of a node of a run: the filter of their grid also holds in the view of one item.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const pictures = definitionOf(
  {
    rows: { type: 'list.collect', inputs: { values: ['one', 'two', 'three', 'four'] } },
    image: { type: 'sample.image', params: { width: 72, height: 64 }, each: ['prompt'] },
  },
  'rows.list > image.prompt',
)

test('from a failed item one steps through the failed ones alone, and they are counted', async () => {
  const { id } = await makeRun(app.service, pictures)
  await runThrough(app.service, id)
  const page = await app.open('/graphs')
  await intercept(page, `**/runs/${id}/changes*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const item of ['1', '3'])
      Object.assign(body.data.nodes.image.items[item], { status: 'failed', error: 'Refused' })
    await route.fulfill({ response, json: body })
  })
  await page.goto(new URL(`/runs/${id}?node=image`, page.url()).href)
  await page.getByText('Failed 2').click()
  await page.getByRole('button', { name: 'Open item 2' }).click()
  await page.getByText('Item 2, 1 of 2 failed').waitFor()
  expect(await page.getByRole('button', { name: 'The item before' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'The next item' }).click()
  await page.getByText('Item 4, 2 of 2 failed').waitFor()
  expect(await page.getByRole('button', { name: 'The next item' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'All items' }).click()
  await focusIs(page, 'Open item 4')
  expect(await page.getByRole('button', { name: /^Open item/ }).count()).toBe(2)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
