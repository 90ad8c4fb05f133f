// In charge of `video.generate`: makes a video with a video model.
import Type from 'typebox'
import { defineNode, File, gives, takes } from './define.ts'
import { duePrice, keepMade } from './keep-made.ts'
import { templateSchema } from './liquid.ts'
import { mediaOf, modelParam } from './model-params.ts'
import { NodeFailure } from './node-type.ts'
import type { Models } from './outside/providers.ts'
import { changesPort, promptOf } from './prompt.ts'

const price = 100

export const videoGenerate = (models: Models) =>
  defineNode({
    type: 'video.generate',
    title: 'Generate video',
    summary: 'Asks a video model for a video, from words or from a picture.',
    group: 'generate',
    help: `
Write what happens: subject, movement, camera, light. Lead a picture to **First frame** for the video to begin with it,
and one to **Last frame** for it to end there.

A video takes minutes. The job is kept at the provider: after a crash, and at a later start where it took too long, the
node goes on with the same one. Video is the dearest there is, and is paid by the second: begin with short ones. What it
costs in money stands with the model, where it is known.`,
    params: {
      model: modelParam(models.choiceOf('video'), [
        'google:veo-3.1-generate-preview',
        'fal:veo3',
        'replicate:minimax/video-01',
      ]),
      prompt: templateSchema('Prompt', 'What happens. {{ names }} are inputs of the node.', '{{ prompt }}', [
        'The bottle turns slowly on wet slate, morning light, camera still',
      ]),
      aspect_ratio: Type.String({
        title: 'Proportions',
        description: 'Width to height, such as 9:16; left empty, the model’s own.',
        default: '9:16',
        pattern: '^(\\d{1,2}:\\d{1,2})?$',
        maxLength: 5,
        examples: ['9:16', '16:9', '1:1'],
      }),
      seconds: Type.Integer({
        title: 'Seconds',
        description: 'How long it is; 0 leaves it to the model.',
        default: 0,
        minimum: 0,
        maximum: 60,
      }),
    },
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
      changes: changesPort,
      first_frame: takes({ title: 'First frame', description: 'The picture it begins with.', schema: File }),
      last_frame: takes({ title: 'Last frame', description: 'The picture it ends with.', schema: File }),
    },
    openInputs: true,
    outputs: { video: gives('Video', 'The video that was made.', File) },
    credits: { least: price, most: price, note: `${price} for each video.` },
    retrySafe: false,
    timeoutSeconds: 1800,
    unavailable: () => models.unavailable('video'),
    provider: ({ model }) => models.keyOf('video', model),
    cost: ({ model, seconds }) => models.cost('video', model, { seconds }),
    run: async ({ params, inputs, files, ...context }) => {
      const prompt = promptOf(params.prompt, inputs)
      if (prompt === '') throw new NodeFailure('The prompt is empty. Write one, or lead a text to “Prompt”.')
      const { first_frame: first, last_frame: last } = inputs
      const request = {
        prompt,
        aspectRatio: params.aspect_ratio || null,
        seconds: params.seconds || null,
        firstFrame: first === undefined ? null : await mediaOf(first, 'image', files),
        lastFrame: last === undefined ? null : await mediaOf(last, 'image', files),
      }
      const { ask, model } = models.find('video', params.model)
      const { made, note, usage, isCharged, charge } = await ask(model, request, { ...context, credits: price })
      const ending = made.mediaType === 'video/webm' ? 'webm' : 'mp4'
      const full = models.costOf('video', params.model, { seconds: params.seconds }, usage)
      const { credits, cost } = duePrice(isCharged, price, full)
      const stored = files.write(made.bytes, made.mediaType, `generated.${ending}`)
      const video = await keepMade('a video', stored, { credits, cost, charge })
      return { outputs: { video }, credits, cost, ...(note === null ? {} : { message: note }) }
    },
  })
