// In charge of the wire shapes of files: what an upload answers, and the bytes themselves.
import Type from 'typebox'
import { Closed, DateTime } from './schema.ts'

/** The bytes of a file: a body that is not JSON. */
export const Bytes = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  description: 'The bytes of the file, as they are.',
})

export const StoredFile = Closed(
  {
    digest: Type.String({ description: 'SHA-256 of its bytes, hexadecimal; its address.' }),
    size: Type.Integer({ minimum: 1, description: 'Bytes.' }),
    media_type: Type.String({ description: 'As its first upload declared it, without parameters.' }),
    created_at: DateTime({ description: 'Its first upload.' }),
  },
  { $id: 'StoredFile', description: 'A file, content-addressed and immutable.' },
)
export type StoredFile = Type.Static<typeof StoredFile>

/** Text of any other shape names no file. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
