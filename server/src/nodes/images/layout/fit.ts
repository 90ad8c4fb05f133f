// In charge of making text fit: finds the largest font size at which a text fits into an area, in lines of similar length.
import type { Font } from '../fonts.ts'
import { Misfit } from '../placements.ts'
import { box, column, type Element } from './element.ts'

export type TextStyle = {
  font: Font
  color: string
  /** The line height, as a multiple of the font size. */
  leading: number
  /** The space that is added after each letter, as a multiple of the font size. */
  tracking: number
  align?: 'left' | 'center'
}

export type Room = { width: number; height: number; largest: number; smallest: number; lines: number }

/** A text with the font size and the lines that were chosen for it; `width` and `height` are those of all lines together. */
export type Fitted = { size: number; lines: string[]; width: number; height: number; element: Element }

/** Measured widths are multiplied by this factor, because the drawing library kerns slightly differently from the measuring one. */
const slack = 1.02

/**
 * Sets a text at the largest font size, from `room.largest` down to `room.smallest`, at which it fits. Null if it fits at none of
 * them. Each size that is tried is 5 % smaller than the one before.
 */
export function fitText(text: string, room: Room, style: TextStyle): Fitted | null {
  // Lines do not break at no-break spaces. A narrow no-break space is replaced by a normal one, because some fonts lack it.
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

/** Like `fitText`, but throws a `Misfit` if the text does not fit: it must not be left out. `what`: the text's name in the error message. */
export function mustFit(what: string, text: string, room: Room, style: TextStyle, place: string): Fitted {
  const fitted = fitText(text, room, style)
  if (fitted) return fitted
  // A font may lack the letter n, and draw what it lacks without width. Half the font size is then taken as the width of a letter.
  const perLine = room.width / room.smallest / (style.font.measure('n').width || 0.5)
  const lines = Math.max(1, Math.min(room.lines, Math.floor(room.height / room.smallest / style.leading)))
  const about = Math.max(5, Math.floor((perLine * lines * 0.85) / 5) * 5)
  throw new Misfit(
    `The ${what} does not fit ${place} at a size anyone can read: it has ${text.trim().length} characters, and about ${about} fit. Shorten it, or leave that size out.`,
  )
}

function widthOf(line: string, { font, tracking }: TextStyle): number {
  return font.measure(line).width * slack + tracking * line.length
}

/** Breaks words greedily into lines of at most the width `most`, at a font size of 1. Null if a single word is wider. */
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

/** Breaks the words anew into as many lines as `lines` has, as narrow as possible: so the last line is no single short word. */
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
