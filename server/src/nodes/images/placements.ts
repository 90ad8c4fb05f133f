// In charge of the sizes in which pictures are made for ad placements; a size is written as `1080x1350`.
import Type from 'typebox'
import { NodeFailure } from '../node-type.ts'

export type Size = { width: number; height: number }

/** The sizes that forms suggest. */
const placements = ['1080x1350', '1080x1920', '1080x1080', '1200x628', '300x250', '728x90'] as const
/** The sizes that a launch usually needs; the default of nodes that make several sizes. */
export const usualPlacements = ['1080x1350', '1080x1920', '1200x628', '300x250', '728x90']

const pattern = '^[1-9]\\d{1,3}x[1-9]\\d{1,3}$'
const Placement = Type.String({ pattern, examples: [...placements] })

const limits = { least: 40, most: 4096, pixels: 12_000_000 } as const
/** Rounded up, so that a number of pixels above the limit does not look as if it were within it. */
const inMegapixels = (pixels: number): number => Math.ceil(pixels / 100_000) / 10
const mostMegapixels = inMegapixels(limits.pixels)

/** A param that is a list of sizes; a picture is made in each of them. */
export const placementsParam = (description: string) =>
  Type.Array(Placement, {
    title: 'Sizes',
    description: `${description} Of ${limits.least} to ${limits.most} pixels a side, and ${mostMegapixels} megapixels at most.`,
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    default: [...usualPlacements],
    examples: [['1080x1350', '1080x1920']],
  })

/** The reason why an ad cannot be made in one size, although it may be made in others. */
export class Misfit extends NodeFailure {}

/** Reads a size such as `1080x1350`. Throws a `Misfit` if the text is no size, or if the size is outside the limits. */
export function sizeOf(placement: string): Size {
  const [, width = 0, height = 0] = (/^(\d{2,4})[x×](\d{2,4})$/.exec(placement.trim()) ?? []).map(Number)
  const size = { width, height }
  const fits = [width, height].every((side) => side >= limits.least && side <= limits.most)
  if (!fits)
    throw new Misfit(
      `“${placement}” is not a size such as 1080x1350, of ${limits.least} to ${limits.most} pixels a side.`,
    )
  if (width * height > limits.pixels)
    throw new Misfit(`“${placement}” has ${inMegapixels(width * height)} megapixels; ${mostMegapixels} are the most.`)
  return size
}

/**
 * Sorts the results of drawing several sizes: `drawn` has the results that succeeded, and `leftOut` says why others failed (empty
 * if none did). Throws if no size was drawn, or if any error is not a `Misfit`: the same call might succeed in all sizes at another
 * time, so a result without that size must not be cached.
 */
export function sortOut<T>(tried: readonly PromiseSettledResult<T>[]): { drawn: T[]; leftOut: string } {
  const drawn = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failures: unknown[] = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const other = failures.find((failure) => !(failure instanceof Misfit))
  if (other !== undefined) throw other
  const why = [...new Set(failures.map((failure) => (failure instanceof Misfit ? failure.message : '')))].join(' ')
  if (drawn.length === 0) throw new NodeFailure(why)
  return { drawn, leftOut: why === '' ? '' : `${drawn.length} of ${tried.length} sizes were made. ${why}` }
}
