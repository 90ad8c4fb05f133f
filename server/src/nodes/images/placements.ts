// In charge of the sizes that pictures are made in: what placements are called, and how many pixels they have.
import Type from 'typebox'
import { NodeFailure } from '../node-type.ts'

export type Size = { width: number; height: number }

/** The sizes that forms offer. */
const placements = ['1080x1350', '1080x1920', '1080x1080', '1200x628', '300x250', '728x90'] as const
/** The set a launch usually needs. */
export const usualPlacements = ['1080x1350', '1080x1920', '1200x628', '300x250', '728x90']

const pattern = '^[1-9]\\d{1,3}x[1-9]\\d{1,3}$'
const Placement = Type.String({ pattern, examples: [...placements] })

/** A list of sizes, as a param. */
export const placementsParam = (description: string) =>
  Type.Array(Placement, {
    title: 'Sizes',
    description,
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    default: [...usualPlacements],
    examples: [['1080x1350', '1080x1920']],
  })

const limits = { least: 40, most: 4096, pixels: 12_000_000 } as const

/** The pixels of `1080x1350`. Throws `NodeFailure` for what is no size, or none that is drawn here. */
export function sizeOf(placement: string): Size {
  const [, width = 0, height = 0] = (/^(\d{2,4})[x×](\d{2,4})$/.exec(placement.trim()) ?? []).map(Number)
  const size = { width, height }
  const fits = [width, height].every((side) => side >= limits.least && side <= limits.most)
  if (fits && width * height <= limits.pixels) return size
  throw new NodeFailure(
    `“${placement}” is not a size such as 1080x1350, of ${limits.least} to ${limits.most} pixels a side.`,
  )
}
