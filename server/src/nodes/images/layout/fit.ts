// In charge of making text fit: the largest size at which it stands in its room, in lines of like length.
import { NodeFailure } from '../../node-type.ts'
import type { Font } from '../fonts.ts'
import { box, column, type Element } from './element.ts'

export type TextStyle = {
  font: Font
  color: string
  /** Line height as a share of the size. */
  leading: number
  /** Letter spacing as a share of the size. */
  tracking: number
  align?: 'left' | 'center'
}

export type Room = { width: number; height: number; largest: number; smallest: number; lines: number }

/** A text that has been given its size and lines. */
export type Fitted = { size: number; lines: string[]; width: number; height: number; element: Element }

/** Widths are rounded up a little: the engine that draws kerns a shade differently than the one that measures. */
const slack = 1.02

/**
 * The largest size between the room's two at which the text fits, or null where it does not fit at the smallest.
 * Every size tried is a twentieth smaller than the one before.
 */
export function fitText(text: string, room: Room, style: TextStyle): Fitted | null {
  // A no-break space holds what stands around it together; the narrow one is not in every font.
  const words = text
    .trim()
    .replaceAll('\u202f', '\u00a0')
    .split(/[^\S\u00a0]+/)
  for (let size = room.largest; size >= room.smallest; size *= 0.95) {
    const lines = wrap(words, room.width / size, style)
    if (lines === null || lines.length > room.lines || lines.length * size * style.leading > room.height) continue
    return draw(balance(words, lines, style), size, style)
  }
  return null
}

/** As `fitText`, for text that must not be left out. */
export function mustFit(what: string, text: string, room: Room, style: TextStyle, place: string): Fitted {
  const fitted = fitText(text, room, style)
  if (fitted) return fitted
  const perLine = room.width / room.smallest / style.font.measure('n').width
  const lines = Math.max(1, Math.min(room.lines, Math.floor(room.height / room.smallest / style.leading)))
  const about = Math.max(5, Math.floor((perLine * lines * 0.85) / 5) * 5)
  throw new NodeFailure(
    `The ${what} does not fit ${place} at a size anyone can read: it has ${text.trim().length} characters, and about ${about} fit. Shorten it, or leave that size out.`,
  )
}

function widthOf(line: string, { font, tracking }: TextStyle): number {
  return font.measure(line).width * slack + tracking * line.length
}

/** Greedy lines of at most `most` (at a size of 1); null where a single word is longer. */
function wrap(words: readonly string[], most: number, style: TextStyle): string[] | null {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last !== undefined && widthOf(longer, style) <= most) lines[lines.length - 1] = longer
    else if (widthOf(word, style) <= most) lines.push(word)
    else return null
  }
  return lines
}

/** The same number of lines, as narrow as they can be: no word is left alone on the last one. */
function balance(words: readonly string[], lines: string[], style: TextStyle): string[] {
  let [narrow, wide] = [0, Math.max(...lines.map((line) => widthOf(line, style)))]
  let best = lines
  for (let turn = 0; turn < 12; turn++) {
    const middle = (narrow + wide) / 2
    const tried = wrap(words, middle, style)
    if (tried !== null && tried.length <= lines.length) {
      best = tried
      wide = middle
    } else narrow = middle
  }
  return best
}

function draw(lines: string[], size: number, style: TextStyle): Fitted {
  const { font, color, leading, tracking, align = 'left' } = style
  const width = Math.max(...lines.map((line) => widthOf(line, style))) * size
  const element = column(
    {
      alignItems: align === 'center' ? 'center' : 'flex-start',
      fontFamily: font.name,
      fontWeight: font.weight,
      fontSize: size,
      lineHeight: leading,
      letterSpacing: tracking * size,
      color,
    },
    ...lines.map((line) => box({ whiteSpace: 'nowrap' }, line)),
  )
  return { size, lines, width, height: lines.length * size * leading, element }
}
