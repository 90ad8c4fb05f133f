// Facts about the questions of gates: at 400 % zoom, for users who may not answer, and that a double click answers only one question.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, readRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { middleOf } from './support/canvas.ts'
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

/** Opens a run that asks for an approval of each of two pictures. `next` waits for the question about the second one. */
async function twoQuestions() {
  const path = await waiting('gate.approve', 'value')
  const page = await app.open(path)
  const gate = page.getByRole('region', { name: 'Which one?' })
  const approve = gate.getByRole('button', { name: 'Approve' })
  await gate.getByText('1 of 2').waitFor()
  await focused(page, approve)
  const next = async () => {
    await gate.getByText('1 of 2').waitFor({ state: 'detached' })
    await focused(page, approve)
  }
  /** Rejects the second picture by its key, and returns what was answered. */
  const rejected = async () => {
    await page.keyboard.press('n')
    await approve.waitFor({ state: 'detached' })
    return (await readRun(app.service, path.slice('/runs/'.length))).answers
  }
  return { page, path, gate, approve, next, rejected }
}
const oneOfEach = { 'ask/0': { approved: true }, 'ask/1': { approved: false } }

test('the second click of a double click does not answer the question that has come in between', async () => {
  const { page, approve, next, rejected } = await twoQuestions()
  const { x, y } = await middleOf(approve)
  await page.mouse.click(x, y)
  await next()
  // The browser says of this click that it is the second of a double click, however long the answer took.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await rejected()).toEqual(oneOfEach)
})

test('who is still typing when somebody else answers does not answer the next question, nor roll it again', async () => {
  const { page, path, gate, rejected } = await twoQuestions()
  const id = path.slice('/runs/'.length)
  await gate.getByRole('textbox').click()
  const typing = { isDone: false }
  const typed = (async () => {
    while (!typing.isDone) await page.keyboard.type('nearly gone, sorry ')
  })()
  await app.service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ask', item: 0, answer: { approved: true } })
  await gate.getByText('1 of 2').waitFor({ state: 'detached' })
  await page.keyboard.type('yes, really ')
  typing.isDone = true
  await typed
  const { answers, generation } = await readRun(app.service, id)
  expect({ answers, generation }).toEqual({ answers: { 'ask/0': { approved: true } }, generation: 1 })
  // A press of the pointer says that the user has seen the question.
  await gate.getByRole('heading', { name: 'Which one?' }).click()
  expect(await rejected()).toEqual(oneOfEach)
})

test('Enter that is held down on the button that answers does not answer the next question', async () => {
  const { page, next, rejected } = await twoQuestions()
  await page.keyboard.down('Enter')
  await next()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await rejected()).toEqual(oneOfEach)
})

test('the price of rolling one option again is asked for when the pointer comes to its button, and shown there', async () => {
  const path = await waiting('gate.choose', 'options')
  const page = await app.open('/runs')
  const plans: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/plan')) plans.push(request.postData() ?? '')
  })
  await page.goto(app.url + path)
  await page.getByRole('button', { name: /^Roll all again · 2 credits/ }).waitFor()
  expect(plans.length).toBe(1)
  await page.getByRole('button', { name: 'Roll again, option 2' }).hover()
  await page
    .getByRole('tooltip')
    .filter({ hasText: /^Make this one anew \(r\) · 1 credit/ })
    .waitFor()
  expect(plans.slice(1).map((body) => JSON.parse(body))).toEqual([{ regenerate: [{ node_id: 'picture', item: 1 }] }])
})

test('the panel of a gate says in words what was answered', async () => {
  const path = await waiting('gate.choose', 'options')
  const page = await app.open(path)
  await page.getByRole('button', { name: 'Choose option 2' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  await page.goto(`${app.url}${path}?node=ask`)
  const panel = page.getByRole('complementary', { name: 'Inspector' })
  await panel.getByText('Option 2', { exact: true }).waitFor()
  expect(await panel.getByText('selected').count()).toBe(0)
  await keepShot(page, 'gate-answer')
})

test('what is typed at a gate stays in sight when somebody else answers it, or stops the run', async () => {
  const typing = async () => {
    const { id } = await makeRun(
      app.service,
      definitionOf({ check: { type: 'gate.edit', inputs: { value: 'Draft' } } }),
    )
    expect((await runThrough(app.service, id)).status).toBe('awaiting_input')
    const page = await app.open(`/runs/${id}`)
    await page.locator('.gate-edit textarea').fill('Mine, with care')
    return { id, page, unsent: page.getByRole('alert').filter({ hasText: 'What you wrote was not sent' }) }
  }
  const [answered, stopped] = [await typing(), await typing()]
  const body = { node_id: 'check', answer: { value: 'Theirs' } }
  expect((await app.service.post(`/api/v1/runs/${answered.id}/answers`, body)).status).toBe(200)
  expect(await answered.unsent.getByLabel('What you wrote').inputValue()).toBe('Mine, with care')
  await answered.unsent.getByRole('button', { name: 'Discard' }).click()
  await answered.unsent.waitFor({ state: 'detached' })

  expect((await app.service.post(`/api/v1/runs/${stopped.id}/cancel`)).status).toBe(200)
  await stopped.unsent.waitFor()
  // The question comes back when the run is started again, and so does the text.
  await app.service.post(`/api/v1/runs/${stopped.id}/start`, {})
  await expect.poll(() => stopped.page.locator('.gate-edit textarea').inputValue()).toBe('Mine, with care')
  await stopped.page.getByRole('button', { name: 'Go on with this' }).click()
  await stopped.page.locator('.gate-stage').waitFor({ state: 'detached' })
  expect(await stopped.unsent.count()).toBe(0)
})

test('keys work after a click on a place of the question that has no control', async () => {
  const choose = await waiting('gate.choose', 'options')
  const page = await app.open(choose)
  const gate = page.getByRole('region', { name: 'Which one?' })
  await gate.getByRole('heading', { name: 'Which one?' }).click()
  await focused(page, gate)
  await page.keyboard.press('2')
  await gate.getByRole('button', { name: 'Option 2, picked' }).waitFor()

  const approve = await waiting('gate.approve', 'value')
  await page.goto(app.url + approve)
  await gate.getByText('1 of 2').waitFor()
  await gate.getByRole('heading', { name: 'Which one?' }).click()
  await focused(page, gate)
  await page.keyboard.press('n')
  await gate.getByText('1 of 2').waitFor({ state: 'detached' })
  expect((await readRun(app.service, approve.slice('/runs/'.length))).answers).toEqual({ 'ask/0': { approved: false } })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})

test('Enter on an option is for this option: it picks it, and answers only with it', async () => {
  const path = await waiting('gate.choose', 'options')
  const page = await app.open(path)
  const gate = page.getByRole('region', { name: 'Which one?' })
  await gate.getByRole('button', { name: 'Option 1', exact: true }).focus()
  await page.keyboard.press('1')
  await gate.getByRole('button', { name: 'Option 1, picked' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await gate.getByRole('button', { name: 'Option 2, picked' }).waitFor()
  const run = async () => app.make.read(`/api/v1${path}`)
  expect((await run()).status).toBe('awaiting_input')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await run()).status).toBe('succeeded')
  expect((await run()).answers).toMatchObject({ ask: { selected: [1] } })
})
