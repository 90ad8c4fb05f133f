// In charge of drawing the demo's ads from the demo's photos, with the templates of `layout.render`. Run this script after a change
// of `features/demo/ads.ts` or of a photo: node scripts/run.mjs --dev scripts/demo-pictures/ads.ts
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { adFile, demoAds, looks } from '../../server/src/features/demo/ads.ts'
import { demoTasks } from '../../server/src/features/demo/content.ts'
import { renderLayout } from '../../server/src/nodes/images/layout/render.ts'
import { type PhotoName, readPhoto } from '../../server/src/nodes/images/photos.ts'

const folder = path.resolve(import.meta.dirname, '../../server/src/features/demo/ads')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [key, ads = []] of Object.entries(demoAds)) {
  const task = demoTasks.find((one) => one.key === key)
  if (!task) throw new Error(`The demo has no task ${key}.`)
  const { brand, ...look } = looks[task.product]
  const placement = task.media.resolution ?? '1080x1350'
  for (const [at, { photo, headline, action, body = null, offer = null, kicker = null }] of ads.entries()) {
    // The template `offer` has no room for the photo if the format is square.
    const hasRoom = offer !== null && placement !== '1080x1080'
    const drawn = await renderLayout({
      ...{
        template: hasRoom ? 'offer' : photo === 'clock' ? 'split' : 'hero',
        placement,
        format: 'png',
        seed: key,
        labels: [],
      },
      words: {
        headline,
        action,
        body,
        offer: hasRoom ? offer : null,
        kicker: hasRoom ? kicker : (offer ?? kicker),
        brand,
        author: null,
        disclaimer: null,
        label: null,
      },
      look: { ...look, theme: 'colour' },
      ...{ picture: await pictureOf(photo), logo: null, font: null },
    })
    const file = path.join(folder, adFile(key, at + 1))
    const { size } = await sharp(drawn).resize(720, 720, { fit: 'inside' }).webp({ quality: 74 }).toFile(file)
    console.log(path.relative(process.cwd(), file), size)
  }
}

/** Returns a photo's bytes. The photo “clock” is cropped to its clock, since layouts of another shape would cut the clock off. */
async function pictureOf(photo: PhotoName): Promise<Uint8Array> {
  const bytes = readPhoto(photo)
  if (photo !== 'clock') return bytes
  return sharp(bytes).extract({ left: 0, top: 180, width: 470, height: 420 }).toBuffer()
}
