// In charge of the product's version: the current one, and the comparison of two.
import { readFileSync } from 'node:fs'

/** The version in package.json, written by `npm run release`. */
export const productVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

/** Three numbers. There are no pre-releases: unreleased code has no version. */
export const isVersion = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)

/** Below 0 if the first is older, above 0 if it is newer, 0 if they are equal. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  return (left ?? []).map((part, at) => part - (right?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
