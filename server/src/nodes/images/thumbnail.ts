// In charge of thumbnails for lists. This code has a file of its own, so that making a thumbnail does not import the libraries of
// other picture jobs.
import { openPicture, type Reading } from './open.ts'

/** The whole picture, reduced to fit into `thumbnailBox`, without the metadata of its file. */
export function thumbnailPicture({ picture }: { picture: Uint8Array }, reading: Reading): Promise<Uint8Array> {
  const small = openPicture(picture, 'picture').resize({ ...thumbnailBox, fit: 'inside', withoutEnlargement: true })
  return reading(() => small.webp({ quality: 78, effort: 2 }).toBuffer())
}

/** In pixels. Nearly twice the width of a card (270 CSS pixels), because many screens have two pixels for each CSS pixel. */
const thumbnailBox = { width: 512, height: 512 }
