// In charge of `image.crop`: cuts out the largest part of a picture that has the chosen proportions, without scaling.
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'
import { focusParam, formatParam, nameFor, pictureInput, readPicture } from './images/params.ts'
import type { PictureWorkers } from './images/workers.ts'

const ratios = {
  '1:1': { width: 1, height: 1 },
  '4:5': { width: 4, height: 5 },
  '9:16': { width: 9, height: 16 },
  '2:3': { width: 2, height: 3 },
  '16:9': { width: 16, height: 9 },
  '1.91:1': { width: 1.91, height: 1 },
  '6:5': { width: 6, height: 5 },
} as const

export const imageCrop = (workers: PictureWorkers) =>
  defineNode({
    type: 'image.crop',
    implementation: '2',
    title: 'Crop',
    summary: 'Cuts a picture to proportions, without making it smaller or larger.',
    group: 'image',
    help: `
Takes the largest part of the picture that has the proportions, around what draws attention. To get exact pixels for a
placement, use **Resize**.`,
    params: {
      ratio: Type.Unsafe<keyof typeof ratios>({
        type: 'string',
        enum: Object.keys(ratios),
        title: 'Proportions',
        description: 'Width to height: 4:5 for feeds, 9:16 for stories and reels, 1.91:1 for links.',
        default: '4:5',
      }),
      focus: focusParam,
      format: formatParam('jpeg'),
    },
    inputs: { image: pictureInput },
    outputs: { image: gives('Picture', 'The part that was kept.', File) },
    concurrency: 4,
    timeoutSeconds: 120,
    run: async ({ params: { ratio, focus, format }, inputs: { image }, files, signal }) => {
      const picture = await readPicture(image, files)
      const bytes = await workers.crop({ picture, ratio: ratios[ratio], focus, format }, signal)
      const name = nameFor(image, `-${ratio.replace(':', 'x')}`, format)
      return { outputs: { image: await files.write(bytes, `image/${format}`, name) } }
    },
  })
