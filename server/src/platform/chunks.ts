// In charge of splitting a long sequence into parts of bounded size. Pure.
export type Size = { count: number; bytes: number }

/** Groups consecutive elements into parts within the limit. An element that exceeds the limit by itself is a part of its own. */
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
