// In charge of drawing the picture of `sample.image`: a poster with the words of the prompt, a photo or a pattern, and the mark
// “SAMPLE”. The seed decides how it looks.
import type { Seeded } from '../seeded.ts'
import { photoSize } from './photos.ts'

/** `words`: null for a picture without words. `photo`: a JPEG to show; null or absent: a pattern is drawn instead. */
type Wanted = { words: string | null; width: number; height: number; chance: Seeded; photo?: Buffer | null }

/** Palettes. The colours of each: background (two, for a gradient), shapes, pale shapes, text, accent. */
const palettes = [
  ['#0f172a', '#312e81', '#6366f1', '#f472b6', '#ffffff', '#fde047'],
  ['#fef3c7', '#fb923c', '#ef4444', '#fde68a', '#431407', '#7c2d12'],
  ['#ecfeff', '#67e8f9', '#0e7490', '#a5f3fc', '#083344', '#f97316'],
  ['#052e16', '#166534', '#4ade80', '#bef264', '#f0fdf4', '#fde047'],
  ['#fdf2f8', '#f9a8d4', '#be185d', '#fbcfe8', '#500724', '#7c3aed'],
  ['#1c1917', '#44403c', '#f59e0b', '#fcd34d', '#fafaf9', '#f97316'],
  ['#eef2ff', '#a5b4fc', '#4338ca', '#c7d2fe', '#1e1b4b', '#e11d48'],
] as const

/** An SVG of exactly the given size. The words are at the top, or at the left if it is wide; photo or pattern fill the rest. */
export function drawSample({ words, width, height, chance, photo = null }: Wanted): string {
  const [ground, second, shape, pale, ink, accent] = chance.pick(palettes)
  const angle = chance.whole(20, 160)
  const isWide = width > height * 1.3
  const edge = Math.min(width, height) * (isWide ? 0.12 : 0.08)
  const room = isWide
    ? { width: width * 0.52 - edge, height: height - edge * 2 }
    : { width: width - edge * 2, height: height * 0.36 }
  const text = words === null ? { size: 0, lines: [] } : setText(words, room)
  const tall = text.lines.length * text.size * leading
  const top = isWide ? (height - tall) / 2 : edge
  const box =
    words === null
      ? { left: 0, top: 0, width, height }
      : isWide
        ? { left: width * 0.56, top: 0, width: width * 0.44, height }
        : { left: 0, top: top + tall + edge * 0.7, width, height: height - top - tall - edge * 0.7 }
  const pattern = chance.pick(isWide ? [drawOrbit, drawTiles] : [drawOrbit, drawHills, drawTiles])
  const draw = photo ? (art: Art) => placePhoto(photo, art) : pattern
  const lines = text.lines.map((line, at) => {
    return `<text x="${round(edge)}" y="${round(top + text.size * (0.9 + at * leading))}">${escapeXml(line)}</text>`
  })
  const mark = Math.max(7, Math.min(width, height) * 0.022)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="g" gradientTransform="rotate(${angle} .5 .5)"><stop stop-color="${ground}"/><stop offset="1" stop-color="${second}"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#g)"/>
<g transform="translate(${round(box.left)} ${round(box.top)})">${draw({ width: box.width, height: box.height, shape, pale, accent, chance })}</g>
<g font-family="Inter" font-weight="800" font-size="${round(text.size)}" letter-spacing="${round(-text.size * 0.02)}" fill="${ink}">${lines.join('')}</g>
<g transform="translate(${round(width - mark * 7.2)} ${round(height - mark * 3)})"><rect width="${round(mark * 6.2)}" height="${round(mark * 2)}" rx="${round(mark)}" fill="#000" fill-opacity=".55"/>
<text x="${round(mark * 3.1)}" y="${round(mark * 1.36)}" text-anchor="middle" font-family="Inter" font-weight="500" font-size="${round(mark)}" letter-spacing="${round(mark * 0.12)}" fill="#fff">SAMPLE</text></g>
</svg>`
}

const leading = 1.12

/** The area for a photo or pattern, and its colours. Coordinates begin at the top left of the area. */
type Art = { width: number; height: number; shape: string; pale: string; accent: string; chance: Seeded }

/** A section of the photo. `chance` decides on the section, the zoom and the tint. */
function placePhoto(photo: Buffer, { width, height, chance }: Art): string {
  const scale = Math.max(width / photoSize.width, height / photoSize.height) * (1 + chance.next() * 0.45)
  const size = { width: photoSize.width * scale, height: photoSize.height * scale }
  const left = (width - size.width) * (0.2 + chance.next() * 0.6)
  const top = (height - size.height) * (0.35 + chance.next() * 0.5)
  const tint = chance.pick(['#ff9d5c', '#5c8dff', '#ffd25c', '#b05cff'])
  return `<clipPath id="art"><rect width="${round(width)}" height="${round(height)}"/></clipPath><g clip-path="url(#art)"><image x="${round(left)}" y="${round(top)}" width="${round(size.width)}" height="${round(size.height)}" href="data:image/jpeg;base64,${photo.toString('base64')}"/><rect width="${round(width)}" height="${round(height)}" fill="${tint}" fill-opacity="${round(chance.next() * 0.2)}"/></g>`
}

/** A sun with rings around it. */
function drawOrbit({ width, height, shape, pale, accent, chance }: Art): string {
  const radius = Math.min(width, height) * 0.34
  const x = width * (0.45 + 0.2 * chance.next())
  const y = height * 0.52
  const rings = [1.25, 1.55, 1.95].map((factor, at) => {
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius * factor)}" fill="none" stroke="${pale}" stroke-opacity="${0.5 - at * 0.13}" stroke-width="${round(radius * 0.02)}"/>`
  })
  // The angle keeps the moon at the right of the sun, away from the words.
  const turn = (chance.next() - 0.5) * 1.6
  const moon = { x: x + Math.cos(turn) * radius * 1.25, y: y + Math.sin(turn) * radius * 1.25 }
  return `${rings.join('')}<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${shape}"/><circle cx="${round(x - radius * 0.25)}" cy="${round(y - radius * 0.25)}" r="${round(radius * 0.6)}" fill="${pale}" fill-opacity=".25"/><circle cx="${round(moon.x)}" cy="${round(moon.y)}" r="${round(radius * 0.14)}" fill="${accent}"/>`
}

