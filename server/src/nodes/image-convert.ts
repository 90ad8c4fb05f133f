// In charge of `image.convert`: converts a picture to another format, within a maximum file size.
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'
import { formatParam, nameFor, pictureInput, qualityParam, readPicture } from './images/params.ts'
import type { PictureWorkers } from './images/workers.ts'
import { NodeFailure } from './node-type.ts'

export const imageConvert = (workers: PictureWorkers) =>
  defineNode({
    type: 'image.convert',
    implementation: '2',
    title: 'Convert',
    summary: 'Changes a picture’s format, and brings it below a size in kilobytes.',
    group: 'image',
    help: `
With a budget, the best quality is found whose file is no larger: 150 kB is what display networks usually take. Where no
quality worth looking at fits, the node stops and says so, unless the picture may become smaller.

Content credentials come on top when the file is exported. Where they would pass the budget, it is exported without: keep
some kilobytes free for them.`,
    params: {
      format: formatParam('jpeg'),
      quality: qualityParam,
      budget_kb: Type.Integer({
        title: 'Budget (kB)',
        description: 'The most a file may have, of 1000 bytes each; 0 for no budget.',
        default: 0,
        minimum: 0,
        maximum: 50_000,
        examples: [150, 600],
      }),
      reserve_kb: Type.Integer({
        title: 'Kept free (kB)',
        description:
          'Of the budget, for content credentials: an export adds about 15, more where the picture had some.',
        default: 0,
        minimum: 0,
        maximum: 1000,
        examples: [16],
      }),
      may_shrink: Type.Boolean({
        title: 'May become smaller',
        description: 'Whether width and height may be reduced to stay within the budget.',
        default: false,
      }),
    },
    inputs: { image: pictureInput },
    outputs: {
      image: gives('Picture', 'The picture in its new format.', File),
      quality: gives('Quality', 'The quality it has.', Type.Integer()),
    },
    concurrency: 4,
    timeoutSeconds: 120,
    run: async ({ params, inputs: { image }, files, signal }) => {
      const { format, quality, budget_kb, reserve_kb, may_shrink } = params
      if (budget_kb > 0 && reserve_kb >= budget_kb) {
        throw new NodeFailure(
          `Of a budget of ${budget_kb} kB, ${reserve_kb} kB cannot be kept free. Lower “Kept free”.`,
        )
      }
      const picture = await readPicture(image, files)
      const budget = budget_kb === 0 ? null : (budget_kb - reserve_kb) * 1000
      const made = await workers.convert({ picture, format, quality, budget, mayShrink: may_shrink }, signal)
      const file = await files.write(made.bytes, `image/${format}`, nameFor(image, '', format))
      const size = `${made.width}×${made.height}, ${Math.round(made.bytes.length / 1000)} kB`
      return { outputs: { image: file, quality: made.quality }, message: `Quality ${made.quality}, ${size}` }
    },
  })
