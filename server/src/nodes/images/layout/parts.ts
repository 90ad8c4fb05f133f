// In charge of the parts of an ad that all templates share: brand, kicker, button, small print, and a stack of such parts.
import type { Size } from '../placements.ts'
import { box, column, type Element, picture } from './element.ts'
import { type Fitted, fitText, mustFit, type TextStyle } from './fit.ts'
import type { Scene } from './scene.ts'

export type Part = { element: Element; width: number; height: number }

const least = { headline: 13, text: 10.5, small: 7.5 } as const

/** The logo or, without a logo, the brand's name, as large as the room allows. Null: there is neither, or the name does not fit. */
export function brandOf({ logo, words, heading, palette }: Scene, room: Size, color = palette.ink): Part | null {
  if (logo) {
    const width = Math.min(room.width, room.height * logo.ratio)
    const height = width / logo.ratio
    return { element: picture(logo.src, width, height), width, height }
  }
  if (words.brand === null) return null
  const style: TextStyle = { font: heading, color, leading: 1, tracking: -0.02 }
  return fitText(words.brand, { ...room, largest: room.height * 0.72, smallest: room.height * 0.3, lines: 1 }, style)
}

/**
 * The button; null if there is no call to action. `size`: the font size of its text in pixels. If the text is too long for
 * `mostWidth`, its font size is reduced.
 */
export function buttonOf({ words, text, palette, place }: Scene, size: number, mostWidth: number): Part | null {
  if (words.action === null) return null
  const style: TextStyle = { font: { ...text, weight: 500 }, color: palette.onAccent, leading: 1.1, tracking: 0 }
  const inner = {
    width: mostWidth - size * 2.2,
    height: size * 2,
    largest: size,
    smallest: Math.min(size, least.text),
    lines: 1,
  }
  const label = mustFit('call to action', words.action, inner, style, place)
  const [width, height] = [label.width + label.size * 2.4, label.size * 2.7]
  const element = box(
    {
      ...{ width, height, borderRadius: height / 2, backgroundColor: palette.accent, flexShrink: 0 },
      ...{ alignItems: 'center', justifyContent: 'center' },
    },
    label.element,
  )
  return { element, width, height }
}

export type StackRoom = Size & {
  /** The largest font size of the headline. */
  headline: number
  align?: 'left' | 'center'
  /** What is at the top: this part; null: nothing; absent or undefined: the kicker. */
  top?: Part | null
  /** A part in the same line as the button, at the other end; null or absent: none. */
  beside?: Part | null
}

/**
 * Kicker, headline, body, button and small print, one below the other. Headline and body get the room that the other parts leave.
 * The body is left out if there is no room for it; if any other part does not fit, an error is thrown.
 */
export function stackOf(scene: Scene, room: StackRoom): Part {
  const { unit, palette } = scene
  const { width, align = 'left' } = room
  const gap = unit * 2.4
  const top = room.top === undefined ? kickerOf(scene, width, align) : room.top
  const line = buttonLineOf(scene, room)
  const small = smallPrintOf(scene, width, align, palette.quiet)
  const fixed = [top, line, small].filter((part) => part !== null)
  const left = room.height - fixed.reduce((sum, part) => sum + part.height + gap, 0)
  const words = headlineAndBody(scene, { ...room, height: left }, align, gap)
  const parts = [top, ...words, line, small].filter((part) => part !== null)
  const element = column(
    { gap, alignItems: align === 'center' ? 'center' : 'flex-start', width },
    ...parts.map((part) => part.element),
  )
  const height = parts.reduce((sum, part) => sum + part.height, 0) + gap * (parts.length - 1)
  return { element, width, height }
}

