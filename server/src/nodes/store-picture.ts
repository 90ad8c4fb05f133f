// In charge of storing a picture that a model made, with the origin written into it and the type detected from its bytes.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import type { PictureWorkers } from './images/workers.ts'
import { keepMade } from './keep-made.ts'
import { type Cost, type NodeContext, NodeFailure } from './node-type.ts'

/**
 * `model`: the model's name at its provider. `credits` and `cost`: what the call costs, also if the picture cannot be used. `from`:
 * whether the model made the picture from words alone, or from other pictures.
 */
type Storing = Pick<NodeContext, 'files' | 'signal'> & {
  workers: PictureWorkers
  model: string
  credits: number
  cost: Cost | null
  from?: 'words' | 'pictures'
}

const kinds: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpeg', webp: 'webp', heif: 'avif' }

export async function storePicture(
  picture: Buffer,
  { workers, files, signal, model, credits, cost, from = 'words' }: Storing,
): Promise<FileValue> {
  const paid = (words: string, cause?: unknown): NodeFailure =>
    new NodeFailure(`The provider made ${words}. It was paid for.`, { credits, cost, cause })
  const sourceType = from === 'words' ? 'trainedAlgorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia'
  const marked = workers.mark({ picture, sourceType, model }, signal)
  const { bytes, format } = await marked.catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw paid('something that is no picture', cause)
  })
  const kind = kinds[format]
  if (kind === undefined) throw paid(`a picture of a kind that is not kept (${format})`)
  const name = `generated.${kind === 'jpeg' ? 'jpg' : kind}`
  return keepMade('a picture', files.write(bytes, `image/${kind}`, name), { credits, cost })
}
