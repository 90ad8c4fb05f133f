// In charge of the template `hero`: the picture fills the ad, and the words are on a gradient of the background colour over it.
import { bannerOf } from './banner.ts'
import { clear } from './colours.ts'
import { box, cover, picture } from './element.ts'
import { brandOf, stackOf } from './parts.ts'
import type { Template } from './scene.ts'

export const hero: Template = async (scene) => {
  const { size, shape, unit, palette, words, safe } = scene
  const { width, height } = size
  const veil = (direction: string, stops: [number, number][]): string =>
    `linear-gradient(${direction}, ${stops.map(([opacity, at]) => `${clear(palette.ground, opacity)} ${at}%`).join(', ')})`
  if (shape === 'banner') {
    const part = width * 0.36
    const photo = picture(await scene.picture(part, height), part, height)
    const fade = cover({
      backgroundImage: veil('to right', [
        [1, 0],
        [0.25, 45],
        [0, 70],
      ]),
    })
    const backdrop = { element: box({ position: 'relative', width: part, height }, photo, fade), width: part, height }
    return bannerOf(scene, { lead: null, headline: words.headline, what: 'headline', under: words.body, backdrop })
  }
  const pad = unit * 6
  const isWide = shape === 'wide'
  const room = isWide
    ? { width: width * 0.56 - pad, height: height - pad * 2 - unit * 9 }
    : { width: width - pad * 2, height: height * (safe.bottom > 0 ? 0.46 : 0.56) }
  const stack = stackOf(scene, { ...room, headline: unit * (isWide ? 10 : 11.5) })
  const brand = brandOf(scene, { width: width * 0.4, height: Math.max(16, unit * 5.5) })
  // In an ad that is not wide, the photo ends halfway behind the words, so that its subject appears above them.
  const photo = isWide ? height : Math.min(height, Math.round(height - (stack.height + pad + safe.bottom) * 0.5))
  const reach = Math.min(100, ((stack.height + pad + safe.bottom) / height) * 100)
  const [left, across] = isWide ? [Math.round(width * 0.36), Math.round(width * 0.64)] : [0, width]
  const below = 100 - (photo / height) * 100
  return box(
    { width, height, position: 'relative', backgroundColor: palette.ground },
    picture(await scene.picture(across, photo), across, photo, { position: 'absolute', top: 0, left }),
    cover({
      backgroundImage: isWide
        ? veil('to right', [
            [1, 0],
            [1, 37],
            [0.75, 52],
            [0.2, 70],
            [0, 84],
          ])
        : veil('to top', [
            [1, 0],
            [1, below + 1],
            [0.9, (below + reach) / 2],
            [0.55, reach],
            [0, Math.min(100, reach + 18)],
          ]),
    }),
    brand && !isWide
      ? cover({
          height: '22%',
          backgroundImage: veil('to bottom', [
            [0.4, 0],
            [0, 100],
          ]),
        })
      : null,
    box({ position: 'absolute', top: pad * 0.9 + safe.top, left: pad }, brand?.element ?? null),
    box(
      {
        position: 'absolute',
        bottom: pad + safe.bottom,
        left: pad,
        ...(isWide ? { top: brand ? pad + unit * 5 : pad, alignItems: 'center' } : {}),
      },
      stack.element,
    ),
  )
}
