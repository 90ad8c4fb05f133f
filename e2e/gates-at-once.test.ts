// Facts about two people who answer the same gate at the same moment: whoever comes second is told so, and loses no text.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, readRun, runThrough, until } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
let colleague: { id: string }
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
  colleague = await app.service.person('writer')
})
afterAll(() => app.close())

/** Opens a run of one gate for two people. The answer of `mine` is held back until `release` is called. */
async function inFrontOfBoth(gate: Parameters<typeof definitionOf>[0][string]) {
  const { id } = await makeRun(app.service, definitionOf({ ask: gate }))
  expect((await runThrough(app.service, id)).status).toBe('awaiting_input')
  const [mine, theirs] = [await app.open(`/runs/${id}`), await app.open(`/runs/${id}`, { userId: colleague.id })]
  for (const page of [mine, theirs]) await page.locator('.gate-stage').waitFor()
  const held = Promise.withResolvers<Route>()
  await intercept(mine, '**/answers', held.resolve)
  return {
    ...{ id, mine, theirs },
    release: async () => (await held.promise).continue(),
    isSent: held.promise,
    isAnswered: () => until(app.service, id, ({ answers }) => 'ask' in answers),
  }
}
const choice = { type: 'gate.choose', params: { title: 'Which one?' }, inputs: { options: ['Plain', 'Fancy'] } }
const check = { type: 'gate.edit', params: { title: 'Check it' }, inputs: { value: 'Draft' } }

test('who chooses second is told what counts and what was not sent, until they have read it', async () => {
  const { id, mine, theirs, release, isSent, isAnswered } = await inFrontOfBoth(choice)
  await mine.getByRole('button', { name: 'Choose option 1' }).click()
  await isSent
  await theirs.getByRole('button', { name: 'Choose option 2' }).click()
  await isAnswered()
  await release()
  const told = mine.getByRole('alert').filter({ hasText: 'Somebody else answered first' })
  await told.getByText('“Which one?”: Their answer counts: option 2. Yours was not sent: option 1.').waitFor()
  expect(await violations(mine)).toEqual([])
  await keepShot(mine, 'gate-answered-first')
  expect((await readRun(app.service, id)).answers).toMatchObject({ ask: { selected: [1] } })
  expect(await theirs.getByText('Somebody else answered first').count()).toBe(0)
})

test('a text that comes second is told of in words, and stays on the page to be copied', async () => {
  const { mine, theirs, release, isSent, isAnswered } = await inFrontOfBoth(check)
  await mine.getByRole('textbox', { name: 'Check it' }).fill('Mine, with care')
  await mine.getByRole('button', { name: 'Go on with this' }).click()
  await isSent
  await theirs.getByRole('button', { name: 'Go on with this' }).click()
  await isAnswered()
  await release()
  await mine
    .getByText('“Check it”: Their answer counts. Yours was not sent. What you wrote is still on this page.')
    .waitFor()
  const unsent = mine.getByRole('alert').filter({ hasText: 'Somebody else answered the gate “ask” while you wrote.' })
  expect(await unsent.getByLabel('What you wrote').inputValue()).toBe('Mine, with care')
  await mine.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await unsent.getByRole('button', { name: 'Copy' }).click()
  await mine.getByText('Copied what you wrote').waitFor()
  expect(await mine.evaluate('navigator.clipboard.readText()')).toBe('Mine, with care')
  await keepShot(mine, 'gate-text-second')
})

test('if both give the same answer, nobody reads that something was lost', async () => {
  const { mine, theirs, release, isSent, isAnswered } = await inFrontOfBoth(choice)
  await mine.getByRole('button', { name: 'Choose option 2' }).click()
  await isSent
  await theirs.getByRole('button', { name: 'Choose option 2' }).click()
  await isAnswered()
  await release()
  await mine.getByText('“Which one?” has the answer that you gave: nothing is lost.').waitFor()
  expect(await mine.getByText('was not sent').count()).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
