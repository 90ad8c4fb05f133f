// In charge of `speech.generate`: reads a text aloud with a speech model.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import Type from 'typebox'
import { defineNode, File, gives, needs } from './define.ts'
import { duePrice, keepMade } from './keep-made.ts'
import { modelParam } from './model-params.ts'
import { type NodeContext, NodeFailure } from './node-type.ts'
import type { Media } from './outside/models.ts'
import type { Models } from './outside/providers.ts'

const price = 2
const endings: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
}

export const speechGenerate = (models: Models) =>
  defineNode({
    type: 'speech.generate',
    title: 'Generate speech',
    summary: 'Has a text read aloud by a speech model.',
    group: 'generate',
    help: `
Lead the text to **Text**: as it is to be heard, with numbers and names written the way they are said. In **Manner**, say
how: calm, quick, as to a friend. Which voices there are depends on the model.`,
    params: {
      model: modelParam(models.choiceOf('speech'), ['openai:gpt-4o-mini-tts', 'google:gemini-3.1-flash-tts-preview']),
      voice: Type.String({
        title: 'Voice',
        description: 'As the model calls it; left empty, its own choice.',
        default: '',
        maxLength: 100,
        examples: ['alloy'],
      }),
      instructions: Type.String({
        title: 'Manner',
        description: 'How it is read; not every model heeds it.',
        default: '',
        maxLength: 2000,
        examples: ['Calm and warm, not too slow'],
        'x-atelier': 'multiline',
      }),
    },
    inputs: { text: needs({ title: 'Text', description: 'What is read aloud.', schema: Type.String() }) },
    outputs: { audio: gives('Sound', 'The text as it was read.', File) },
    credits: { least: price, most: price, note: `${price} for each text.` },
    retrySafe: false,
    timeoutSeconds: 300,
    unavailable: () => models.unavailable('speech'),
    provider: ({ model }) => models.keyOf('speech', model),
    cost: ({ model }) => models.cost('speech', model, {}),
    run: async ({ params: { model: named, voice, instructions }, inputs, files, ...context }) => {
      const text = inputs.text.trim()
      if (text === '') throw new NodeFailure('The text is empty. Write one, or lead one to “Text”.')
      const { ask, model } = models.find('speech', named)
      const { made, note, usage, isCharged, charge } = await ask(
        model,
        { text, voice, instructions },
        { ...context, credits: price },
      )
      const { credits, cost } = duePrice(isCharged, price, models.costOf('speech', named, {}, usage))
      const audio = await keepMade('a sound', stored(files, made), { credits, cost, charge })
      return { outputs: { audio }, credits, cost, ...(note === null ? {} : { message: note }) }
    },
  })

async function stored(files: NodeContext['files'], { bytes, mediaType }: Media): Promise<FileValue> {
  const ending = endings[mediaType]
  if (ending === undefined) throw new NodeFailure(`Sounds of its kind (${mediaType}) are not known.`)
  return files.write(bytes, mediaType, `speech.${ending}`)
}