/** Hills, one behind the other, under a low sun. */
function drawHills({ width, height, shape, pale, accent, chance }: Art): string {
  const sun = `<circle cx="${round(width * (0.3 + chance.next() * 0.5))}" cy="${round(height * 0.32)}" r="${round(Math.min(width * 0.17, height * 0.26))}" fill="${accent}"/>`
  const hills = [0.4, 0.6, 0.8].map((level, at) => {
    const lift = () => height * (level + (chance.next() - 0.5) * 0.2)
    return `<path d="M0 ${round(lift())} C ${round(width * 0.3)} ${round(lift())}, ${round(width * 0.45)} ${round(lift())}, ${round(width * 0.6)} ${round(lift())} S ${round(width * 0.9)} ${round(lift())}, ${width} ${round(lift())} V ${round(height + 1)} H 0 Z" fill="${at === 0 ? pale : shape}" fill-opacity="${[0.55, 0.65, 1][at] ?? 1}"/>`
  })
  return sun + hills.join('')
}

/** A grid of quarter circles, as on posters of the 1960s, drawn from the bottom right corner. */
function drawTiles({ width, height, shape, pale, accent, chance }: Art): string {
  const size = Math.max(width / 4, Math.min(width, height) / 3)
  const [columns, rows] = [Math.floor(width / size), Math.max(1, Math.floor(height / size))]
  const tiles: string[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [width - (column + 1) * size, height - (row + 1) * size]
      const [turn, isGap] = [chance.whole(0, 3) * 90, chance.next() < 0.12]
      const fill = chance.pick([shape, pale, accent, shape])
      if (isGap) continue
      tiles.push(
        `<g transform="translate(${round(x)} ${round(y)}) rotate(${turn} ${round(size / 2)} ${round(size / 2)})"><path d="M0 0 H ${round(size)} A ${round(size)} ${round(size)} 0 0 1 0 ${round(size)} Z" fill="${fill}" fill-opacity=".9"/></g>`,
      )
    }
  }
  return tiles.join('')
}

/**
 * The largest font size at which the words fit into the room, and their lines at that size. If they do not fit even at the smallest
 * size, the last lines are left out.
 */
function setText(words: string, room: { width: number; height: number }): { size: number; lines: string[] } {
  const plain = words.replace(/\s+/g, ' ').slice(0, 140) || 'Sample'
  for (let size = Math.min(room.width * 0.15, room.height * 0.6); size > 6; size *= 0.92) {
    const lines = wrap(plain, room.width / (size * 0.56))
    if (lines.length * size * leading <= room.height) return { size, lines }
  }
  return { size: 6, lines: wrap(plain, room.width / 3.4).slice(0, Math.max(1, Math.floor(room.height / 7))) }
}

function wrap(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.some((line) => line.length > most) && most > 4
    ? lines.flatMap((line) => cut(line, Math.floor(most)))
    : lines
}

const cut = (line: string, most: number): string[] =>
  Array.from({ length: Math.ceil(line.length / most) }, (_, at) => line.slice(at * most, (at + 1) * most))
const round = (value: number): number => Math.round(value * 10) / 10
const escapeXml = (text: string): string =>
  text
    .replace(/[<>&"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
