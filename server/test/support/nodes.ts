// In charge of calling node types in tests as the engine does: with defaults filled in, files in memory, and a seed.
import { createHash } from 'node:crypto'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import {
  type NodeContext,
  NodeFailure,
  type NodeFiles,
  type NodeResult,
  type NodeType,
} from '../../src/nodes/node-type.ts'

/** A seed in the engine's format, made from any text. */
export const seedOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export type FilesInMemory = NodeFiles & { all: Map<string, Buffer> }

export function filesInMemory(): FilesInMemory {
  const all = new Map<string, Buffer>()
  return {
    all,
    read: async (digest) => {
      const bytes = all.get(digest)
      if (!bytes) throw new Error(`no file ${digest}`)
      return bytes
    },
    write: async (bytes, mediaType, name): Promise<FileValue> => {
      const buffer = Buffer.from(bytes)
      const digest = createHash('sha256').update(buffer).digest('hex')
      all.set(digest, buffer)
      return { digest, media_type: mediaType, size: buffer.length, name: name ?? null }
    },
  }
}

/** The context in which a node type is called; members in `given` replace the defaults. */
export function contextOf(given: Partial<NodeContext> = {}): NodeContext {
  return {
    params: {},
    inputs: {},
    seed: seedOf('test'),
    unit: 'unit-1',
    signal: new AbortController().signal,
    checkpoint: null,
    saveCheckpoint: async () => undefined,
    progress: () => undefined,
    files: filesInMemory(),
    taskId: null,
    ...given,
  }
}

export function callNode(type: NodeType, given: Partial<NodeContext>): Promise<NodeResult> {
  if (type.gate !== null) throw new Error(`${type.type} is a gate: ask it, and accept an answer.`)
  return type.run(contextOf(given))
}

/** The error message of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  return (await failure(call)).message
}

export async function failure(call: Promise<unknown>): Promise<NodeFailure> {
  try {
    await call
  } catch (error) {
    if (error instanceof NodeFailure) return error
    throw error
  }
  throw new Error('the call worked out')
}
