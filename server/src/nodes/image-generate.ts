// In charge of `image.generate`: makes a picture with an image model.
import type { ModelChoice } from '@atelier/contract/graph/model-catalogue.ts'
import Type from 'typebox'
import { defineNode, File, gives, takes } from './define.ts'
import type { PictureWorkers } from './images/workers.ts'
import { duePrice } from './keep-made.ts'
import { templateSchema } from './liquid.ts'
import { modelOrDefault } from './model-params.ts'
import { NodeFailure } from './node-type.ts'
import { imageSizePattern } from './outside/image-sizes.ts'
import { pixelsOf } from './outside/prices.ts'
import type { Models } from './outside/providers.ts'
import { changesPort, promptOf } from './prompt.ts'
import { storePicture } from './store-picture.ts'

const price = 10

const paramsOf = (choice: ModelChoice) => ({
  model: modelOrDefault(choice, ['gpt-image-2.5-sunburst', 'google:gemini-3.1-flash-image']),
  prompt: templateSchema('Prompt', 'What is to be seen. {{ names }} are inputs of the node.', '{{ prompt }}', [
    'A steel bottle on a rock at sunrise, wide empty sky at the left, photo',
  ]),
  size: Type.String({
    title: 'Size',
    description: 'Width x height in pixels, or auto. Which there are depends on the model.',
    default: '1024x1024',
    pattern: imageSizePattern,
    maxLength: 11,
    examples: ['1024x1536', '1536x1024', '1008x1792', 'auto'],
  }),
  quality: Type.String({
    title: 'Quality',
    description: 'As the model calls it, such as low, medium, high; left empty, its own choice.',
    default: '',
    maxLength: 20,
    examples: ['high'],
  }),
})

export const imageGenerate = (models: Models, workers: PictureWorkers) =>
  defineNode({
    type: 'image.generate',
    title: 'Generate image',
    summary: 'Asks an image model for a picture.',
    group: 'generate',
    help: `
Write what is to be seen: subject, light, framing, style, and what must not be there. Words in the picture are better set
by **Render ad** than by a model. Leave room for them: “empty space at the left”.

The models of the \`gpt-image-2\` family make any size whose sides are multiples of 16, up to 3840x2160 and 3 to 1: 1008x1792
for stories, 1024x1280 for feeds. A size that a model is known not to take is refused before anything is sent. Models of
Google and Replicate take proportions: they are asked for those nearest to the size.

The same prompt is paid once: later runs take the picture from the cache, until somebody re-rolls it. Bring it to
placements with **Resize**.`,
    params: paramsOf(models.choiceOf('image')),
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
      changes: changesPort,
    },
    openInputs: true,
    outputs: { image: gives('Picture', 'The picture that was made.', File) },
    credits: { least: price, most: price, note: `${price} for each picture.` },
    retrySafe: false,
    timeoutSeconds: 600,
    unavailable: () => models.unavailable('image'),
    provider: ({ model }) => models.keyOf('image', model),
    cost: ({ model, size }) => models.cost('image', model, { pixels: pixelsOf(size) }),
    run: async ({ params: { model: named, prompt: template, size, quality }, inputs, files, ...context }) => {
      const prompt = promptOf(template, inputs)
      if (prompt === '') throw new NodeFailure('The prompt is empty. Write one, or lead a text to “Prompt”.')
      const call = { ...context, credits: price }
      const request = { prompt, size, quality, references: [], mask: null }
      const { ask, model } = models.find('image', named)
      const { made, note, usage, isCharged, charge } = await ask(model, request, call)
      const full = models.costOf('image', named, { pixels: pixelsOf(size) }, usage)
      const { credits, cost } = duePrice(isCharged, price, full)
      const marked = { workers, files, signal: context.signal, credits, cost, charge, model }
      const image = await storePicture(made, marked)
      return { outputs: { image }, credits, cost, ...(note === null ? {} : { message: note }) }
    },
  })
