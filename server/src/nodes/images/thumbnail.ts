// In charge of thumbnails for lists. This is a file of its own, so that a thumbnail does not wait for the libraries of other
// picture jobs.
import { openPicture, type Reading } from './open.ts'

/** The whole picture, scaled to fit the thumbnail size, without the metadata of its file. */
export function thumbnailPicture({ picture }: { picture: Uint8Array }, reading: Reading): Promise<Uint8Array> {
  const small = openPicture(picture, 'picture').resize({ ...thumbnailBox, fit: 'inside', withoutEnlargement: true })
  return reading(() => small.webp({ quality: 78, effort: 2 }).toBuffer())
}

/** Nearly twice the width of a card, which is 270 pixels, because many screens draw two pixels for one. */
const thumbnailBox = { width: 512, height: 512 }
