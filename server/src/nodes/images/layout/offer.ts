// In charge of the template `offer`: the price or the discount is as large as possible.
import { NodeFailure } from '../../node-type.ts'
import type { Size } from '../placements.ts'
import { drawRays } from './art.ts'
import { bannerOf } from './banner.ts'
import { box, column, cover, type Element, picture } from './element.ts'
import { mustFit, type TextStyle } from './fit.ts'
import { brandOf, kickerOf, type Part, stackOf } from './parts.ts'
import type { Scene, Template } from './scene.ts'

export const offer: Template = async (scene) => {
  if (scene.shape === 'banner') return across(scene)
  return scene.shape === 'wide' ? beside(scene) : below(scene)
}

/** For the shape `banner`: the price is on a coloured block at the left end. */
function across(scene: Scene): Element {
  const { height } = scene.size
  const { palette, words } = scene
  const width = height * 2
  const price = priceOf(scene, { width: width * 0.84, height: height * 0.7 }, palette.onAccent)
  const block = { width, height, alignItems: 'center', justifyContent: 'center', backgroundColor: palette.accent }
  const lead = { element: box(block, price.element), width, height }
  return bannerOf(scene, { lead, headline: words.headline, what: 'headline', under: words.body, backdrop: null })
}

/** For the shape `wide`: words at the left, and at the right a disc with the picture, or with the price if there is no picture. */
async function beside(scene: Scene): Promise<Element> {
  const { unit, palette, hasPicture } = scene
  const { width, height } = scene.size
  const pad = unit * 6
  const disc = Math.min(height * 0.78, width * 0.4)
  const inner = width - disc - pad * 3
  const brand = brandOf(scene, { width: inner * 0.6, height: Math.max(14, unit * 4.6) })
  const free = height - pad * 2 - (brand ? brand.height + unit * 3 : 0)
  const price = hasPicture
    ? priceOf(scene, { width: inner, height: free * 0.3 }, palette.loud, 'left')
    : priceOf(scene, { width: disc * 0.8, height: disc * 0.5 }, palette.onAccent)
  const stack = stackOf(scene, {
    ...{ width: inner, height: hasPicture ? free - price.height - unit * 2 : free, headline: unit * 7.5 },
    top: kickerOf(scene, inner),
  })
  const words = column(
    { gap: unit * 3, width: inner },
    brand?.element ?? null,
    column({ gap: unit * 2, width: inner }, hasPicture ? price.element : null, stack.element),
  )
  return onRays(
    scene,
    { x: width - pad - disc / 2, y: height / 2 },
    { padding: pad, justifyContent: 'space-between', alignItems: 'center' },
    [words, await discOf(scene, disc, hasPicture ? null : price.element)],
  )
}

/** All parts centred, one below the other: the brand, the picture (only in the shape `tall`), the price, the words. */
async function below(scene: Scene): Promise<Element> {
  const { shape, unit, palette, safe, hasPicture, words: said } = scene
  const { width, height } = scene.size
  const pad = unit * 6
  const inner = width - pad * 2
  const withDisc = hasPicture && shape === 'tall'
  const disc = withDisc
    ? Math.min(width * 0.62, (height - safe.top - safe.bottom) * (said.label === null ? 0.34 : 0.28))
    : 0
  const brand = brandOf(scene, { width: inner * 0.6, height: Math.max(14, unit * 4.6) })
  const taken = (brand ? brand.height + unit * 3 : 0) + (withDisc ? disc + unit * 3 : 0)
  const free = height - pad * 2 - safe.top - safe.bottom - taken
  const price = priceOf(scene, { width: inner, height: free * (withDisc ? 0.3 : 0.36) }, palette.loud)
  const stack = stackOf(scene, {
    ...{ width: inner, height: free - price.height - unit * 2, headline: unit * 7, align: 'center' as const },
    top: kickerOf(scene, inner, 'center'),
  })
  const words = column({ alignItems: 'center', gap: unit * 2, width: inner }, price.element, stack.element)
  const padding = { paddingTop: pad + safe.top, paddingBottom: pad + safe.bottom, paddingLeft: pad, paddingRight: pad }
  return onRays(
    scene,
    { x: width / 2, y: height * 0.42 },
    { ...padding, flexDirection: 'column', justifyContent: 'space-between', alignItems: 'center' },
    [brand?.element ?? null, withDisc ? await discOf(scene, disc, null) : null, words],
  )
}

type Content = (Element | null)[]

function onRays(
  scene: Scene,
  from: { x: number; y: number },
  style: Parameters<typeof cover>[0],
  content: Content,
): Element {
  const { width, height } = scene.size
  const rays = drawRays(scene.size, scene.palette, from)
  return box(
    { width, height, position: 'relative', backgroundColor: scene.palette.ground },
    picture(rays, width, height, { position: 'absolute', top: 0, left: 0 }),
    cover(style, ...content),
  )
}

/** A disc with `content` in it; if that is null, a ring around the picture. */
async function discOf(scene: Scene, side: number, content: Element | null): Promise<Element> {
  const round = {
    width: side,
    height: side,
    borderRadius: side / 2,
    flexShrink: 0,
    backgroundColor: scene.palette.accent,
  }
  const shown = Math.round(side - scene.unit * 2.4)
  const inside = content ?? picture(await scene.picture(shown, shown), shown, shown, { borderRadius: shown / 2 })
  return box({ ...round, alignItems: 'center', justifyContent: 'center' }, inside)
}

function priceOf(
  { words, heading, place, unit }: Scene,
  room: Size,
  color: string,
  align: 'left' | 'center' = 'center',
): Part {
  if (words.offer === null)
    throw new NodeFailure('The template “offer” needs an offer, such as −30%. Lead one to “Offer”.')
  const style: TextStyle = { font: heading, color, leading: 0.98, tracking: -0.04, align }
  const sizes = { largest: room.height, smallest: Math.max(13, unit * 4), lines: 2 }
  return mustFit('offer', words.offer, { ...room, ...sizes }, style, place)
}
