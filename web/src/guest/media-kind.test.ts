// Facts about how a guest reads what kind of file a creative has.
import { expect, test } from 'vitest'
import { mediaKind } from './media-kind.ts'

test('a media type is said in a word that guests know', () => {
  const types = [
    'video/mp4',
    'audio/mpeg',
    'image/png',
    'application/pdf',
    'text/plain',
    'application/zip',
    '',
    'font/woff2',
  ]
  const words = ['Film', 'Sound', 'Picture', 'PDF', 'Text', 'File', 'File', 'File']
  expect(types.map((type) => mediaKind(type).words)).toEqual(words)
})
