// Facts about rendered ads: their sizes are exact, and words that do not fit, or that the font lacks letters for, are refused.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { NodeFailure } from '../../node-type.ts'
import { usualPlacements } from '../placements.ts'
import { paletteOf } from './colours.ts'
import { inQuotes } from './quote.ts'
import { type LayoutJob, layOut, renderLayout, type TemplateName } from './render.ts'

const job = (changes: Partial<LayoutJob> = {}, words: Partial<LayoutJob['words']> = {}): LayoutJob => ({
  labels: [],
  ...{ template: 'hero', placement: '300x250', format: 'png', seed: 'abcdef01', picture: null, logo: null, font: null },
  look: { primary: '#1d3557', accent: '#ff5a36', theme: 'colour', family: 'Inter' },
  words: {
    ...{ headline: 'Ice cold at noon. Still cold at midnight.', kicker: null, body: null, action: 'Shop now' },
    ...{ offer: null, author: null, disclaimer: null, label: null, brand: 'nord', ...words },
  },
  ...changes,
})
const full = {
  ...{ kicker: 'New', body: 'Double-wall steel keeps drinks cold for 24 hours.', offer: '−30%' },
  ...{ author: 'Maja Lind, runner', disclaimer: 'While stocks last.' },
}
const names: TemplateName[] = ['hero', 'split', 'quote', 'offer']
const photo = () =>
  sharp({ create: { width: 900, height: 700, channels: 3, background: '#c0ffee' } })
    .jpeg()
    .toBuffer()

test.for(names.flatMap((template) => usualPlacements.map((placement) => [template, placement] as const)))(
  '%s is drawn in exactly %s, with a picture and all words',
  async ([template, placement]) => {
    const drawn = await renderLayout(job({ template, placement, picture: await photo() }, full))
    const { width, height, format } = await sharp(drawn).metadata()
    expect(`${width}x${height} ${format}`).toBe(`${placement} png`)
  },
)

test('the same job draws the same bytes', async () => {
  expect(Buffer.compare(Buffer.from(await renderLayout(job())), Buffer.from(await renderLayout(job())))).toBe(0)
})

