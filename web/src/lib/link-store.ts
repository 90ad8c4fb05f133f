// In charge of reading the URLs of files and of their thumbnails.
import type { FileLink } from '@atelier/contract/files.ts'
import { call } from './api.ts'
import { createGathered, isGood } from './gathered.ts'

const links = createGathered<FileLink>({
  most: 500,
  ask: async (digests) => {
    const found = await call('createFileLinks', { body: { digests: [...digests] } })
    return new Map(found.map((link) => [link.digest, link]))
  },
  holds: isGood,
})

/** The URLs of a file and of its thumbnail; undefined until they have been read. */
export const useFileLink = links.useOne
