// In charge of the scene, which is all that a template receives: the words, the size, the colours, the fonts and the pictures.
import type { Font } from '../fonts.ts'
import type { Size } from '../placements.ts'
import type { Palette, Theme } from './colours.ts'
import type { Element } from './element.ts'

/** The words on an ad. Null: the ad has no such words. */
export type Words = {
  headline: string
  kicker: string | null
  body: string | null
  action: string | null
  offer: string | null
  author: string | null
  disclaimer: string | null
  /** The words of the label that a market demands, such as “AI-generated”. */
  label: string | null
  brand: string | null
}

export type Look = { primary: string; accent: string; theme: Theme; family: string }

/** How a template arranges its parts: side by side in `banner` and `wide`, one below the other in `box` and `tall`. */
type Shape = 'banner' | 'wide' | 'box' | 'tall'

function shapeOf({ width, height }: Size): Shape {
  if (width >= height * 3) return 'banner'
  if (width >= height * 1.3) return 'wide'
  return height >= width * 1.1 ? 'tall' : 'box'
}

export type Scene = {
  size: Size
  /** The size as text for messages, such as `1080×1350`. */
  place: string
  shape: Shape
  /** In pixels, the length that templates use as unit: a hundredth of the side of a square with the same area as the ad. */
  unit: number
  /**
   * The heights, in pixels, of the areas at the top and the bottom to keep free. In an ad that fills the screen of a phone, apps
   * cover these areas with their controls; in other ads both are 0.
   */
  safe: { top: number; bottom: number }
  palette: Palette
  text: Font
  heading: Font
  words: Words
  /** The picture, cut to the size `width` × `height`, as a data URL; without a picture, a pattern in the brand's colours. */
  picture(width: number, height: number): Promise<string>
  hasPicture: boolean
  /** The logo as a data URL; `ratio`: its width divided by its height. Null: there is no logo. */
  logo: { src: string; ratio: number } | null
}

export type Template = (scene: Scene) => Promise<Element>

export function spaceOf(size: Size): Pick<Scene, 'place' | 'shape' | 'unit' | 'safe'> {
  const { width, height } = size
  const isFullScreen = height >= width * 1.7
  return {
    place: `${width}×${height}`,
    shape: shapeOf(size),
    unit: Math.sqrt(width * height) / 100,
    safe: isFullScreen ? { top: height * 0.1, bottom: height * 0.13 } : { top: 0, bottom: 0 },
  }
}
