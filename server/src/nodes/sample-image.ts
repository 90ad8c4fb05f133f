// In charge of `sample.image`: replaces an image model, offline and without keys. The same call always has the same result.
import Type from 'typebox'
import { defineNode, File, gives, takes } from './define.ts'
import { markSvg } from './images/marks.ts'
import { photoFor, readPhoto } from './images/photos.ts'
import { drawSample } from './images/sample-picture.ts'
import type { PictureWorkers } from './images/workers.ts'
import { templateSchema } from './liquid.ts'
import { changesPort, promptOf } from './prompt.ts'
import { pretend, sampleCredits, sampleEstimate, sampleParams } from './sample.ts'
import { seeded } from './seeded.ts'

const side = { minimum: 64, maximum: 2160 } as const

export const sampleImage = (workers: PictureWorkers) =>
  defineNode({
    type: 'sample.image',
    title: 'Sample picture',
    summary: 'Stands in for an image model: a drawn sample, offline, no key needed.',
    group: 'generate',
    help: `
Builds a graph before a model is paid for. It gives a rendered picture of what your prompt is about, as far as it has one (beds and duvets, dog
food, phones and cafés), else a pattern, in the size you ask for, with the words of your prompt and a small **sample**
mark; no model is asked. The same prompt gives the same picture; a re-roll gives another.

When the graph does what it should, replace it by **Generate image**.`,
    params: {
      prompt: templateSchema(
        'Prompt',
        'What the picture is about. {{ names }} are inputs of the node.',
        '{{ prompt }}',
        ['A steel bottle on a rock, morning light'],
      ),
      width: Type.Integer({
        title: 'Width',
        description: 'In pixels.',
        default: 1080,
        ...side,
        examples: [1080, 1200],
      }),
      height: Type.Integer({
        title: 'Height',
        description: 'In pixels.',
        default: 1350,
        ...side,
        examples: [1350, 628],
      }),
      format: Type.Unsafe<'png' | 'svg'>({
        type: 'string',
        enum: ['png', 'svg'],
        title: 'Format',
        description: 'PNG for everything; SVG is quicker and scales.',
        default: 'png',
      }),
      words: Type.Boolean({
        title: 'With words',
        description:
          'Whether the words of the prompt stand in it. Turn it off where **Render ad** sets words of its own.',
        default: true,
      }),
      ...sampleParams,
    },
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
      changes: changesPort,
    },
    openInputs: true,
    outputs: { image: gives('Picture', 'The drawn sample.', File) },
    credits: sampleCredits,
    estimate: sampleEstimate,
    provider: () => 'sample',
    concurrency: 4,
    timeoutSeconds: 700,
    run: async (context) => {
      const { params, inputs, seed, files, signal } = context
      const words = promptOf(params.prompt, inputs)
      await pretend(context)
      const { width, height } = params
      // A picture in the format SVG gets no photo: with a photo in it, the file would be larger than the same picture as PNG.
      const photo = params.format === 'svg' ? null : photoFor(words, seeded(seed, 1))
      const svg = drawSample({
        ...{ words: params.words ? words : null, width, height, chance: seeded(seed) },
        photo: photo && readPhoto(photo),
      })
      const image =
        params.format === 'svg'
          ? await files.write(Buffer.from(markSvg(svg)), 'image/svg+xml', 'sample.svg')
          : await files.write(await workers.draw(svg, signal), 'image/png', 'sample.png')
      return { outputs: { image }, credits: params.credits, message: 'Sample picture' }
    },
  })
