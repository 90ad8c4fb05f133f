// In charge of banners, which are three times as wide as high or wider: one row, whatever the template.
import { box, column, type Element } from './element.ts'
import { fitText, mustFit, type TextStyle } from './fit.ts'
import { brandOf, buttonOf, type Part, smallPrintOf } from './parts.ts'
import type { Scene } from './scene.ts'

type Row = { lead: Part | null; headline: string; what: string; under: string | null; backdrop: Element | null }

/** What leads, the words, the button and the brand, from left to right. */
export function bannerOf(scene: Scene, { lead, headline, what, under, backdrop }: Row): Element {
  const { size, palette, text, heading, place } = scene
  const { width, height } = size
  const gap = height * 0.2
  const button = buttonOf(scene, Math.max(11, height * 0.165), width * 0.3)
  const brand = brandOf(scene, { width: width * 0.17, height: height * 0.34 })
  const taken = [lead, button, brand].filter((part) => part !== null)
  const room = width - taken.reduce((sum, part) => sum + part.width + gap, 0) - gap * (lead ? 1 : 2)
  const small = smallPrintOf(scene, room, 'left', palette.quiet)
  const tall = height * 0.84 - (small ? small.height + height * 0.04 : 0)
  const style: TextStyle = { font: heading, color: palette.ink, leading: 1.06, tracking: -0.02 }
  const title = mustFit(
    what,
    headline,
    { width: room, height: tall * (under ? 0.72 : 1), largest: height * 0.36, smallest: 12, lines: 3 },
    style,
    place,
  )
  const more =
    under === null
      ? null
      : fitText(
          under,
          {
            width: room,
            height: tall - title.height - height * 0.05,
            largest: height * 0.155,
            smallest: 10.5,
            lines: 2,
          },
          { font: text, color: palette.quiet, leading: 1.25, tracking: 0 },
        )
  const words = column(
    { gap: height * 0.05, justifyContent: 'center', width: room },
    title.element,
    more?.element ?? null,
    small?.element ?? null,
  )
  return box(
    { width, height, backgroundColor: palette.ground, position: 'relative' },
    backdrop,
    box(
      {
        ...{ position: 'absolute', top: 0, left: 0, width, height, alignItems: 'center', gap },
        ...{ paddingLeft: lead ? 0 : gap, paddingRight: gap },
      },
      lead?.element ?? null,
      words,
      box(
        { flexGrow: 1, alignItems: 'center', justifyContent: 'flex-end', gap },
        brand?.element ?? null,
        button?.element ?? null,
      ),
    ),
  )
}
