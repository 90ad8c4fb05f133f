// Facts about the forms and panels of the graph editor: tables, lists of texts, files, and the description of the graph.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { asksBeforeClosing } from './support/closing.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Nodes = Record<string, { params: Record<string, unknown>; inputs: Record<string, unknown> }>

/** Makes a graph of one node called `it`, opens the graph, and selects the node. */
async function openNode(type: string, values: Partial<Nodes[string]> = {}) {
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Forms',
    definition: { schema: 1, nodes: { it: { type, version: 1, ...values } }, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'it').click()
  await page.getByLabel('Name of the node').waitFor()
  const read = async (): Promise<Nodes> => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes
  return { page, read }
}

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+v')
}

test('a phrase with commas is pasted into its cell, and a table that is pasted over another can be taken back', async () => {
  const { page, read } = await openNode('csv.parse', { inputs: { text: 'market,claim\nDE,Glow' } })
  const text = async () => (await read()).it?.inputs.text
  const claim = page.getByLabel('claim, row 1')
  await claim.selectText()
  await paste(page, 'Warm, soft, and yours')
  await page.keyboard.press('Tab')
  await expect.poll(text).toBe('market,claim\nDE,"Warm, soft, and yours"')

  await claim.click()
  await paste(page, 'hook\tfor\nShine\tall')
  await page.getByLabel('hook, row 1').waitFor()
  await focused(page, page.getByLabel('Name of column 1'))
  await expect.poll(text).toBe('hook,for\nShine,all')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await claim.waitFor()
  await expect.poll(text).toBe('market,claim\nDE,"Warm, soft, and yours"')

  await claim.click()
  await paste(page, 'hook\tfor\nShine\tall')
  await expect.poll(text).toBe('hook,for\nShine,all')
  await leave(page)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Not undone').waitFor()
  expect(await text()).toBe('hook,for\nShine,all')
})

test('cells that are pasted while the table has the focus replace the table, and no copied node is pasted', async () => {
  const { page, read } = await openNode('csv.parse', { inputs: { text: 'market,claim\nDE,Glow' } })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('ControlOrMeta+c')
  await page.getByText('1 node copied').waitFor()
  await page.locator('.table-scroll').focus()
  await paste(page, 'hook\tfor\nShine\tall')
  await page.getByLabel('hook, row 1').waitFor()
  await expect.poll(async () => (await read()).it?.inputs.text).toBe('hook,for\nShine,all')
  expect(Object.keys(await read())).toEqual(['it'])
})

test('a table that is typed stays text until its field is left, and keeps the keys to itself', async () => {
  const { page, read } = await openNode('csv.parse')
  const field = page.getByLabel('Paste a table')
  await field.click()
  await page.keyboard.type('markk')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('et,')
  // When the user switches to another window, the page gets this event, although its active element stays the same.
  await field.dispatchEvent('focusout')
  await page.keyboard.type('claim')
  await page.keyboard.press('Enter')
  await page.keyboard.type('DE,Glow')
  await focused(page, field)
  await page.keyboard.press('Tab')
  await page.getByLabel('claim, row 1').waitFor()
  await expect.poll(async () => (await read()).it?.inputs.text).toBe('market,claim\nDE,Glow')
})

test('what takes the place of a removed row, or of a cleared table, gets the focus', async () => {
  const { page, read } = await openNode('csv.parse', { inputs: { text: 'market,claim\nDE,Glow\nFR,Shine\nES,Last' } })
  const remove = (row: number) => page.getByRole('button', { name: `Remove row ${row}` })
  await remove(1).focus()
  await page.keyboard.press('Enter')
  await focused(page, remove(1))
  await remove(2).focus()
  await page.keyboard.press('Enter')
  await focused(page, remove(1))
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('button', { name: 'Add a row' }))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, page.getByLabel('Paste a table'))
  // Without the focus in the table, this key would remove the node.
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await read()).it?.inputs.text).toBeUndefined()
  expect(Object.keys(await read())).toEqual(['it'])
})

test('entries of a list may have commas and differ in case alone, and pasted cells are an entry each', async () => {
  const { page, read } = await openNode('text.validate')
  await page.getByLabel('Banned').first().click()
  await page.keyboard.type('Buy now, pay later')
  await page.keyboard.press('Enter')
  await paste(page, 'US\nus\r\nDE\tFR')
  const entries = ['Buy now, pay later', 'US', 'us', 'DE', 'FR']
  await expect.poll(async () => Object.values((await read()).it?.params ?? {})).toEqual([entries])
})

