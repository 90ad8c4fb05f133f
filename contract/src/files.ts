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

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes of a file, hexadecimal.' })

export const FileLinksCreate = Closed(
  { digests: Type.Array(Digest, { maxItems: 500 }) },
  { $id: 'FileLinksCreate', description: 'A digest of no file gets a link as well; it leads to a 404.' },
)
export const FileLink = Closed(
  {
    digest: Type.String(),
    url: Type.String({ description: 'The address of the file, with `expires` and `signature`.' }),
    expires_at: DateTime(),
  },
  { $id: 'FileLink', description: 'An address of a file that needs no header, for a while.' },
)
export type FileLink = Type.Static<typeof FileLink>

/** Text of any other shape names no file. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
