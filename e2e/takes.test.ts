// Facts about takes in the browser: in a strip below re-rolled results, users compare takes, pin them, and choose earlier takes at
// no cost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Body } from '../server/test/support/harness.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const bottomOf = (box: { y: number; height: number } | null): number => (box ? box.y + box.height : Number.NaN)
const pictures = (run: Body): string[] => run.nodes.image.outputs.image.map(({ digest }: Body) => digest)

/** The nodes of a graph that makes a picture for each prompt and lets a person choose one; `choiceEdges` connects them. */
const pictureChoice = (prompts: string[]) => ({
  rows: { type: 'list.collect', inputs: { values: prompts } },
  image: { type: 'sample.image', params: { width: 160, height: 120 }, each: ['prompt'] },
  pick: { type: 'gate.choose' },
})
const choiceEdges = ['rows.list > image.prompt', 'image.image > pick.options']

test('at a gate an option keeps its place and its takes; one is compared, pinned, and gone back to', async () => {
  const { id } = await makeRun(app.service, definitionOf(pictureChoice(['one', 'two', 'three']), ...choiceEdges))
  const first = await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  await gate.getByRole('button', { name: 'Option 2', exact: true }).waitFor()
  expect(await gate.getByRole('list', { name: /^Takes of/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Roll again, option 2' }).click()
  const strip = gate.getByRole('list', { name: 'Takes of option 2' })
  await strip.getByRole('button', { name: 'Take 2 of option 2, in use' }).waitFor()
  const rolled = await readRun(app.service, id)
  expect(pictures(rolled).map((digest, index) => digest === pictures(first)[index])).toEqual([true, false, true])
  expect(await gate.getByRole('list', { name: /^Takes of/ }).count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'takes')
  await page.setViewportSize({ width: 390, height: 640 })
  for (const number of [1, 2, 3]) {
    const roll = page.getByRole('button', { name: `Roll again, option ${number}` })
    const option = gate.getByRole('listitem').filter({ has: roll })
    const room = async () => bottomOf(await option.boundingBox()) - bottomOf(await roll.boundingBox())
    await expect.poll(room).toBeGreaterThan(0)
  }
  // The history takes the place of the question, and the question returns after it.
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Close the history' }).click()
  await gate.waitFor()
  await page.setViewportSize({ width: 1366, height: 768 })

  const before = strip.getByRole('button', { name: 'Take 1 of option 2' })
  // Escape closes the menu of a take, and leaves the question open, also while the menu fades out.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await before.click()
  await page.getByRole('menuitem', { name: /^Pin it/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: /^Pin it/ }).waitFor({ state: 'detached' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await before.click()
  await page.getByRole('menuitem', { name: /^Pin it/ }).click()
  await strip.getByRole('button', { name: 'Take 1 of option 2, pinned' }).waitFor()
  await before.click()
  await page.getByRole('menuitem', { name: 'Compare with the one in use' }).click()
  const viewer = page.getByRole('dialog', { name: 'Picture Take 1' })
  await viewer.getByRole('figure', { name: 'Beside it: Take 2' }).getByRole('img').waitFor()
  await viewer.getByText('160 × 120', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'takes-compared')
  await viewer.getByRole('button', { name: 'Go back to this take' }).click()
  await strip.getByRole('button', { name: 'Take 1 of option 2, in use, pinned' }).waitFor()
  const back = await readRun(app.service, id)
  expect(pictures(back)).toEqual(pictures(first))
  expect(back).toMatchObject({ status: 'awaiting_input', credits_consumed: 0 })
})

test('what is chosen in the viewer is the picture that is shown there, and not one that was made meanwhile', async () => {
  const { id } = await makeRun(app.service, definitionOf(pictureChoice(['one', 'two']), ...choiceEdges))
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const look = page.getByRole('button', { name: 'See option 2 large' })
  const choose = page.getByRole('dialog', { name: /^Picture/ }).getByRole('button', { name: 'Choose this' })
  await look.click()
  await choose.waitFor()
  const rolled = await runThrough(app.service, id, { regenerate: [{ node_id: 'image', item: 1 }] })
  await page.locator('.option').nth(1).getByText('New', { exact: true }).waitFor()
  await choose.click()
  await page.getByText('Option 2 was made anew meanwhile. Look at it first.').waitFor()
  expect((await readRun(app.service, id)).status).toBe('awaiting_input')
  await look.click()
  await choose.click()
  const { nodes } = await untilStatus(app.service, id, 'succeeded')
  expect(nodes.pick.outputs.chosen.map(({ digest }: Body) => digest)).toEqual([pictures(rolled)[1]])
})

test('an answer that a re-roll overtakes is refused, and the page shows what is asked now', async () => {
  const { id } = await makeRun(
    app.service,
    definitionOf(
      {
        ...pictureChoice(['one', 'two']),
        chat: { type: 'sample.chat', params: { prompt: 'a line' } },
        ok: { type: 'gate.approve' },
      },
      ...choiceEdges,
      'chat.text > ok.value',
    ),
  )
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const approve = page.getByRole('button', { name: 'Approve' })
  const shown = page.locator('.gate-value')
  await approve.waitFor()
  const first = await shown.textContent()
  // The first answer is delayed until another person has rolled again the value that it is about.
  const rolls: object[] = [{ node_id: 'chat' }]
  await intercept(page, '**/answers', async (route) => {
    const regenerate = rolls.splice(0)
    if (regenerate.length > 0) await runThrough(app.service, id, { regenerate })
    await route.continue()
  })
  await approve.press('y')
  await page
    .getByText(/What “.+” asks about was made anew while you answered/)
    .first()
    .waitFor()
  await expect.poll(() => shown.textContent()).not.toBe(first)
  const asksAnew = await readRun(app.service, id)
  expect(asksAnew).toMatchObject({ status: 'awaiting_input', answers: {} })
  expect(await shown.textContent()).toContain(asksAnew.nodes.chat.outputs.text)
  await approve.press('y')

  const choose = page.getByRole('button', { name: 'Choose option 2' })
  await choose.waitFor()
  rolls.push({ node_id: 'image', item: 1 })
  await choose.click()
  await page
    .getByText(/What “.+” asks about was made anew while you answered/)
    .nth(1)
    .waitFor()
  await page.locator('.option').nth(1).getByText('New', { exact: true }).waitFor()
  const rolled = await readRun(app.service, id)
  expect(rolled).toMatchObject({ status: 'awaiting_input', answers: { ok: { approved: true } } })
  await choose.click()
  const { nodes } = await untilStatus(app.service, id, 'succeeded')
  expect(nodes.pick.outputs.chosen.map(({ digest }: Body) => digest)).toEqual([pictures(rolled)[1]])
})

test('when a gate asks about more or fewer options than before, only the picks that the user has seen stay', async () => {
  const asking = (options: string[]) =>
    definitionOf({ pick: { type: 'gate.choose', params: { max: 2 }, inputs: { options } } })
  const { id } = await makeRun(app.service, asking(['a', 'b', 'c', 'd']))
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const option = (at: number) => page.getByRole('button', { name: `Option ${at}`, exact: true })
  const picked = page.getByRole('button', { name: /^Option \d, picked$/ })
  await option(1).click()
  await option(3).click()
  let isRead = Promise.resolve()
  await intercept(
    page,
    ({ pathname }) => pathname.startsWith(`/api/v1/runs/${id}`),
    async (route) => {
      await isRead
      await route.continue()
    },
  )
  /** Changes the options while the page reads nothing, so that it goes from one question to the other at once. */
  const ask = async (options: string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    isRead = promise
    await app.service.patch(`/api/v1/runs/${id}`, { definition: asking(options) })
    await runThrough(app.service, id)
    resolve()
    await expect.poll(() => page.locator('.option').count()).toBe(options.length)
  }
  await ask(['a', 'v', 'w', 'x', 'y'])
  await expect.poll(() => picked.allTextContents()).toHaveLength(1)
  expect(await picked.getAttribute('aria-label')).toBe('Option 1, picked')
  await option(5).click()
  await ask(['a', 'v'])
  await page.getByRole('button', { name: 'Choose this', exact: true }).click()
  const { nodes } = await untilStatus(app.service, id, 'succeeded')
  expect(nodes.pick.outputs.chosen).toEqual(['a'])
})

test('takes of each source that made several options are shown below the options', async () => {
  const picture = { type: 'sample.image', params: { width: 160, height: 120 } }
  const { id } = await makeRun(
    app.service,
    definitionOf(
      {
        cat: { ...picture, inputs: { prompt: 'a cat' } },
        dog: { ...picture, inputs: { prompt: 'a dog' } },
        cats: { type: 'list.collect' },
        dogs: { type: 'list.collect' },
        all: { type: 'list.collect' },
        pick: { type: 'gate.choose' },
      },
      'cat.image > cats.values',
      'dog.image > dogs.values',
      ...['cat.image', 'cats.list', 'dog.image', 'dogs.list'].map((from) => `${from} > all.values`),
      'all.list > pick.options',
    ),
  )
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  const strips = gate.getByRole('list', { name: /^Takes of/ })
  await page.getByRole('button', { name: 'Roll again, option 1' }).click()
  const ofCat = gate.getByRole('list', { name: 'Takes of options 1 to 2' })
  await ofCat.getByRole('button', { name: 'Take 2 of options 1 to 2, in use' }).waitFor()
  expect(await strips.count()).toBe(1)
  await page.getByRole('button', { name: 'Roll again, option 4' }).click()
  const ofDog = gate.getByRole('list', { name: 'Takes of options 3 to 4' })
  await ofDog.getByRole('button', { name: 'Take 2 of options 3 to 4, in use' }).waitFor()
  expect(await strips.count()).toBe(2)
  expect(await ofDog.getByText('Takes of options 3 to 4').isVisible()).toBe(true)
  await keepShot(page, 'takes-of-two')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