/** Leaves the editor for another page of the app. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
}

/** Opens a node that takes a list of files. */
async function openFiles() {
  const { page, read } = await openNode('image.edit', { params: { model: 'sample:edit' } })
  const references = page.locator('.input-entry', { hasText: 'References' })
  return {
    ...{ page, references },
    choose: async (...names: string[]) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        references.getByRole('button', { name: 'Upload' }).click(),
      ])
      await chooser.setFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })))
    },
    /** The names of the files that the node has. */
    named: async (id: string) => {
      const files = (await read())[id]?.inputs.references
      return Array.isArray(files) ? files.map(({ name }) => name) : files
    },
    /** Holds the next uploads back; returns a promise of the request of each. */
    hold: async (count: number) => {
      const asked: ((route: Route) => void)[] = []
      const held = Array.from({ length: count }, () => new Promise<Route>((resolve) => asked.push(resolve)))
      await intercept(page, '**/api/v1/files', (route) => asked.shift()?.(route))
      return held
    },
  }
}

test('files are added to those that are there when their upload is done, also where one fails or the node is renamed', async () => {
  const { page, references, choose, named, hold } = await openFiles()
  await choose('first.png', 'second.png')
  await expect.poll(() => named('it')).toEqual(['first.png', 'second.png'])

  await expect.poll(() => asksBeforeClosing(page)).toBe(false)
  const [third, fourth, fifth] = await hold(3)
  await choose('third.png', 'fourth.png', 'fifth.png')
  await third
  expect(await asksBeforeClosing(page)).toBe(true)
  await references.getByRole('button', { name: 'Take first.png away' }).click()
  await typeInto(page.getByLabel('Name of the node'), 'renamed')
  await page.keyboard.press('Enter')
  await (await third)?.continue()
  await (await fourth)?.abort()
  await page.getByText('“fourth.png” is not uploaded').waitFor()
  await (await fifth)?.continue()
  await expect.poll(() => named('renamed')).toEqual(['second.png', 'third.png', 'fifth.png'])
  await expect.poll(() => asksBeforeClosing(page)).toBe(false)
})

