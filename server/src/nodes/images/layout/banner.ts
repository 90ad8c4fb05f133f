// In charge of banners, which are ads at least three times as wide as high: in a banner, every template arranges its parts in one
// row.
import type { Size } from '../placements.ts'
import { box, column, type Element } from './element.ts'
import { fitText, mustFit, type TextStyle } from './fit.ts'
import { brandOf, buttonOf, type Part, smallPrintOf } from './parts.ts'
import type { Scene } from './scene.ts'

type Row = {
  lead: Part | null
  headline: string
  /** The name of the headline in the error message if it does not fit, such as `quote`. */
  what: string
  under: string | null
  /**
   * A picture at the right end, behind the button; the brand is then at the left end in place of `lead`. Null: no picture, and the
   * brand is at the right.
   */
  backdrop: Part | null
}

/** One row, from left to right: `lead`, the words, the brand and the button. */
export function bannerOf(scene: Scene, row: Row): Element {
  const { lead, backdrop } = row
  const { width, height } = scene.size
  const gap = height * 0.2
  const button = buttonOf(scene, Math.max(11, height * 0.165), width * 0.3)
  const brand = brandOf(scene, { width: width * 0.17, height: height * 0.34 })
  const [left, right] = backdrop ? [brand, null] : [lead, brand]
  const end = (button ? button.width + gap : 0) + (right ? right.width + gap : 0)
  const begin = left ? left.width + gap : 0
  const edges = gap * (lead ? 1 : 2)
  const room = {
    width: width - begin - Math.max(end, backdrop ? backdrop.width * 0.75 : 0) - edges,
    height: height * 0.84,
  }
  return box(
    { width, height, backgroundColor: scene.palette.ground, position: 'relative' },
    backdrop && box({ position: 'absolute', top: 0, left: width - backdrop.width }, backdrop.element),
    box(
      {
        ...{ position: 'absolute', top: 0, left: 0, width, height, alignItems: 'center', gap },
        ...{ paddingLeft: lead ? 0 : gap, paddingRight: gap },
      },
      left?.element ?? null,
      wordsOf(scene, row, room),
      box(
        { flexGrow: 1, alignItems: 'center', justifyContent: 'flex-end', gap },
        right?.element ?? null,
        button?.element ?? null,
      ),
    ),
  )
}

function wordsOf(scene: Scene, { headline, what, under }: Row, room: Size): Element {
  const { size, palette, text, heading, place } = scene
  const gap = size.height * 0.05
  const { width } = room
  const small = smallPrintOf(scene, width, 'left', palette.quiet)
  const tall = room.height - (small ? small.height + gap : 0)
  const style: TextStyle = { font: heading, color: palette.ink, leading: 1.06, tracking: -0.02 }
  const titleRoom = { width, height: tall * (under ? 0.72 : 1), largest: size.height * 0.36, smallest: 12, lines: 3 }
  const title = mustFit(what, headline, titleRoom, style, place)
  const moreRoom = { width, height: tall - title.height - gap, largest: size.height * 0.155, smallest: 10.5, lines: 2 }
  const moreStyle: TextStyle = { font: text, color: palette.quiet, leading: 1.25, tracking: 0 }
  const more = under === null ? null : fitText(under, moreRoom, moreStyle)
  return column({ gap, justifyContent: 'center', width }, title.element, more?.element ?? null, small?.element ?? null)
}