test('the picture is on it', async () => {
  const drawn = await renderLayout(job({ template: 'split', placement: '1080x1350', picture: await photo() }))
  const { data } = await sharp(drawn)
    .extract({ left: 540, top: 200, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const off = [0xc0, 0xff, 0xee].map((part, at) => Math.abs(part - (data[at] ?? 0)))
  expect(Math.max(...off)).toBeLessThan(6)
})

test('an SVG logo is sharp and whole, however small it is and however much empty area is around it', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle cx="5.3" cy="5.3" r="2.6" fill="#00ff00"/></svg>'
  const drawn = await renderLayout(job({ template: 'split', placement: '1080x1080', logo: Buffer.from(svg) }))
  const { data, info } = await sharp(drawn).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = Array.from({ length: info.width * info.height }, (_, at) => [...data.subarray(at * 3, at * 3 + 3)])
  const greenish = pixels.filter(([red = 0, green = 0, blue = 0]) => green > 1.5 * red && green > 1.5 * blue)
  const plain = greenish.filter(([, green = 0]) => green > 250)
  expect(plain.length / greenish.length).toBeGreaterThan(0.9)
  // A circle fills this part of the square around it; one with cut edges fills more.
  const columns =
    plain.length > 0
      ? pixels.flatMap(([red = 0, green = 0], at) => (green > 250 && red < 5 ? [at % info.width] : []))
      : []
  const side = Math.max(...columns) - Math.min(...columns) + 1
  expect(plain.length / side ** 2).toBeCloseTo(Math.PI / 4, 1)
})

test.for(
  names.flatMap((template) => ['1080x1920', '300x250', '728x90'].map((placement) => [template, placement] as const)),
)('a label that a market demands stands on %s in %s, within it', async ([template, placement]) => {
  const picture = await photo()
  const label = 'AI-generated · Features an AI-generated performer'
  const { element } = await layOut(job({ template, placement, picture }, { ...full, label }))
  const drawn = JSON.stringify(element)
  for (const word of ['AI-generated', 'performer', 'While']) expect(drawn).toContain(word)
})

test('a label that does not fit is refused in words', async () => {
  const long = job({ template: 'quote', placement: '160x600' }, { action: null, label: 'unbreakable'.repeat(6) })
  await expect(renderLayout(long)).rejects.toThrow(/^The label does not fit 160×600/)
})

test('JPEG is given where it is asked for', async () => {
  expect((await sharp(await renderLayout(job({ format: 'jpeg' }))).metadata()).format).toBe('jpeg')
})

test('a headline that no one could read at that size is refused, with what would fit', async () => {
  await expect(renderLayout(job({ placement: '728x90' }, { headline: 'word '.repeat(60) }))).rejects.toThrow(
    /^The headline does not fit 728×90 at a size anyone can read: it has 299 characters, and about \d+ fit\./,
  )
})

test('a disclaimer is never left out: it fits or is refused', async () => {
  await expect(renderLayout(job({}, { disclaimer: 'terms and conditions apply '.repeat(30) }))).rejects.toThrow(
    /^The disclaimer does not fit/,
  )
})

test('letters the font has no shape for are refused rather than drawn as boxes', async () => {
  await expect(renderLayout(job({}, { headline: 'Kühl 冷たい' }))).rejects.toThrow(
    /no shape for 冷 た い in the headline/,
  )
})

const { resolve } = createRequire(import.meta.url)
const noto = (file: string) => readFileSync(path.join(path.dirname(resolve('harfbuzzjs')), 'test/fonts/noto', file))
const elementOf = async (asked: LayoutJob) => JSON.stringify((await layOut(asked)).element)
const hindi = { headline: 'नमस्ते दुनिया', action: null, brand: null }

test('a font of another script, without Latin letters, draws its own script and refuses Latin', async () => {
  const font = noto('NotoSansDevanagari-Regular.otf')
  expect((await sharp(await renderLayout(job({ font }, hindi))).metadata()).width).toBe(300)
  await expect(renderLayout(job({ font }, { ...hindi, action: 'Buy' }))).rejects.toThrow(
    /no shape for B u y in the button/,
  )
  await expect(renderLayout(job({ font }, { ...hindi, headline: `${hindi.headline} `.repeat(40) }))).rejects.toThrow(
    /^The headline does not fit .* about \d+ fit/,
  )
})

test('a quote is drawn in quotation marks that its font has, and without any if it has none', async () => {
  const withShapes = (shapes: string) => ({
    measure: (text: string) => ({ width: 1, missing: [...text].filter((letter) => !shapes.includes(letter)) }),
  })
  const said = ['“”"', '"', '', '“'].map((shapes) => inQuotes(' Good ', withShapes(shapes)))
  expect(said).toEqual(['“Good”', '"Good"', 'Good', 'Good'])
  for (const placement of ['300x250', '728x90']) {
    const font = noto('NotoSansArabic-Variable.ttf')
    const words = { ...hindi, headline: 'مرحبا' }
    expect(await elementOf(job({ template: 'quote', placement, font }, words))).toContain('"مرحبا"')
  }
})

test('a kicker is checked for the capitals in which it is drawn', async () => {
  // Bricolage Grotesque has the micro sign, but not the Greek capital that stands for it among capitals.
  const look = { ...job().look, family: 'Bricolage Grotesque' }
  expect(await elementOf(job({ look }, { headline: '5 µm' }))).toContain('µm')
  await expect(elementOf(job({ look }, { kicker: '5 µm' }))).rejects.toThrow(/no shape for \u039c in the kicker/)
  expect(await elementOf(job({}, { kicker: 'im Juli' }))).toContain('IM JULI')
})

test('the memory of a brand’s own font is freed after each job', async () => {
  const font = Buffer.concat([noto('NotoSans-Regular.ttf'), Buffer.alloc(8_000_000)])
  await layOut(job({ font }))
  const outside = () => {
    const { external, arrayBuffers } = process.memoryUsage()
    return external - arrayBuffers
  }
  const before = outside()
  for (let turn = 0; turn < 12; turn++) await layOut(job({ font }))
  // V8 counts what its collector has freed off `arrayBuffers` at once, and off `external` at a later collection.
  const grown = () => {
    Buffer.alloc(64_000_000)
    return outside() - before
  }
  await expect.poll(grown).toBeLessThan(40_000_000)
})

test('a font that is none is refused', async () => {
  await expect(renderLayout(job({ font: Buffer.from('not a font at all, not even nearly') }))).rejects.toThrow(
    /font cannot be read/,
  )
})

test.for(['12x90', '1080', '9000x9000', '1080x1350; drop', ''])('%j is no size', async (placement) => {
  await expect(renderLayout(job({ placement }))).rejects.toThrow(/is not a size such as 1080x1350/)
})

test('words of any length and any colours are drawn or refused in words, in any size', async () => {
  const text = fc.string({ minLength: 1, maxLength: 90, unit: fc.constantFrom(...'abcdeé ß%-.W&<') })
  const maybe = fc.option(text)
  const colour = fc.constantFrom('#000000', '#ffffff', '#ff0000', '#7f7f7f', '#ffe600')
  const any = fc.record({
    template: fc.constantFrom(...names),
    placement: fc.constantFrom('300x250', '728x90', '160x600', '320x50', '600x314'),
    words: fc.record({
      headline: text,
      kicker: maybe,
      body: maybe,
      action: maybe,
      offer: maybe,
      author: maybe,
      disclaimer: maybe,
      label: maybe,
      brand: maybe,
    }),
    primary: colour,
    accent: colour,
    theme: fc.constantFrom('colour' as const, 'light' as const, 'dark' as const),
  })
  await fc.assert(
    fc.asyncProperty(any, async ({ template, placement, words, ...look }) => {
      try {
        const drawn = await renderLayout(job({ template, placement, words, look: { ...look, family: 'Inter' } }))
        expect(drawn.length).toBeGreaterThan(100)
      } catch (error) {
        expect(error).toBeInstanceOf(NodeFailure)
      }
    }),
    { numRuns: 60, seed: 7 },
  )
})

test('text can be told from its ground, whatever the brand', () => {
  const light = (colour: string) =>
    Number.parseInt(colour.slice(1, 3), 16) +
    Number.parseInt(colour.slice(3, 5), 16) +
    Number.parseInt(colour.slice(5), 16)
  for (const primary of ['#000000', '#ffffff', '#ffe600', '#e63946', '#808080']) {
    for (const theme of ['colour', 'light', 'dark'] as const) {
      const { ground, ink, accent, onAccent } = paletteOf(primary, primary, theme)
      expect(Math.abs(light(ink) - light(ground))).toBeGreaterThan(200)
      expect(Math.abs(light(onAccent) - light(accent))).toBeGreaterThan(200)
    }
  }
})

test('each template has a picture in the form of a node, and no picture is of another', () => {
  const folder = path.resolve(import.meta.dirname, '../../../../../web/src/graph/pictured')
  expect(readdirSync(folder).toSorted()).toEqual(names.map((name) => `${name}.webp`).toSorted())
})