test('a file whose form was left during the upload is added to what the node has by then, or the user is told', async () => {
  const { page, references, choose, named, hold } = await openFiles()
  await choose('first.png')
  await expect.poll(() => named('it')).toEqual(['first.png'])
  const [second, third, fourth] = await hold(3)
  await choose('second.png')
  await second
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  await node(page, 'it').click()
  await references.getByRole('button', { name: 'Take first.png away' }).click()
  await typeInto(page.getByLabel('Name of the node'), 'renamed')
  await page.keyboard.press('Enter')
  await (await second)?.continue()
  await expect.poll(() => named('renamed')).toEqual(['second.png'])

  await choose('third.png')
  await third
  await page.getByRole('button', { name: 'Menu of renamed' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await (await third)?.continue()
  await page.getByRole('alert').filter({ hasText: '“third.png” is not uploaded' }).waitFor()

  await page.locator('body').press('ControlOrMeta+z')
  await node(page, 'renamed').click()
  await choose('fourth.png')
  await fourth
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('button', { name: 'Leave and lose them' }).click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await (await fourth)?.continue()
  await page.getByRole('alert').filter({ hasText: '“fourth.png” is not uploaded' }).waitFor()
  expect(await named('renamed')).toEqual(['second.png'])
})

test('an editor is not left during an upload without a question, and once the file is in the graph it is left by itself, else not', async () => {
  const { page, choose, named, hold } = await openFiles()
  const [broken, first] = await hold(2)
  await choose('broken.png')
  await broken
  const question = page.getByRole('dialog', { name: 'Leave without your last changes?' })
  const goAway = async () => {
    await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
    await question.getByText('A file is still uploading.').waitFor()
  }
  await goAway()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'leave-uploading')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await question.waitFor({ state: 'detached' })
  await goAway()
  await (await broken)?.abort()
  await page.getByText('“broken.png” is not uploaded').waitFor()
  await question.waitFor({ state: 'detached' })
  await page.getByLabel('Name of the node').waitFor()

  await choose('first.png')
  await first
  await goAway()
  await (await first)?.continue()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await expect.poll(() => named('it')).toEqual(['first.png'])
})

test('a description stays as it was typed when one looks at a node, and when it could not be saved', async () => {
  const { page } = await openNode('input.number')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const stored = async () => (await app.make.read(`/api/v1/graphs/${id}`)).description
  const description = page.getByLabel('Description', { exact: true })
  const describe = async (text: string) => {
    await typeInto(description, text)
    await node(page, 'it').click()
    await page.getByLabel('Name of the node').waitFor()
  }
  const lookAgain = () => page.getByRole('button', { name: 'Close the inspector' }).click()
  await lookAgain()
  await describe('Ads for spring')
  await expect.poll(stored).toBe('Ads for spring')
  await lookAgain()
  expect(await description.inputValue()).toBe('Ads for spring')

  await intercept(page, '**/api/v1/graphs/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await describe('Ads for summer')
  await page.getByText('Not saved').first().waitFor()
  await lookAgain()
  expect(await description.inputValue()).toBe('Ads for summer')
  expect(await stored()).toBe('Ads for spring')
  await page.unroute('**/api/v1/graphs/*')
  await description.focus()
  await page.keyboard.press('Tab')
  await expect.poll(stored).toBe('Ads for summer')
})

test('a fork of what one has done has the name and the description that one gave the graph last', async () => {
  const { page } = await openNode('input.number')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const nameOf = page.getByLabel('Name of the graph')
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  await typeInto(nameOf, 'Spring')
  await page.keyboard.press('Enter')
  await typeInto(page.getByLabel('Description', { exact: true }), 'Ads for spring')
  await page.keyboard.press('Tab')
  const stored = async () => {
    const { name, description } = await app.make.read(`/api/v1/graphs/${id}`)
    return { name, description }
  }
  await expect.poll(stored).toEqual({ name: 'Spring', description: 'Ads for spring' })
  await app.service.patch(`/api/v1/graphs/${id}`, { description: 'Theirs' })
  await add(page, 'sample text')
  await page.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await expect.poll(() => nameOf.inputValue()).toBe('Spring (mine)')
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Ads for spring')
})

test('on a phone, what the graph is about is opened from the menu, and gives way to a node that is shown', async () => {
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Small',
    description: 'Ads for spring',
    definition: { schema: 1, nodes: { it: { type: 'gate.approve', version: 1 } }, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`, { ...phone, viewport: { width: 360, height: 740 } })
  await node(page, 'it').waitFor()
  const about = page.getByRole('heading', { name: 'About this graph' })
  const open = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'About this graph' }).tap()
    await about.waitFor()
  }
  await open()
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Ads for spring')
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'about-on-a-phone')
  await page.getByRole('button', { name: 'Close “About this graph”' }).tap()
  await about.waitFor({ state: 'detached' })
  await open()
  await page.locator('.issue').first().tap()
  await page.getByLabel('Name of the node').waitFor()
  expect(await about.count()).toBe(0)
})

test('a long note and a wide table are scrolled by the arrow keys, where a short note leaves these to the canvas', async () => {
  const note = (text: string, x: number) => ({
    ...{ kind: 'note', colour: 'yellow', text },
    ...{ x, y: 260, width: 240, height: 140 },
  })
  const columns = Array.from({ length: 30 }, (_, at) => `column ${at}`).join(',')
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Scrolled',
    definition: {
      schema: 1,
      nodes: { it: { type: 'csv.parse', version: 1, inputs: { text: `${columns}\n1` } } },
      edges: [],
    },
    ui_state: {
      nodes: { it: { x: 0, y: 0 } },
      annotations: { 'note/long': note('line\n\n'.repeat(40), 0), 'note/short': note('Short', 300) },
    },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1440, height: 900 } })
  const notes = page.locator('.canvas-note')
  const placeOf = (selector: string, side: 'Top' | 'Left') => () =>
    page.evaluate(`document.querySelector('${selector}').scroll${side}`)
  await notes.filter({ hasText: 'line' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(placeOf('[data-id="note/long"] .canvas-note', 'Top')).toBeGreaterThan(0)
  expect(await page.getByLabel('Name of the node').count()).toBe(0)

  await notes.filter({ hasText: 'Short' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByLabel('Name of the node').waitFor()
  await page.locator('.table-scroll').focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(placeOf('.table-scroll', 'Left')).toBeGreaterThan(0)
})

test('a form that cannot be loaded says so in its place, and the rest of the editor stays', async () => {
  await app.service.post('/api/v1/graphs', {
    name: 'Cut off',
    definition: { schema: 1, nodes: { it: { type: 'input.text', version: 1 } }, edges: [] },
  })
  const page = await app.open('/graphs', { cold: true })
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  let cutOff = /inspector|healthz/
  const answer = (route: Route) => (cutOff.test(route.request().url()) ? route.abort() : route.continue())
  await intercept(page, ({ pathname }) => /assets\/inspector-|healthz/.test(pathname), answer)
  await page.evaluate(`window.stays = true`)
  await page.getByRole('link', { name: 'Cut off' }).first().click()
  await node(page, 'it').click()
  const failure = page.getByRole('alert').filter({ hasText: 'It was not possible to load the inspector' })
  await failure.waitFor()
  expect(await violations(page)).toEqual([])
  expect(await node(page, 'it').isVisible()).toBe(true)
  // The service is back, but the file is not: an update has removed it.
  cutOff = /inspector/
  await failure.getByRole('button', { name: 'Try again' }).click()
  const again = failure
    .filter({ hasText: 'the service was probably updated' })
    .getByRole('button', { name: 'Load again' })
  await again.waitFor()
  expect(await page.evaluate('window.stays')).toBe(true)
  cutOff = /nothing/
  await again.click()
  await node(page, 'it').click()
  await page.getByLabel('Name of the node').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
