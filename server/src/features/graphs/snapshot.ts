// In charge of reading the content of a graph's checkpoints.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { GraphContent } from './changes.ts'

/** Returns the content of a graph as a checkpoint stored it. Throws if the checkpoint is damaged. */
export function readContent(content: unknown): GraphContent {
  const { name, description, definition, ui_state } = isPlainObject(content) ? content : {}
  const isWhole = typeof name === 'string' && typeof description === 'string'
  if (!isWhole || !isPlainObject(definition) || !isPlainObject(ui_state)) {
    throw new Error('A checkpoint of a graph holds something else than a graph.')
  }
  return { name, description, definition, ui_state }
}
