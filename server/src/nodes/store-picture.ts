// In charge of storing a picture that a model made, with the origin written into it and the type detected from its bytes.
import { setTimeout as wait } from 'node:timers/promises'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { isTemporary, type PictureWorkers } from './images/workers.ts'
import { keepMade, type Price } from './keep-made.ts'
import { type NodeContext, NodeFailure } from './node-type.ts'

/** `model`: the model's name at its provider. `from`: whether the model made the picture from words alone, or from other pictures. */
type Storing = Pick<NodeContext, 'files' | 'signal'> &
  Price & { workers: PictureWorkers; model: string; from?: 'words' | 'pictures' }

const kinds: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpeg', webp: 'webp', heif: 'avif' }

/** How long to wait, in milliseconds, before each further attempt at work that failed for a reason outside the picture. */
const usualPauses: readonly number[] = [250, 1000, 4000]

/** Stores the picture. If it cannot be stored, throws a failure that books what the call cost. */
export const storePicture = (picture: Buffer, storing: Storing, pauses = usualPauses): Promise<FileValue> =>
  keepMade('a picture', stored(picture, storing, pauses), storing)

async function stored(
  picture: Buffer,
  { workers, files, signal, model, from = 'words' }: Storing,
  pauses: readonly number[],
): Promise<FileValue> {
  const sourceType = from === 'words' ? 'trainedAlgorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia'
  const mark = () => workers.mark({ picture, sourceType, model }, signal)
  const { bytes, format } = await repeated(mark, signal, pauses)
  const kind = kinds[format]
  if (kind === undefined) throw new NodeFailure(`Pictures of its kind (${format}) are not kept.`)
  return files.write(bytes, `image/${kind}`, `generated.${kind === 'jpeg' ? 'jpg' : kind}`)
}

/**
 * Does the work again, after each of `pauses`, while it fails for a reason outside the picture. The picture is paid for, and the
 * provider may not give it a second time.
 */
async function repeated<T>(work: () => Promise<T>, signal: AbortSignal, pauses: readonly number[]): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    signal.throwIfAborted()
    const [pause, ...later] = pauses
    if (pause !== undefined && isTemporary(cause)) {
      await wait(pause, undefined, { signal })
      return repeated(work, signal, later)
    }
    throw cause instanceof NodeFailure ? cause : new NodeFailure('The program for pictures failed.', { cause })
  }
}
