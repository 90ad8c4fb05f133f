// In charge of splitting a long sequence into parts of bounded size. Pure.
export type Size = { count: number; bytes: number }

export const none: Size = { count: 0, bytes: 0 }
export const plus = (size: Size, more: Size): Size => ({
  count: size.count + more.count,
  bytes: size.bytes + more.bytes,
})
/** Whether a part of this size that gets more exceeds the limit. */
export const exceeds = (limit: Size, size: Size, more: Size): boolean =>
  size.count + more.count > limit.count || size.bytes + more.bytes > limit.bytes

/** Groups consecutive elements into parts within the limit. An element that exceeds the limit by itself is a part of its own. */
export function* chunksOf<T>(all: Iterable<T>, limit: Size, sizeOf: (one: T) => Size): Generator<T[]> {
  let chunk: T[] = []
  let size = none
  for (const one of all) {
    const more = sizeOf(one)
    if (chunk.length > 0 && exceeds(limit, size, more)) {
      yield chunk
      chunk = []
      size = none
    }
    chunk.push(one)
    size = plus(size, more)
  }
  if (chunk.length > 0) yield chunk
}
