// In charge of watching responses that are sent part by part.
import { vi } from 'vitest'
import { JsonStream } from '../../src/platform/http/answer.ts'

/**
 * Records the sizes of the parts of all streamed responses, until mocks are restored. `before`: called before each part but the
 * first is made.
 */
export function watchParts(before = async (): Promise<void> => undefined): number[] {
  const sizes: number[] = []
  const { pieces } = JsonStream.prototype
  vi.spyOn(JsonStream.prototype, 'pieces').mockImplementation(async function* (this: unknown, isEnveloped: boolean) {
    if (!(this instanceof JsonStream)) throw new Error('called on something else')
    for await (const piece of pieces.call(this, isEnveloped)) {
      sizes.push(piece.length)
      yield piece
      await before()
    }
    return undefined
  })
  return sizes
}
