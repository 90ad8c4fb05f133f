// In charge of what a template is given: the words, the size, the colours, the fonts and the pictures.
import type { Font } from '../fonts.ts'
import type { Size } from '../placements.ts'
import type { Palette, Theme } from './colours.ts'
import type { Element } from './element.ts'

/** What stands on a picture. Null: it was not given. */
export type Words = {
  headline: string
  kicker: string | null
  body: string | null
  action: string | null
  offer: string | null
  author: string | null
  disclaimer: string | null
  /** What a market demands to be said of how it was made. */
  label: string | null
  brand: string | null
}

export type Look = { primary: string; accent: string; theme: Theme; family: string }

/** How a size is laid out: beside each other in a banner and a wide one, below each other in a box and a tall one. */
type Shape = 'banner' | 'wide' | 'box' | 'tall'

function shapeOf({ width, height }: Size): Shape {
  if (width >= height * 3) return 'banner'
  if (width >= height * 1.3) return 'wide'
  return height >= width * 1.1 ? 'tall' : 'box'
}

export type Scene = {
  size: Size
  /** `1080×1350`, for what is said about it. */
  place: string
  shape: Shape
  /** A hundredth of the side of a square as large as the picture: lengths are given in it. */
  unit: number
  /** What apps cover of a full-screen picture, at its top and bottom; 0 elsewhere. */
  safe: { top: number; bottom: number }
  palette: Palette
  text: Font
  heading: Font
  words: Words
  /** The picture cut to a size, or a pattern in the brand's colours where none was given. */
  picture(width: number, height: number): Promise<string>
  hasPicture: boolean
  /** The logo, at its own proportions. */
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