/** Headline and body, if both fit and the headline is still large; otherwise the headline alone. */
function headlineAndBody(scene: Scene, room: StackRoom, align: 'left' | 'center', gap: number): Part[] {
  const { words, unit, text, heading, palette, place } = scene
  const { width, height } = room
  const style: TextStyle = { font: heading, color: palette.ink, leading: 1.04, tracking: -0.025, align }
  const sizes = { width, largest: room.headline, lines: 5 }
  if (words.body !== null) {
    const bodySizes = {
      largest: Math.max(least.text + 2, unit * 3.1),
      smallest: Math.max(least.text, unit * 2.2),
      lines: 4,
    }
    const bodyStyle: TextStyle = { font: text, color: palette.quiet, leading: 1.36, tracking: 0, align }
    const body = fitText(words.body, { width, height: height * 0.4, ...bodySizes }, bodyStyle)
    const smallest = Math.max(least.headline + 2, unit * 5.4)
    const headline = body && fitText(words.headline, { ...sizes, height: height - body.height - gap, smallest }, style)
    if (body && headline) return [headline, body]
  }
  return [
    mustFit(
      'headline',
      words.headline,
      { ...sizes, height, smallest: Math.max(least.headline, unit * 4) },
      style,
      place,
    ),
  ]
}

/** The line with the button at one end and the part `beside` at the other. Null if there is neither. */
function buttonLineOf(scene: Scene, { width, beside = null }: StackRoom): Part | null {
  const button = buttonOf(
    scene,
    Math.max(least.text + 1, scene.unit * 3),
    beside ? width - beside.width - scene.unit * 3 : width,
  )
  if (beside === null) return button
  const height = Math.max(button?.height ?? 0, beside.height)
  const style = { width, height, justifyContent: 'space-between', alignItems: 'center' }
  return { element: box(style, button?.element ?? null, beside.element), width, height }
}

/** A text in capitals. What they are does not depend on the language of the server, in contrast to `toLocaleUpperCase`. */
export const capitals = (text: string): string => text.toUpperCase()

export function kickerOf(
  { words, text, palette, unit, place }: Scene,
  width: number,
  align: 'left' | 'center' = 'left',
): Fitted | null {
  if (words.kicker === null) return null
  const room = {
    width,
    height: unit * 8,
    largest: Math.max(least.text, unit * 2.3),
    smallest: Math.max(8, unit * 1.5),
    lines: 2,
  }
  const style: TextStyle = { font: text, color: palette.mark, leading: 1.2, tracking: 0.1, align }
  return mustFit('kicker', capitals(words.kicker), room, style, place)
}

/**
 * The legal texts: the label and, below it, the disclaimer; null if there is neither. Throws if they do not fit, because they must
 * not be left out.
 */
export function smallPrintOf(scene: Scene, width: number, align: 'left' | 'center', color: string): Part | null {
  const parts = [labelOf(scene, width), disclaimerOf(scene, width, align, color)].filter((part) => part !== null)
  const [only] = parts
  if (!only || parts.length === 1) return only ?? null
  const gap = scene.unit * 1.2
  const height = parts.reduce((sum, part) => sum + part.height, gap)
  const style = { gap, width, alignItems: align === 'center' ? 'center' : 'flex-start' }
  return { element: column(style, ...parts.map((part) => part.element)), width, height }
}

/** The label that a market demands. It is larger than the disclaimer and in a frame, so that people notice it. */
function labelOf({ words, text, unit, palette, place }: Scene, width: number): Part | null {
  if (words.label === null) return null
  const largest = Math.max(least.small + 1, unit * 2.2)
  const style: TextStyle = { font: text, color: palette.ink, leading: 1.2, tracking: 0.01 }
  const room = { width: width - largest * 1.4, height: largest * 4, largest, smallest: least.small, lines: 2 }
  const label = mustFit('label', words.label, room, style, place)
  const { size } = label
  const [wide, high] = [label.width + size * 1.4, label.height + size * 0.64]
  const frame = {
    ...{ width: wide, height: high, alignItems: 'center', justifyContent: 'center', flexShrink: 0 },
    ...{ border: `${Math.max(1, size * 0.07)}px solid ${palette.ink}`, borderRadius: size * 0.35 },
  }
  return { element: box(frame, label.element), width: wide, height: high }
}

function disclaimerOf(
  { words, text, unit, place }: Scene,
  width: number,
  align: 'left' | 'center',
  color: string,
): Fitted | null {
  if (words.disclaimer === null) return null
  const size = Math.max(least.small, unit * 1.5)
  const room = { width, height: size * 6, largest: size, smallest: least.small, lines: 4 }
  return mustFit('disclaimer', words.disclaimer, room, { font: text, color, leading: 1.25, tracking: 0, align }, place)
}
