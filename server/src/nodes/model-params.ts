// In charge of what nodes that ask a model have in common: their param for it, and files as models take them.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import type { ModelChoice } from '@atelier/contract/graph/model-catalogue.ts'
import Type from 'typebox'
import { NodeFailure, type NodeFiles } from './node-type.ts'
import type { Media } from './outside/models.ts'

/** A model, by a name such as `google:gemini-3`. */
export const modelParam = (choice: ModelChoice, examples: string[]) =>
  Type.String({
    ...{ title: 'Model', description: 'As provider:model.', minLength: 1, maxLength: 100, examples },
    ...{ 'x-atelier': 'model', 'x-models': choice },
  })

/** The same where the operator has chosen one for nodes that name none. */
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

/** Bytes of a file that is sent to a model at most. */
const most = 25_000_000

/** A file of a kind, such as `image`, as models take it. */
export async function mediaOf(file: FileValue, kind: 'image' | 'audio' | 'video', files: NodeFiles): Promise<Media> {
  const name = file.name ?? 'The file'
  const isFit = file.media_type.startsWith(`${kind}/`) || (kind === 'audio' && file.media_type.startsWith('video/'))
  if (!isFit) throw new NodeFailure(`${name} is ${file.media_type}, and the model takes ${kind}.`)
  if (file.size > most) throw new NodeFailure(`${name} has ${file.size} bytes; ${most} is the most that is sent.`)
  return { bytes: await files.read(file.digest), mediaType: file.media_type }
}
