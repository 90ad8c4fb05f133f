// Facts about the questions of gates: at 400 % zoom, and for people who may only look.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

/** Makes a run that waits at a gate of this type for an answer about pictures; returns the path of its page. */
async function waiting(type: string, inputs: string): Promise<string> {
  const nodes = {
    rows: { type: 'list.collect', inputs: { values: ['A pillow', 'A duvet'] } },
    picture: { type: 'sample.image', params: { width: 364, height: 64 }, each: ['prompt'] },
    ask: { type, params: { title: 'Which one?' }, ...(type === 'gate.approve' ? { each: ['value'] } : {}) },
  }
  const edges = ['rows.list > picture.prompt', `picture.image > ask.${inputs}`] as const
  const run = await makeRun(app.service, definitionOf(nodes, ...edges))
  await runThrough(app.service, run.id)
  return `/runs/${run.id}`
}

const small = { width: 320, height: 256 }
/** Whether some of the element is in the small window, below the top bar. */
async function isSeen(place: Locator): Promise<boolean> {
  const box = await place.boundingBox()
  return box !== null && box.y < small.height && box.y + box.height > 48
}

test('at 400 % zoom, the question has the room, and its answer buttons scroll with it and are whole', async () => {
  const page = await app.open(await waiting('gate.choose', 'options'), { viewport: small })
  const gate = page.getByRole('region', { name: 'Which one?' })
  await gate.getByRole('button', { name: 'Option 1', exact: true }).click()
  await keepShot(page, 'gate-400')
  const foot = gate.locator('footer')
  const answer = gate.getByRole('button', { name: 'Choose this' })
  // Whatever stays visible while the question scrolls takes room from it: here only the top bar does.
  await answer.scrollIntoViewIfNeeded()
  await keepShot(page, 'gate-400-foot')
  expect(await isSeen(page.getByRole('button', { name: 'Run again' }).first())).toBe(false)
  const [inside, button] = [await foot.boundingBox(), await answer.boundingBox()]
  expect(button && inside && button.x >= inside.x && button.x + button.width <= inside.x + inside.width).toBe(true)
  await gate.getByRole('heading', { name: 'Which one?' }).scrollIntoViewIfNeeded()
  expect(await isSeen(foot)).toBe(false)
})

test('who may only look finds every button of a question off, with the reason on focus', async () => {
  const { data: reader } = await app.service.post('/api/v1/users', { name: 'Rhea Reader', role: 'reader' })
  const page = await app.open(await waiting('gate.approve', 'value'), { userId: reader.id })
  const gate = page.getByRole('region', { name: 'Which one?' })
  const reasons = async (name: string, reason: string) => {
    const button = gate.getByRole('button', { name })
    await button.waitFor()
    expect(await button.isEnabled()).toBe(false)
    await button.focus()
    await page.getByRole('tooltip').filter({ hasText: reason }).waitFor()
  }
  await reasons('Roll again', 'You may look at runs, and not change them.')
  await reasons('Approve', 'You may look, and not answer.')
  await page.goto(app.url + (await waiting('gate.choose', 'options')))
  await reasons('Roll all again', 'You may look at runs, and not change them.')
  await reasons('Choose this', 'You may look, and not answer.')
})

test('an answer that picks too few says on focus how many to pick', async () => {
  const page = await app.open(await waiting('gate.choose', 'options'))
  const answer = page.getByRole('region', { name: 'Which one?' }).getByRole('button', { name: 'Choose this' })
  await answer.focus()
  await expect.poll(() => page.getByRole('tooltip').allTextContents()).toEqual(['Pick one.'])
})

/** Presses the button of the open question twice: the first answer is refused, and the second is taken. */
async function answerTwice(path: string, name: string): Promise<Page> {
  const page = await app.open(path)
  const button = page.getByRole('region', { name: 'Which one?' }).getByRole('button', { name })
  let refusals = 1
  await intercept(page, '**/answers', (route) =>
    refusals-- > 0 ? route.fulfill({ status: 409, json: { error: 'not_now' } }) : route.continue(),
  )
  await button.press('Enter')
  await page.getByRole('alert').waitFor()
  await focused(page, button)
  await page.keyboard.press('Enter')
  await button.waitFor({ state: 'detached' })
  return page
}

test('a button that answers keeps the focus while it waits, and the inspector gets it when the question is gone', async () => {
  for (const page of [
    await answerTwice(await waiting('gate.choose', 'options'), 'Choose option 2'),
    await answerTwice(await waiting('gate.edit', 'value'), 'Go on with this'),
  ]) {
    await focused(page, page.getByRole('complementary', { name: 'Inspector' }))
    expect(await page.locator('.gate-stage').count()).toBe(0)
  }
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
