// In charge of `image.edit`: changes a picture with an image model, or makes a picture from other pictures.
import Type from 'typebox'
import { defineNode, File, gives, needs, takes } from './define.ts'
import type { PictureWorkers } from './images/workers.ts'
import { duePrice } from './keep-made.ts'
import { templateSchema } from './liquid.ts'
import { mediaOf, modelOrDefault } from './model-params.ts'
import { NodeFailure } from './node-type.ts'
import { imageSizePattern } from './outside/image-sizes.ts'
import { pixelsOf } from './outside/prices.ts'
import type { Models } from './outside/providers.ts'
import { changesPort, promptOf } from './prompt.ts'
import { storePicture } from './store-picture.ts'

const price = 10
const mostReferences = 9

export const imageEdit = (models: Models, workers: PictureWorkers) =>
  defineNode({
    type: 'image.edit',
    title: 'Edit image',
    summary: 'Has an image model change a picture, or make one from several.',
    group: 'generate',
    help: `
Write what is to change, and what must stay as it is. Lead the picture to **Picture**. Others go to **References**: a
product, a person, a style. Say in the prompt what each is for, by its place: “the bottle of the second picture”.

With a **Mask**, only what is transparent in it changes. Not every model takes masks or several pictures; one that does
not says so, in a message or as a refusal.

The result says that a model took part in it. The same call is paid once.`,
    params: {
      model: modelOrDefault(models.choiceOf('edit'), [
        'gpt-image-2.5-sunburst',
        'google:gemini-3-pro-image',
        'bfl:flux-kontext-pro',
      ]),
      prompt: templateSchema('Prompt', 'What is to change. {{ names }} are inputs of the node.', '{{ prompt }}', [
        'Put the bottle on wet slate, in morning light. Keep the label as it is.',
      ]),
      size: Type.String({
        title: 'Size',
        description: 'Width x height in pixels, or auto. Which there are depends on the model.',
        default: 'auto',
        pattern: imageSizePattern,
        maxLength: 11,
        examples: ['1024x1536', 'auto'],
      }),
      quality: Type.String({
        title: 'Quality',
        description: 'As the model calls it, such as low, medium, high; left empty, its own choice.',
        default: '',
        maxLength: 20,
        examples: ['high'],
      }),
    },
    inputs: {
      image: needs({ title: 'Picture', description: 'The picture to change.', schema: File }),
      references: {
        ...takes({ title: 'References', description: 'Further pictures to go by.', schema: File }),
        many: true,
      } as const,
      mask: takes({ title: 'Mask', description: 'A PNG that is transparent where the picture changes.', schema: File }),
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
      changes: changesPort,
    },
    openInputs: true,
    outputs: { image: gives('Picture', 'The picture that was made.', File) },
    credits: { least: price, most: price, note: `${price} for each picture.` },
    retrySafe: false,
    timeoutSeconds: 600,
    unavailable: () => models.unavailable('edit'),
    provider: ({ model }) => models.keyOf('edit', model),
    cost: ({ model, size }) => models.cost('edit', model, { pixels: pixelsOf(size) }),
    run: async ({ params: { model: named, prompt: template, size, quality }, inputs, files, ...context }) => {
      const prompt = promptOf(template, inputs)
      if (prompt === '') throw new NodeFailure('The prompt is empty. Write one, or lead a text to “Prompt”.')
      const { image, references = [], mask } = inputs
      if (references.length > mostReferences)
        throw new NodeFailure(`There are ${references.length} references; ${mostReferences} is the most.`)
      const pictures = await Promise.all([image, ...references].map((one) => mediaOf(one, 'image', files)))
      const over = mask === undefined ? null : await mediaOf(mask, 'image', files)
      const { ask, model } = models.find('edit', named)
      const request = { prompt, size, quality, references: pictures, mask: over }
      const { made, note, usage, isCharged, charge } = await ask(model, request, { ...context, credits: price })
      const full = models.costOf('edit', named, { pixels: pixelsOf(size) }, usage)
      const { credits, cost } = duePrice(isCharged, price, full)
      const paid = { credits, cost, charge }
      const marked = { workers, files, signal: context.signal, ...paid, model, from: 'pictures' as const }
      const outputs = { image: await storePicture(made, marked) }
      return { outputs, credits, cost, ...(note === null ? {} : { message: note }) }
    },
  })
