// In charge of doing in parts what would be too much at once. Pure.
export type Size = { count: number; bytes: number }

/** Consecutive elements that are within the limit together; one that is larger alone is a part of its own. */
export function* chunksOf<T>(all: Iterable<T>, limit: Size, sizeOf: (one: T) => Size): Generator<T[]> {
  let chunk: T[] = []
  let size: Size = { count: 0, bytes: 0 }
  for (const one of all) {
    const { count, bytes } = sizeOf(one)
    if (chunk.length > 0 && (size.count + count > limit.count || size.bytes + bytes > limit.bytes)) {
      yield chunk
      chunk = []
      size = { count: 0, bytes: 0 }
    }
    chunk.push(one)
    size = { count: size.count + count, bytes: size.bytes + bytes }
  }
  if (chunk.length > 0) yield chunk
}
