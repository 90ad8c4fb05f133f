// In charge of rendering an ad in one size: cuts the pictures, lets the template arrange the parts, draws and encodes.
import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import sharp from 'sharp'
import { NodeFailure } from '../../node-type.ts'
import { families } from '../families.ts'
import { type Font, loadFamily, openFont } from '../fonts.ts'
import { openFor, openPicture, type Reading, svgScale, untimed } from '../open.ts'
import { type Size, sizeOf } from '../placements.ts'
import { drawGlow } from './art.ts'
import { paletteOf } from './colours.ts'
import { hero } from './hero.ts'
import { offer } from './offer.ts'
import { capitals } from './parts.ts'
import { quote } from './quote.ts'
import type { Look, Scene, Template, Words } from './scene.ts'
import { spaceOf } from './scene.ts'
import { split } from './split.ts'

const templates = { hero, split, quote, offer } satisfies Record<string, Template>
export type TemplateName = keyof typeof templates
export type OutputFormat = 'png' | 'jpeg'

/**
 * `rule`: the id of the rule that demands the label. `always`: the label is drawn even if no picture in the ad says in its metadata
 * that a model made it.
 */
export type Label = { rule: string; words: string; always: boolean }

/** An ad to render. All members are plain data, because a job is sent to another process. */
export type LayoutJob = {
  template: TemplateName
  placement: string
  format: OutputFormat
  words: Words
  /** Labels that the market may demand. `composeLayout` decides which of them apply, and writes these into `words.label`. */
  labels: readonly Label[]
  look: Look
  /** The seed of the pattern that is drawn in place of a missing picture. */
  seed: string
  picture: Uint8Array | null
  logo: Uint8Array | null
  /** The bytes of the brand's own font, which is used for all text; null: the font of `look.family`. */
  font: Uint8Array | null
}

export async function renderLayout(job: LayoutJob, reading: Reading = untimed): Promise<Uint8Array> {
  const { element, size, fonts } = await layOut(job, reading)
  const svg = await satori(element, { ...size, fonts })
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render()
  if (job.format === 'png') return drawn.asPng()
  const raw = { width: drawn.width, height: drawn.height, channels: 4 } as const
  return sharp(drawn.pixels, { raw }).flatten().jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()
}

/** The ad before it is drawn: the elements of the template, in which every text has its font size, the ad's size, and the fonts. */
export async function layOut(job: LayoutJob, reading: Reading = untimed) {
  const size = sizeOf(job.placement)
  const { close, ...fonts } = await fontsOf(job, reading)
  try {
    refuseMissing(job.words, fonts)
    const element = await templates[job.template](await sceneOf(job, size, fonts, reading))
    return { element, size, fonts: satoriFonts(fonts) }
  } finally {
    close?.()
  }
}

type Fonts = { text: Font; heading: Font }

/** `close` is there for a brand's own font, which is opened for one job; the families stay open for the next job. */
async function fontsOf({ font, look }: LayoutJob, reading: Reading): Promise<Fonts & { close?: () => void }> {
  if (font === null) {
    const family = families.find((name) => name === look.family) ?? 'Inter'
    const [text, heading] = await loadFamily(family)
    // If the headings are in this serif font, the other text is in the sans-serif font Inter.
    return { text: family === 'Playfair Display' ? (await loadFamily('Inter'))[0] : text, heading }
  }
  try {
    const { close, ...own } = await reading(() => openFont('Brand', 500, Buffer.from(font)))
    return { text: own, heading: { ...own, weight: 800 }, close }
  } catch (cause) {
    throw new NodeFailure('The font cannot be read. Upload a TrueType (.ttf) or OpenType (.otf) file.', { cause })
  }
}

/** Heading font → both fonts as satori takes them. Satori gets the same objects each time, so it parses each font only once. */
const parsed = new WeakMap<Font, { name: string; data: Buffer; weight: 500 | 800; style: 'normal' }[]>()

function satoriFonts({ text, heading }: Fonts) {
  const known = parsed.get(heading)
  if (known) return known
  const made = [text, heading].map(({ name, weight, bytes }) => ({
    name,
    weight,
    data: bytes,
    style: 'normal' as const,
  }))
  parsed.set(heading, made)
  return made
}

/**
 * Throws if one of the fonts lacks a character of the words: an ad must not show an empty box in place of a letter. The kicker is
 * drawn in capitals, so only those count for it.
 */
/** The titles of those inputs of the node that are called otherwise than their ports. */
const titles: Readonly<Record<string, string>> = {
  action: 'button',
  label: 'label that the market demands',
  brand: 'brand name',
}

function refuseMissing(words: Words, { text, heading }: Fonts): void {
  const drawn = { ...words, kicker: words.kicker === null ? null : capitals(words.kicker) }
  for (const [what, said] of Object.entries(drawn)) {
    const missing = [
      ...new Set([text, heading].flatMap((font) => font.measure((said ?? '').replace(/\s+/g, ' ')).missing)),
    ]
    if (missing.length === 0) continue
    throw new NodeFailure(
      `The font has no shape for ${missing.slice(0, 5).join(' ')} in the ${titles[what] ?? what}. Lead a font file that has it to the input “Font”, or leave it out.`,
    )
  }
}

async function sceneOf(job: LayoutJob, size: Size, fonts: Fonts, reading: Reading): Promise<Scene> {
  const palette = paletteOf(job.look.primary, job.look.accent, job.look.theme)
  const { picture: photo, logo } = job
  return {
    ...{ size, ...spaceOf(size), ...fonts, palette, words: job.words },
    hasPicture: photo !== null,
    picture: async (width, height) => {
      const exact = { width: Math.round(width), height: Math.round(height) }
      return photo === null ? drawGlow(exact, palette, job.seed) : reading(() => cut(photo, exact))
    },
    logo: logo === null ? null : await reading(() => logoOf(logo)),
  }
}

/** Scales and cuts a photo to exactly the size that it has in the ad, and keeps the part that draws most attention. */
async function cut(photo: Uint8Array, size: Size): Promise<string> {
  const { picture } = await openFor(photo, 'picture', [size])
  const bytes = await picture
    .resize({ ...size, fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}

const logoSize = { width: 800, height: 400 } as const

async function logoOf(bytes: Uint8Array): Promise<{ src: string; ratio: number }> {
  const opened = openTrimmed(bytes, await logoScale(bytes))
  const logo = opened.resize({ ...logoSize, fit: 'inside' })
  const { data, info } = await logo.png().toBuffer({ resolveWithObject: true })
  return { src: `data:image/png;base64,${data.toString('base64')}`, ratio: info.width / info.height }
}

/** Opens a logo without the empty area around it. `scale`: the factor by which an SVG is scaled when it is drawn. */
const openTrimmed = (bytes: Uint8Array, scale: number) => openPicture(bytes, 'logo', scale).trim({ threshold: 1 })

/** The factor by which an SVG is scaled so that what is in it has the size of a logo; 1 for a picture of another format. */
async function logoScale(bytes: Uint8Array): Promise<number> {
  const { format, autoOrient: whole } = await openPicture(bytes, 'logo').metadata()
  if (format !== 'svg') return 1
  // What is in it may be a small part of the SVG, so it is measured first, in a drawing that takes little work.
  const measured = svgScale(whole, 1000 / Math.max(whole.width, whole.height))
  const { info } = await openTrimmed(bytes, measured).toBuffer({ resolveWithObject: true })
  return svgScale(whole, measured * Math.min(logoSize.width / info.width, logoSize.height / info.height))
}
