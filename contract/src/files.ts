// In charge of the wire shapes of files: the response to an upload, and the file's bytes.
import Type from 'typebox'
import { Closed, DateTime, Digest, Id } from './wire/schema.ts'

/** The bytes of a file, as a request or response body that is not JSON. */
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

export const FileLinksCreate = Closed(
  { digests: Type.Array(Digest({ description: 'SHA-256 of the bytes of a file, hexadecimal.' }), { maxItems: 500 }) },
  { $id: 'FileLinksCreate', description: 'A digest of no file gets a link as well; it leads to a 404.' },
)
export const FileLink = Closed(
  {
    digest: Type.String(),
    url: Type.String({
      description: 'The address of the file within this service, with `expires` and `signature`; it begins with `/`.',
    }),
    thumbnail_url: Type.String({ description: 'The same for its thumbnail, which only pictures have.' }),
    expires_at: DateTime(),
  },
  { $id: 'FileLink', description: 'An address of a file that needs no header, for a while.' },
)
export type FileLink = Type.Static<typeof FileLink>

/** The maximum number of tasks or creatives in one request for cover pictures: enough for several screens. */
export const mostCovers = 100

export const CoversRequest = Closed(
  {
    task_ids: Type.Optional(Type.Array(Id(), { maxItems: mostCovers })),
    creative_ids: Type.Optional(Type.Array(Id(), { maxItems: mostCovers })),
  },
  { $id: 'CoversRequest', description: 'Whose pictures are wanted; an id that names nothing has none.' },
)
export const Cover = Closed(
  {
    task_id: Id(),
    creative_id: Id({ description: 'The creative that has the picture.' }),
    name: Type.String({ description: 'The name of that creative.' }),
    media_type: StoredFile.properties.media_type,
    size: StoredFile.properties.size,
    ...FileLink.properties,
  },
  { $id: 'Cover', description: 'The picture that stands for a task or is a creative, with links to it.' },
)
export type Cover = Type.Static<typeof Cover>

/** Whether a text has the form of a file's digest; a text without this form cannot be the digest of any file. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
