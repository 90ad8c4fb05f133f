// In charge of where to begin two long texts of a change, so that their difference is seen. It has its own file, so that the browser
// can use it without loading the schemas. Pure.

/** Where to begin two texts so that their first difference is near the beginning, with a few characters before it. */
export function startOfDifference(one: string, other: string): number {
  let same = 0
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same++
  return same > 60 ? same - 30 : 0
}
