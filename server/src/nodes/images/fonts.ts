// In charge of measuring text: opens each font once per process, and measures how wide a text is in it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type HarfBuzzReady from 'harfbuzzjs'
import { type Family, fontPaths } from './families.ts'

const require = createRequire(import.meta.url)
/** Loaded by `require`, because the package's export is itself a promise, with which `import` fails. */
const harfbuzz: typeof HarfBuzzReady = require('harfbuzzjs')

/** A font for measuring and drawing. `weight`: 500 for the text font, 800 for the heading font, whatever the file states. */
export type Font = { name: string; weight: 500 | 800; bytes: Buffer; measure(text: string): Measured }

/** `close` frees the memory in which the font is measured. Afterwards the font can still be drawn, but not measured. */
type OpenedFont = Font & { close(): void }

/** `width`: the width of the text at a font size of 1. `missing`: the characters of the text for which the font has no glyph. */
type Measured = { width: number; missing: string[] }

const loaded = new Map<Family, Promise<[Font, Font]>>()

/** The text font and the heading font of a family. A process reads the files of a family only once. */
export function loadFamily(family: Family): Promise<[Font, Font]> {
  const fonts =
    loaded.get(family) ??
    (async (): Promise<[Font, Font]> => {
      const [text, heading] = fontPaths(family)
      return [await openFont(family, 500, readFileSync(text)), await openFont(family, 800, readFileSync(heading))]
    })()
  loaded.set(family, fonts)
  return fonts
}

/**
 * Opens a font from bytes (TrueType or OpenType). Throws if the bytes are no such font. The caller must close a font that it does
 * not keep, because the garbage collector does not free what the measuring library holds.
 */
export async function openFont(name: string, weight: 500 | 800, bytes: Buffer): Promise<OpenedFont> {
  const hb = await harfbuzz
  const blob = hb.createBlob(new Uint8Array(bytes))
  const face = hb.createFace(blob, 0)
  const font = hb.createFont(face)
  // The library counts references: the font keeps the face and the blob until the font itself is destroyed.
  face.destroy()
  blob.destroy()
  font.setScale(1000, 1000)
  const known = new Map<string, Measured>()
  const measure = (text: string): Measured => {
    const before = known.get(text)
    if (before) return before
    if (text === '') return { width: 0, missing: [] }
    const buffer = hb.createBuffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    hb.shape(font, buffer)
    const glyphs = buffer.getGlyphInfosAndPositions()
    buffer.destroy()
    const absent = glyphs.filter(({ codepoint }) => codepoint === 0)
    const missing = absent.map(({ cluster }) => String.fromCodePoint(text.codePointAt(cluster) ?? 32))
    const measured = { width: glyphs.reduce((sum, { x_advance: by = 0 }) => sum + by, 0) / 1000, missing }
    if (known.size < 5000) known.set(text, measured)
    return measured
  }
  // Bytes that are no font give a face without glyphs. Fonts of all scripts have a space, but many have no Latin letters.
  const space = measure(' ')
  if (space.width <= 0 || space.missing.length > 0) {
    font.destroy()
    throw new Error('The font cannot be read; it must be TrueType (.ttf) or OpenType (.otf).')
  }
  return { name, weight, bytes, measure, close: () => font.destroy() }
}
