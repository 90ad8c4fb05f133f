// In charge of a picture to be reviewed in tests.
import sharp from 'sharp'
import type { App } from './app.ts'

/** Uploads a picture of one colour, such as `#24508c`, and 400 × 300 pixels; returns its digest. */
export async function pictureOf(app: App, background: string): Promise<string> {
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background } })
  return app.make.file(await image.png().toBuffer(), 'image/png')
}
