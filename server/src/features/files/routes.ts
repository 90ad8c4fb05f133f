// In charge of the HTTP face of files: bytes in, bytes out, and links to them.
import { Refusal } from '@atelier/contract/errors.ts'
import { isDigest } from '@atelier/contract/files.ts'
import { routes } from '@atelier/contract/routes.ts'
import type { Bind } from '../../platform/http/bind.ts'
import type { BindBytes } from '../../platform/http/bind-bytes.ts'
import type { Services } from '../../platform/services.ts'

export function bindFiles(bind: Bind, { upload, download }: BindBytes, { files, fileLinks }: Services): void {
  upload(routes.uploadFile, async (bytes, mediaType) => ({ data: await files.put(bytes, mediaType) }))

  download(routes.getFile, async ({ digest }) => {
    const file = isDigest(digest) ? await files.find(digest) : undefined
    if (!file) throw new Refusal('not_found', `There is no file with the digest ${digest}.`)
    return { file, read: (range) => files.read(file, range) }
  })

  bind(routes.createFileLinks, async ({ db, actor, body }) => ({
    data: await fileLinks.sign(db, actor, body.digests),
  }))
}
