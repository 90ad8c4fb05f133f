// Facts about the node types for edits, video, speech and transcripts, against fake providers on this machine.
import { beforeEach, expect, test } from 'vitest'
import { modelsAt } from '../../test/support/models.ts'
import { callNode, failure, filesInMemory } from '../../test/support/nodes.ts'
import { mp3, mp4, type ProviderHere, png, startProvider } from '../../test/support/providers.ts'
import { filesUnavailable } from '../platform/byte-store.ts'
import { imageEdit } from './image-edit.ts'
import { imageGenerate } from './image-generate.ts'
import { marksOf } from './images/read-marks.ts'
import { createPictureWorkers } from './images/workers.ts'
import type { NodeType } from './node-type.ts'
import type { Models } from './outside/providers.ts'
import { speechGenerate } from './speech-generate.ts'
import { captionsOf, speechTranscribe } from './speech-transcribe.ts'
import { videoGenerate } from './video-generate.ts'

const workers = createPictureWorkers({ most: 1 })
const files = filesInMemory()
beforeEach(() => files.all.clear())
const picture = () => files.write(png, 'image/png', 'flask.png')
const firstMade = () => [...files.all.values()].at(-1) ?? Buffer.alloc(0)
const edit = (here: ProviderHere, inputs: Record<string, unknown>) =>
  callNode(imageEdit(modelsAt(here), workers), {
    files,
    inputs: { prompt: 'on slate', ...inputs },
    params: { model: 'm' },
  })

test('an edit sends the picture, references and mask, and says that a model took part', async () => {
  const here = await startProvider('openai')
  const image = await picture()
  const { outputs, credits } = await edit(here, { image, references: [image], mask: image })
  expect(credits).toBe(10)
  expect(outputs.image).toMatchObject({ media_type: 'image/png' })
  expect((await marksOf(firstMade())).sourceType).toBe('compositeWithTrainedAlgorithmicMedia')
  const [paid] = here.paid()
  expect(paid?.path).toBe('/v1/images/edits')
  expect(paid?.body.match(/name="image\[\]"/g)).toHaveLength(2)
  expect(paid?.body).toMatch(/name="mask"/)
})

test('what is no picture is refused before anything is sent', async () => {
  const here = await startProvider('openai')
  const image = await files.write(mp3, 'audio/mpeg', 'song.mp3')
  expect((await failure(edit(here, { image }))).message).toBe('song.mp3 is audio/mpeg, and the model takes image.')
  expect(here.paid()).toEqual([])
})

test('a video is kept as it came; a later attempt goes on with the same job', async () => {
  const here = await startProvider('fal')
  const saved: Record<string, unknown>[] = []
  const type = videoGenerate(modelsAt(here, 'fal'))
  const call = (checkpoint: Record<string, unknown> | null) =>
    callNode(type, {
      ...{ files, checkpoint, params: { model: 'fal:film', seconds: 4 }, inputs: { prompt: 'it turns' } },
      saveCheckpoint: async (value) => void saved.push(value),
    })
  const { outputs, credits } = await call(null)
  expect([credits, outputs.video]).toMatchObject([100, { media_type: 'video/mp4', name: 'generated.mp4' }])
  expect(firstMade().equals(mp4)).toBe(true)
  await call(saved[0] ?? null)
  expect(here.paid().map(({ body }) => JSON.parse(body))).toEqual([
    { prompt: 'it turns', aspect_ratio: '9:16', duration: '4s' },
  ])
})

const makers: [string, string, string, number, (models: Models) => NodeType][] = [
  ['a video', 'fal', 'film', 100, (models) => videoGenerate(models)],
  ['a picture', 'replicate', 'owner/name', 10, (models) => imageGenerate(models, workers)],
  ['an edited picture', 'replicate', 'owner/name', 10, (models) => imageEdit(models, workers)],
]

test.for(makers)('%s that cannot be stored is charged once, however often its run starts', async (maker) => {
  const [, provider, model, price, typeOf] = maker
  const here = await startProvider(provider)
  const type = typeOf(modelsAt(here, provider))
  const inputs = { prompt: 'it turns', ...('image' in type.inputs && { image: await picture() }) }
  let checkpoint: Record<string, unknown> | null = null
  const start = (isFull: boolean) =>
    callNode(type, {
      ...{ checkpoint, inputs, params: { model: `${provider}:${model}` } },
      files: isFull ? { ...files, write: () => Promise.reject(filesUnavailable(new Error('full'))) } : files,
      saveCheckpoint: async (value) => {
        checkpoint = value
      },
    })
  expect(await failure(start(true))).toMatchObject({
    ...{ outcome: 'paid', credits: price },
    message: expect.stringMatching(/It was paid for, but could not be kept: /),
  })
  expect(await failure(start(true))).toMatchObject({
    ...{ outcome: 'none', credits: 0 },
    message: expect.stringMatching(/It was paid for before, but could not be kept: /),
  })
  expect((await start(false)).credits).toBe(0)
  expect(here.paid()).toHaveLength(1)
})

test('speech is a file of its kind, and comes back as text with captions', async () => {
  const here = await startProvider('openai')
  const speak = speechGenerate(modelsAt(here))
  const { outputs } = await callNode(speak, {
    files,
    params: { model: 'm', voice: 'alloy' },
    inputs: { text: 'Cold.' },
  })
  expect(outputs.audio).toMatchObject({ media_type: 'audio/mpeg', name: 'speech.mp3' })
  const hear = speechTranscribe(modelsAt(here))
  const heard = await callNode(hear, { files, params: { model: 'whisper-1' }, inputs: { audio: outputs.audio } })
  expect(heard).toMatchObject({
    outputs: { text: 'Cold.', segments: [{ text: 'Cold.', start: 0, end: 1 }], language: 'en' },
    credits: 2,
  })
  expect(here.paid()).toHaveLength(2)
})

test('captions are WebVTT, whatever is said', () => {
  const segments = [
    { text: ' one\n\ntwo --> three ', start: 0, end: 1.5 },
    { text: 'four', start: 3661.25, end: 3662 },
  ]
  expect(captionsOf(segments)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\none two → three\n\n01:01:01.250 --> 01:01:02.000\nfour\n',
  )
  expect(captionsOf([])).toBe('')
})
