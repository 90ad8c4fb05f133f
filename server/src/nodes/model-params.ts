// In charge of what all nodes that call a model share: the param for the model, and reading files for a model.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import type { ModelChoice } from '@atelier/contract/graph/model-catalogue.ts'
import Type from 'typebox'
import { NodeFailure, type NodeFiles } from './node-type.ts'
import type { Media } from './outside/models.ts'

/** A param that names a model, such as `google:gemini-3`. */
export const modelParam = (choice: ModelChoice, examples: string[]) =>
  Type.String({
    ...{ title: 'Model', description: 'As provider:model.', minLength: 1, maxLength: 100, examples },
    ...{ 'x-atelier': 'model', 'x-models': choice },
  })

/** A param that names a model, or is empty: the node then uses the model that the operator chose. */
export const modelOrDefault = (choice: ModelChoice, examples: string[]) =>
  Type.String({
    title: 'Model',
    description: 'As provider:model; left empty, the one the operator chose.',
    default: '',
    maxLength: 100,
    examples,
    'x-atelier': 'model',
    'x-models': choice,
  })

/** The maximum size, in bytes, of a file that is sent to a model. */
const most = 25_000_000

/**
 * Reads a file that is to be sent to a model. Throws if the file is too large or is not of `kind`; for `audio`, a video is accepted
 * too.
 */
export async function mediaOf(file: FileValue, kind: 'image' | 'audio' | 'video', files: NodeFiles): Promise<Media> {
  const name = file.name ?? 'The file'
  const isFit = file.media_type.startsWith(`${kind}/`) || (kind === 'audio' && file.media_type.startsWith('video/'))
  if (!isFit) throw new NodeFailure(`${name} is ${file.media_type}, and the model takes ${kind}.`)
  if (file.size > most) throw new NodeFailure(`${name} has ${file.size} bytes; ${most} is the most that is sent.`)
  return { bytes: await files.read(file.digest), mediaType: file.media_type }
}
