// In charge of what one does with the mouse, counted: a click, a field that is clicked and typed into, a wire that is drawn.
import type { Locator, Page } from 'playwright-core'
import { middleOf, port } from './canvas.ts'

/** `actions`: how many there were so far; what is waited for in between is none. */
export function handsOn(page: Page) {
  let count = 0
  const click = async (place: Locator) => {
    await place.click()
    count += 1
  }
  return {
    actions: () => count,
    click,
    /** What stands in the field is replaced. */
    type: async (field: Locator, text: string) => {
      await click(field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    },
    /** Draws a wire out of a port onto the empty canvas right of it, and takes the type of node that is offered there: two actions. */
    lead: async ([node, name]: [node: string, port: string], type: RegExp) => {
      const source = port(page, node, name, 'source')
      // Where it is to be: the canvas may still move.
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
