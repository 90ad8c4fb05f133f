// In charge of pictures as lists show them. Apart from the other work, whose libraries take longer to load than a thumbnail to make.
import { openPicture, type Reading } from './open.ts'

/** Whole, at most so many pixels on either side, without what its file says of itself. */
export function thumbnailPicture({ picture }: { picture: Uint8Array }, reading: Reading): Promise<Uint8Array> {
  const small = openPicture(picture, 'picture').resize({ ...thumbnailBox, fit: 'inside', withoutEnlargement: true })
  return reading(() => small.webp({ quality: 78, effort: 2 }).toBuffer())
}

/** Twice the width of a card, which is 270 pixels: many screens draw two pixels for one. */
const thumbnailBox = { width: 512, height: 512 }
