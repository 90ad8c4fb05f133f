// In charge of the HTTP routes of files: uploading a file, downloading it or its thumbnail, and creating links to files.
import { Readable } from 'node:stream'
import { isDigest, type StoredFile } from '@atelier/contract/files.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { noFile } from '../../platform/file-store.ts'
import type { Bind } from '../../platform/http/bind.ts'
import type { BindBytes } from '../../platform/http/bind-bytes.ts'
import type { Services } from '../../platform/services.ts'
import type { Thumbnails } from './thumbnails.ts'

type Parts = Pick<Services, 'files' | 'fileLinks'> & { thumbnails: Pick<Thumbnails, 'read'> }

export function bindFiles(bind: Bind, { upload, download }: BindBytes, { files, fileLinks, thumbnails }: Parts): void {
  const find = async (digest: string): Promise<StoredFile> => {
    const file = isDigest(digest) ? await files.find(digest) : undefined
    if (!file) throw noFile(digest)
    return file
  }

  upload(routes.uploadFile, async (bytes, mediaType) => ({ data: await files.put(bytes, mediaType) }))

  download(routes.getFile, async ({ digest }) => {
    const file = await find(digest)
    return {
      tag: digest,
      file,
      read: (range) => files.read(file, range),
      linkTo: (headers) => files.linkTo(file, headers),
    }
  })

  download(routes.getThumbnail, async ({ digest }) => {
    const bytes = await thumbnails.read(await find(digest))
    return {
      tag: `${digest}-thumbnail`,
      file: { size: bytes.length, media_type: 'image/webp' },
      read: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    }
  })

  bind(routes.createFileLinks, async ({ db, actor, body }) => ({
    data: await fileLinks.sign(db, actor, body.digests),
  }))
}
