// In charge of counting a user's mouse actions. A click, a click into a field with typing, and a drawn wire are one action each.
import type { Locator, Page } from 'playwright-core'
import { middleOf, port } from './canvas.ts'

/** Functions that act on a page and count what they do. `actions`: the number of actions so far; waiting is not counted. */
export function handsOn(page: Page) {
  let count = 0
  const click = async (place: Locator) => {
    await place.click()
    count += 1
  }
  return {
    actions: () => count,
    click,
    /** Clicks into the field and replaces its text: one action. */
    type: async (field: Locator, text: string) => {
      await click(field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    },
    /**
     * Drags a wire from a port to the empty canvas on its right, and chooses a node type in the dialog that opens there. Counts as
     * two actions.
     */
    lead: async ([node, name]: [node: string, port: string], type: RegExp) => {
      const source = port(page, node, name, 'source')
      // `trial` waits until the port has stopped moving: the canvas may still be moving to show the whole graph.
      await source.hover({ trial: true })
      const { x, y } = await middleOf(source)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 60, y)
      await page.mouse.move(x + 120, y, { steps: 4 })
      await page.mouse.up()
      count += 1
      const offered = page.getByRole('dialog', { name: `Lead ${node} · ${name} to` })
      await click(offered.getByRole('button', { name: type }))
      await offered.waitFor({ state: 'detached' })
    },
  }
}
