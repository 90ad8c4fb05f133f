// In charge of the product's version: which this one is, and which of two is newer.
import { readFileSync } from 'node:fs'

/** As `npm run release` writes it. */
export const productVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

/** Three numbers. There are no pre-releases: what is not released has no version. */
export const isVersion = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)

/** Below 0 where the first is older, above 0 where it is newer. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  return (left ?? []).map((part, at) => part - (right?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
