// In charge of the template `quote`: what a person said (the headline), with five stars and the person's name.

import type { Font } from '../fonts.ts'
import { drawMark, drawStars } from './art.ts'
import { bannerOf } from './banner.ts'
import { box, column, type Element, picture } from './element.ts'
import { fitText, mustFit, type TextStyle } from './fit.ts'
import { brandOf, buttonOf, smallPrintOf } from './parts.ts'
import type { Scene, Template } from './scene.ts'

/** Opening and closing quotation marks. The first for which the font has shapes are used. */
const marks = [
  ['“', '”'],
  ['"', '"'],
] as const

/** The text in quotation marks; as it is if it begins with one, or if the font has none. */
export function inQuotes(text: string, font: Pick<Font, 'measure'>): string {
  const said = text.trim()
  if (/^[“"„«‘']/.test(said)) return said
  const [before, after] = marks.find((pair) => font.measure(pair.join('')).missing.length === 0) ?? ['', '']
  return `${before}${said}${after}`
}

export const quote: Template = async (scene) => {
  const { size, shape, unit, palette, words, safe, heading, place } = scene
  const { width, height } = size
  if (shape === 'banner') {
    const stars = drawStars(height * 0.16, palette.loud)
    const lead = scene.hasPicture ? await faceOf(scene, height, 0) : starsAside(stars, height)
    return bannerOf(scene, {
      lead,
      headline: inQuotes(words.headline, heading),
      what: 'quote',
      under: words.author,
      backdrop: null,
    })
  }
  const pad = unit * 7
  const inner = width - pad * 2
  const gap = unit * 3
  const stars = drawStars(Math.max(9, unit * 3), palette.loud)
  const author = await authorOf(scene, inner)
  const footer = footerOf(scene, inner)
  const free = height - pad * 2 - safe.top - safe.bottom - stars.height - gap * 3 - author.height - footer.height
  const style: TextStyle = { font: heading, color: palette.ink, leading: 1.16, tracking: -0.015 }
  const text = mustFit(
    'quote',
    inQuotes(words.headline, heading),
    { width: inner, height: free, largest: unit * 9.4, smallest: Math.max(13, unit * 3.4), lines: 8 },
    style,
    place,
  )
  const mark = drawMark(stars.height * 2.6, palette.pale)
  return column(
    {
      ...{ width, height, backgroundColor: palette.ground, justifyContent: 'space-between' },
      ...{ paddingTop: pad + safe.top, paddingBottom: pad + safe.bottom, paddingLeft: pad, paddingRight: pad },
      backgroundImage: `linear-gradient(160deg, ${palette.ground} 40%, ${palette.deep} 100%)`,
    },
    box(
      { width: inner, height: stars.height, alignItems: 'center', justifyContent: 'space-between' },
      picture(stars.src, stars.width, stars.height),
      picture(mark.src, mark.width, mark.height),
    ),
    text.element,
    column({ gap }, author.element, footer.element),
  )
}

/** The person's picture as a square with this corner radius: half of `side` for a circle, 0 for the left end of a banner. */
async function faceOf(scene: Scene, side: number, radius: number) {
  const element = picture(await scene.picture(side, side), side, side, { borderRadius: radius })
  return { element, width: side, height: side }
}

function starsAside(stars: { src: string; width: number; height: number }, height: number) {
  const pad = height * 0.2
  const element = box(
    { width: stars.width + pad, height, alignItems: 'center', paddingLeft: pad },
    picture(stars.src, stars.width, stars.height),
  )
  return { element, width: stars.width + pad, height }
}

async function authorOf(scene: Scene, width: number): Promise<{ element: Element; height: number }> {
  const { unit, text, palette, words, hasPicture } = scene
  const side = hasPicture ? Math.max(24, unit * 9) : 0
  const face = hasPicture ? await faceOf(scene, side, side / 2) : null
  const [name = '', ...role] = (words.author ?? '').split(/\s*[,·|]\s*/)
  const room = { width: width - side * 1.3, height: unit * 8, largest: Math.max(12, unit * 3), smallest: 10, lines: 1 }
  const style: TextStyle = { font: text, color: palette.ink, leading: 1.3, tracking: 0 }
  const first = name === '' ? null : mustFit('author', name, room, style, scene.place)
  const second =
    role.length === 0
      ? null
      : fitText(role.join(', '), { ...room, largest: Math.max(10.5, unit * 2.4) }, { ...style, color: palette.quiet })
  const height = Math.max(side, (first?.height ?? 0) + (second?.height ?? 0))
  const lines = column({}, first?.element ?? null, second?.element ?? null)
  return { element: box({ alignItems: 'center', gap: side * 0.3 }, face?.element ?? null, lines), height }
}

function footerOf(scene: Scene, width: number): { element: Element; height: number } {
  const { unit, palette } = scene
  const button = buttonOf(scene, Math.max(11, unit * 2.7), width * 0.6)
  const brand = brandOf(scene, { width: width * 0.38, height: Math.max(13, unit * 5) })
  const small = smallPrintOf(scene, width, 'left', palette.quiet)
  const row = box(
    { width, alignItems: 'center', justifyContent: 'space-between' },
    button?.element ?? null,
    brand?.element ?? null,
  )
  const high = Math.max(button?.height ?? 0, brand?.height ?? 0)
  const gap = small ? unit * 2 : 0
  return { element: column({ gap }, row, small?.element ?? null), height: high + gap + (small?.height ?? 0) }
}
