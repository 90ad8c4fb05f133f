// In charge of `speech.transcribe`: transcribes the speech in an audio or video file, as text and as captions.
import Type from 'typebox'
import { defineNode, File, gives, needs, Rows } from './define.ts'
import { mediaOf, modelParam } from './model-params.ts'
import type { Segment } from './outside/models.ts'
import type { Models } from './outside/providers.ts'

const price = 2

export const speechTranscribe = (models: Models) =>
  defineNode({
    type: 'speech.transcribe',
    title: 'Transcribe',
    summary: 'Writes down what is said in a sound or a video, with times.',
    group: 'generate',
    help: `
Takes sound of up to 25 MB, or a video whose sound the provider reads itself. **Captions** are WebVTT, as players and ad
platforms take them; **Segments** are rows with \`text\`, \`start\` and \`end\` in seconds. A model that gives no times gives
no captions either.`,
    params: { model: modelParam(models.choiceOf('transcription'), ['openai:gpt-transcribe', 'fal:whisper']) },
    inputs: { audio: needs({ title: 'Sound', description: 'What is listened to.', schema: File }) },
    outputs: {
      text: gives('Text', 'All that is said.', Type.String()),
      segments: gives('Segments', 'What is said when: text, start, end.', Rows),
      captions: gives('Captions', 'WebVTT; empty where the model gives no times.', Type.String()),
      language: gives('Language', 'As the model calls it; absent where it does not say.', Type.String()),
    },
    credits: { least: price, most: price, note: `${price} for each file.` },
    retrySafe: false,
    timeoutSeconds: 600,
    unavailable: () => models.unavailable('transcription'),
    provider: ({ model }) => models.keyOf('transcription', model),
    cost: ({ model }) => models.cost('transcription', model, {}),
    run: async ({ params: { model: named }, inputs, files, ...context }) => {
      const audio = await mediaOf(inputs.audio, 'audio', files)
      const { ask, model } = models.find('transcription', named)
      const { made, note, usage, isCharged } = await ask(model, { audio }, { ...context, credits: price })
      const { text, segments, language } = made
      return {
        outputs: { text, segments, captions: captionsOf(segments), ...(language === null ? {} : { language }) },
        credits: isCharged ? 0 : price,
        cost: models.costOf('transcription', named, {}, usage),
        ...(note === null ? {} : { message: note }),
      }
    },
  })

/**
 * Captions as WebVTT; an empty text if there are no segments. Line breaks and `-->` within a caption are replaced, because WebVTT
 * takes a blank line or `-->` as the end of the caption.
 */
export function captionsOf(segments: readonly Segment[]): string {
  const cues = segments.map(({ text, start, end }) => {
    const words = text
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('-->', '→')
    return `${timeOf(start)} --> ${timeOf(end)}\n${words}\n`
  })
  return cues.length === 0 ? '' : `WEBVTT\n\n${cues.join('\n')}`
}

function timeOf(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const part = (size: number, of: number, digits = 2): string => `${Math.floor(ms / size) % of}`.padStart(digits, '0')
  return `${part(3_600_000, 100)}:${part(60_000, 60)}:${part(1000, 60)}.${part(1, 1000, 3)}`
}
