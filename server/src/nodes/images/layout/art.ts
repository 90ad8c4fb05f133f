// In charge of what is drawn in the brand's colours: five stars, a quotation mark, and patterns in place of a missing picture or
// behind a price.
import { seeded } from '../../seeded.ts'
import type { Size } from '../placements.ts'
import type { Palette } from './colours.ts'

const dataUri = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
const round = (value: number): number => Math.round(value * 10) / 10
const sheet = ({ width, height }: Size, content: string): string =>
  dataUri(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}">${content}</svg>`,
  )

/** Soft discs and rings over a gradient, like the blurred background of a product photo. `seed` decides where the discs are. */
export function drawGlow(size: Size, palette: Palette, seed: string): string {
  const { width, height } = size
  const chance = seeded(seed)
  const small = Math.min(width, height)
  const colours = [palette.accent, palette.pale, palette.deep, palette.accent]
  const discs = colours.map((_, at) => {
    const [x, y] = [width * (0.15 + 0.7 * chance.next()), height * (0.1 + 0.6 * chance.next())]
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(small * (0.55 - at * 0.1))}" fill="url(#d${at})"/>`
  })
  const fades = colours.map((colour, at) => {
    return `<radialGradient id="d${at}"><stop stop-color="${colour}" stop-opacity=".85"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`
  })
  const [cx, cy, r] = [width * 0.62, height * 0.4, small * 0.24]
  const rings = [1.3, 1.75, 2.3, 2.95].map((by, at) => {
    return `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(r * by)}" fill="none" stroke="${palette.ink}" stroke-opacity="${0.28 - at * 0.06}" stroke-width="${round(Math.max(1, small * 0.004))}"/>`
  })
  return sheet(
    size,
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${palette.ground}"/><stop offset="1" stop-color="${palette.deep}"/></linearGradient><linearGradient id="b" x2=".6" y2="1"><stop stop-color="${palette.accent}"/><stop offset="1" stop-color="${palette.deep}"/></linearGradient>${fades.join('')}</defs>
<rect width="100%" height="100%" fill="url(#g)"/>${discs.join('')}${rings.join('')}<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(r)}" fill="url(#b)"/>`,
  )
}

/** Rays that begin at the point `from`; they are drawn behind a price. */
export function drawRays(size: Size, palette: Palette, from: { x: number; y: number }): string {
  const reach = size.width + size.height
  const count = 22
  const rays = Array.from({ length: count }, (_, at) => {
    const edge = (turn: number) => `${round(from.x + Math.cos(turn) * reach)} ${round(from.y + Math.sin(turn) * reach)}`
    const turn = (at / count) * Math.PI * 2
    return `M${round(from.x)} ${round(from.y)} L ${edge(turn)} L ${edge(turn + Math.PI / count)} Z`
  })
  return sheet(
    size,
    `<defs><radialGradient id="f" gradientUnits="userSpaceOnUse" cx="${round(from.x)}" cy="${round(from.y)}" r="${round(reach * 0.55)}"><stop stop-color="${palette.pale}" stop-opacity=".9"/><stop offset="1" stop-color="${palette.pale}" stop-opacity=".25"/></radialGradient></defs><rect width="100%" height="100%" fill="${palette.ground}"/><path d="${rays.join(' ')}" fill="url(#f)"/>`,
  )
}

/** Five stars in a row. */
export function drawStars(height: number, colour: string): { src: string; width: number; height: number } {
  const star = (x: number): string => {
    const points = Array.from({ length: 10 }, (_, at) => {
      const [turn, radius] = [(at * Math.PI) / 5 - Math.PI / 2, at % 2 === 0 ? 50 : 21]
      return `${round(x + 50 + Math.cos(turn) * radius)},${round(52 + Math.sin(turn) * radius)}`
    })
    return `<polygon points="${points.join(' ')}" fill="${colour}"/>`
  }
  const content = [0, 116, 232, 348, 464].map(star).join('')
  const src = dataUri(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 564 100" width="564" height="100">${content}</svg>`,
  )
  return { src, width: height * 5.64, height }
}

/** A large closing quotation mark, as decoration of a quote. */
export function drawMark(height: number, colour: string): { src: string; width: number; height: number } {
  const comma = (x: number): string =>
    `<path transform="translate(${x} 0)" d="M22 0 A22 22 0 1 0 27 43 C26 58 17 70 2 78 L6 86 C30 76 44 56 44 26 A22 24 0 0 0 22 0 Z" fill="${colour}"/>`
  const src = dataUri(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 86" width="100" height="86">${comma(0)}${comma(54)}</svg>`,
  )
  return { src, width: height * (100 / 86), height }
}
