// In charge of the colours of an ad: makes them from the brand's two colours, with enough contrast between text and background.

type Rgb = [number, number, number]

export type Theme = 'colour' | 'light' | 'dark'

/**
 * The colours of an ad. `ground`: the background. `ink`: text on `ground`. `onAccent`: text on `accent`. `mark` (for small text)
 * and `loud` (for large text): the first of accent colour, brand colour and `ink` that is readable on `ground` at that size.
 */
export type Palette = {
  ground: string
  deep: string
  ink: string
  quiet: string
  accent: string
  onAccent: string
  mark: string
  loud: string
  pale: string
}

const white: Rgb = [255, 255, 255]

export function paletteOf(primary: string, accent: string, theme: Theme): Palette {
  const [brand, spark] = [read(primary), read(accent)]
  const night = mix(brand, [9, 9, 14], 0.84)
  const ground = theme === 'colour' ? brand : theme === 'light' ? mix(brand, white, 0.94) : night
  const ink = inkOn(ground, night)
  const firstOn = (least: number): Rgb => [spark, brand].find((colour) => contrast(colour, ground) >= least) ?? ink
  // 1.6 is the least contrast at which a button stands out from the background.
  const button = firstOn(1.6)
  const isBright = luminance(ground) > 0.4
  return {
    ground: write(ground),
    deep: write(theme === 'light' ? mix(brand, white, 0.8) : mix(ground, [0, 0, 0], isBright ? 0.1 : 0.28)),
    ink: write(ink),
    quiet: write(mix(ink, ground, 0.22)),
    accent: write(button),
    onAccent: write(inkOn(button, night)),
    mark: write(firstOn(3)),
    loud: write(firstOn(2.2)),
    pale: write(
      theme === 'light' ? mix(ground, brand, 0.16) : mix(ground, isBright ? [0, 0, 0] : white, isBright ? 0.07 : 0.16),
    ),
  }
}

/** The colour for text on `ground`: white if it is readable there; else white or `dark`, whichever has more contrast. */
function inkOn(ground: Rgb, dark: Rgb): Rgb {
  // A contrast of 3 is enough, as WCAG demands for large text: white on a saturated colour is more readable than the formula says.
  return contrast(white, ground) >= 3 || contrast(white, ground) > contrast(dark, ground) ? white : dark
}

/** The colour (`#rrggbb`) with an opacity, as a CSS colour. */
export function clear(colour: string, opacity: number): string {
  const [red, green, blue] = read(colour)
  return `rgba(${red},${green},${blue},${opacity})`
}

/** The contrast ratio of the Web Content Accessibility Guidelines, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share)
  return [part(0), part(1), part(2)]
}
const read = (colour: string): Rgb => {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) || 0
  return [part(1), part(3), part(5)]
}
const write = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
