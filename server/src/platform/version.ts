// In charge of the product's version: reads the current version, and compares two versions.
import { readFileSync } from 'node:fs'

/** The version in package.json, where `npm run release` writes it. */
export const productVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

/** Whether a text is a version, which is three numbers. There are no pre-releases: unreleased code has no version. */
export const isVersion = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)

/** Returns a number below 0 if the first version is older, above 0 if it is newer, and 0 if both are equal. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  return (left ?? []).map((part, at) => part - (right?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
