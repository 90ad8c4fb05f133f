// In charge of the template `split`: the picture is in one part of the ad, and the words are beside or below it, on a plain ground.

import type { Size } from '../placements.ts'
import { bannerOf } from './banner.ts'
import { box, column, type Element, picture } from './element.ts'
import { brandOf, stackOf } from './parts.ts'
import type { Scene, Template } from './scene.ts'

export const split: Template = async (scene) => {
  const { size, shape, words } = scene
  if (shape === 'banner') {
    const { height } = size
    const part = height * 1.7
    const lead = { element: picture(await scene.picture(part, height), part, height), width: part, height }
    return bannerOf(scene, { lead, headline: words.headline, what: 'headline', under: words.body, backdrop: null })
  }
  return shape === 'wide' ? beside(scene) : below(scene)
}

async function beside(scene: Scene): Promise<Element> {
  const { size, unit, palette } = scene
  const { width, height } = size
  const [pad, edge] = [unit * 5.5, unit * 2.6]
  const frame = { width: width * 0.48 - edge, height: height - edge * 2 }
  const brand = brandOf(scene, { width: width * 0.3, height: Math.max(13, unit * 4.4) })
  const room = {
    width: width - frame.width - edge - pad * 2,
    height: height - pad * 2 - (brand ? brand.height + unit * 2.6 : 0),
  }
  const stack = stackOf(scene, { ...room, headline: unit * 9 })
  const side = column(
    { padding: pad, width: width - frame.width - edge, height, justifyContent: brand ? 'space-between' : 'center' },
    brand?.element ?? null,
    stack.element,
  )
  const page = { width, height, backgroundColor: palette.ground }
  return box(page, side, box({ paddingTop: edge }, await framed(scene, frame)))
}

/** For the shapes `box` and `tall`: the words, below the picture, take the room that they need; the picture takes the rest. */
async function below(scene: Scene): Promise<Element> {
  const { size, shape, unit, palette, safe } = scene
  const { width, height } = size
  const [pad, edge] = [unit * 5.5, unit * 2.6]
  const brand = brandOf(scene, { width: width * 0.26, height: Math.max(13, unit * 4.4) })
  const most = height * (shape === 'box' ? 0.6 : 0.5) - pad - safe.bottom * 0.6
  const stack = stackOf(scene, { width: width - pad * 2, height: most, headline: unit * 9.5, beside: brand })
  const frame = { width: width - edge * 2, height: height - stack.height - edge - pad * 1.8 - safe.bottom }
  const page = { width, height, backgroundColor: palette.ground, padding: edge }
  const words = column({ paddingLeft: pad - edge, paddingTop: pad * 0.8 }, stack.element)
  return column(page, await framed(scene, frame), words)
}

async function framed(scene: Scene, { width, height }: Size): Promise<Element> {
  return picture(await scene.picture(width, height), width, height, { borderRadius: scene.unit * 3 })
}
