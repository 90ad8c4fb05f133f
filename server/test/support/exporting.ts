// In charge of exported files in tests: a service that signs files, fake models, graphs that make pictures, and reading the
// files from a card.
import sharp from 'sharp'
import { expect } from 'vitest'
import { findSigning } from '../../../scripts/signing.ts'
import { type Checked, checkedOf } from '../../src/nodes/images/manifest.ts'
import { checkPicture } from '../../src/nodes/images/sign.ts'
import { createPictureWorkers, type PictureWorkers } from '../../src/nodes/images/workers.ts'
import { certificatesFrom } from '../../src/platform/certificates.ts'
import { automations } from './automations.ts'
import { type Body, type Service, startService } from './harness.ts'
import { makers } from './make.ts'
import { json, serveOutside } from './outside.ts'
import { makeRun, runThrough } from './runs.ts'

export const picture = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#24508c' } })
  .png()
  .toBuffer()
/** Picture workers whose processes do not start. */
export const brokenPictureWorkers = (): PictureWorkers =>
  createPictureWorkers({ most: 1, file: new URL('./no-such-file.ts', import.meta.url) })

export const iptc = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/** Starts a service that signs files, with an image model, a language model and a worker. */
export async function signing(): Promise<{ service: Service; close(): Promise<void> }> {
  const provider = await serveOutside((response, seen) => {
    const content = { message: { content: 'Cool until the morning' } }
    const answer = seen.path.endsWith('/images/generations')
      ? { data: [{ b64_json: picture.toString('base64') }] }
      : { choices: [content], usage: { total_tokens: 90 } }
    json(answer)(response, seen)
  })
  const models = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-demo', ATELIER_IMAGE_MODEL: 'painter' }
  const service = await startService({ ...models, ATELIER_C2PA: 'true' })
  await service.app.worker.start()
  const close = async (): Promise<void> => {
    await service.close()
    await provider.close()
  }
  return { service, close }
}

export const generated = {
  type: 'image.generate',
  params: { prompt: 'A {{ thing }} on a rock' },
  inputs: { thing: 'flask' },
}
export const cropped = { type: 'image.crop', params: { ratio: '4:5' as const } }
export const resized = { type: 'image.resize', params: { placements: ['300x250'] } }
export const ads = { type: 'layout.render', params: { placements: ['300x250'], template: 'split' } }

type Exported = {
  bytes: Buffer
  provenance: Body
  /** What the library reads of the file's content credentials. If the library is missing: the same as of a file without any. */
  checked: Checked
  creative: Body
  run: Body
  task: Body
}

/** Runs a graph to its end, exports one output to a card, and reads the exported file from the card. */
export async function exported(
  service: Service,
  definition: object,
  output: object,
  mediaType = 'image/jpeg',
): Promise<Exported> {
  const task = await makers(service).task({ name: 'A card' })
  const run = await runThrough(service, (await makeRun(service, definition, { pinned_task_id: task.id })).id)
  expect(run.status, run.error).toBe('succeeded')
  const answer = await service.post(`/api/v1/runs/${run.id}/export`, { outputs: [output] })
  expect(answer.status, answer.text).toBe(200)
  const [creative] = await automations(service).creativesOf(task.id)
  return { ...(await read(service, creative, mediaType)), creative, run, task }
}

async function read(service: Service, creative: Body, mediaType: string) {
  const { bytes } = await service.get(`/api/v1/files/${creative.file}`)
  const { data: provenance } = await service.get(`/api/v1/creatives/${creative.id}/provenance`)
  const root = service.app.credentials.signer?.root ?? certificatesFrom(Buffer.alloc(32), 'Another').root
  const job = { picture: bytes, mediaType, root }
  return { bytes, provenance, checked: findSigning() ? await checkPicture(job) : checkedOf(null) }
}
