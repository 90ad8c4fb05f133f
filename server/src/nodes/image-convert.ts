// In charge of `image.convert`: a picture in another format, within a size budget.
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'
import { formatParam, nameFor, pictureInput, qualityParam, readPicture } from './images/params.ts'
import type { PictureWorkers } from './images/workers.ts'

export const imageConvert = (workers: PictureWorkers) =>
  defineNode({
    type: 'image.convert',
    implementation: '2',
    title: 'Convert',
    summary: 'Changes a picture’s format, and brings it below a size in kilobytes.',
    group: 'image',
    help: `
With a budget, the best quality is found whose file is no larger: 150 kB is what display networks usually take. Where no
quality worth looking at fits, the node stops and says so, unless the picture may become smaller.`,
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
      const { format, quality, budget_kb, may_shrink } = params
      const picture = await readPicture(image, files)
      const budget = budget_kb === 0 ? null : budget_kb * 1000
      const made = await workers.convert({ picture, format, quality, budget, mayShrink: may_shrink }, signal)
      const file = await files.write(made.bytes, `image/${format}`, nameFor(image, '', format))
      const size = `${made.width}×${made.height}, ${Math.round(made.bytes.length / 1000)} kB`
      return { outputs: { image: file, quality: made.quality }, message: `Quality ${made.quality}, ${size}` }
    },
  })
