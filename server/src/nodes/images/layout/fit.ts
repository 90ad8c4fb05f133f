// In charge of making text fit: finds the largest size at which a text fits its area, in lines of similar length.
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

/** A text with its chosen size and lines. */
export type Fitted = { size: number; lines: string[]; width: number; height: number; element: Element }

/** A factor that rounds widths up a little, because the drawing engine kerns slightly differently from the measuring one. */
const slack = 1.02

/**
 * The text at the largest size that fits, between the smallest and the largest size of the room. Null where the text does not
 * fit at the smallest size. Each size tried is a twentieth smaller than the one before.
 */
export function fitText(text: string, room: Room, style: TextStyle): Fitted | null {
  // A no-break space keeps two words on one line. The narrow no-break space is replaced, as some fonts do not have it.
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

/** The same as `fitText`, but throws where the text does not fit. For text that must not be left out. */
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

/** Breaks words greedily into lines of at most `most` (at a size of 1). Null where a single word is wider. */
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

/** Breaks the words into the same number of lines, as narrow as possible, so that the last line is not a single short word. */
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
