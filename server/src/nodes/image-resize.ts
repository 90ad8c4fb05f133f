// In charge of `image.resize`: makes a picture in the exact sizes of placements.
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'
import type { Fit } from './images/jobs.ts'
import { focusParam, formatParam, nameFor, pictureInput, qualityParam, readPicture } from './images/params.ts'
import { placementsParam } from './images/placements.ts'
import type { PictureWorkers } from './images/workers.ts'

export const imageResize = (workers: PictureWorkers) =>
  defineNode({
    type: 'image.resize',
    implementation: '3',
    title: 'Resize',
    summary: 'Makes a picture in the exact sizes of placements.',
    group: 'image',
    help: `
**Fill** cuts off what does not fit, around what draws attention. **Whole** keeps all of the picture and fills the rest
with a colour. Turned photos are set upright, and camera data is removed.`,
    params: {
      placements: placementsParam('A picture is made for each.'),
      fit: Type.Unsafe<Fit>({
        type: 'string',
        enum: ['cover', 'contain'],
        title: 'Fit',
        description: 'cover fills the size and cuts off the rest; contain keeps the whole picture.',
        default: 'cover',
      }),
      focus: focusParam,
      background: Type.String({
        title: 'Background',
        description: 'Beside a picture that is kept whole, and behind a transparent one in JPEG.',
        default: '#ffffff',
        pattern: '^#[0-9a-fA-F]{6}$',
        'x-atelier': 'colour',
      }),
      format: formatParam('jpeg'),
      quality: qualityParam,
    },
    inputs: { image: pictureInput },
    outputs: {
      images: gives('Pictures', 'One for each size, in their order.', Type.Array(File)),
      image: gives('First picture', 'The first of them.', File),
    },
    concurrency: 4,
    timeoutSeconds: 120,
    run: async ({ params, inputs: { image }, files, signal }) => {
      const picture = await readPicture(image, files)
      const made = await workers.resize({ ...params, picture }, signal)
      const images = await Promise.all(
        made.map((bytes, at) => {
          const name = nameFor(image, `-${params.placements[at]}`, params.format)
          return files.write(bytes, `image/${params.format}`, name)
        }),
      )
      return { outputs: { images, image: images[0] } }
    },
  })
