// In charge of measuring the picture node types against the libraries that they use, called directly.
import { createHash } from 'node:crypto'
import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import sharp from 'sharp'
import { imageResize } from '../../server/src/nodes/image-resize.ts'
import { type LayoutJob, layOut } from '../../server/src/nodes/images/layout/render.ts'
import { sizeOf, usualPlacements } from '../../server/src/nodes/images/placements.ts'
import { drawSample } from '../../server/src/nodes/images/sample-picture.ts'
import { createPictureWorkers } from '../../server/src/nodes/images/workers.ts'
import { layoutRender } from '../../server/src/nodes/layout-render.ts'
import type { NodeContext, NodeType } from '../../server/src/nodes/node-type.ts'
import { seeded } from '../../server/src/nodes/seeded.ts'
import { median, type Report } from '../report.ts'

const words = {
  headline: 'Ice cold at noon. Still cold at midnight.',
  kicker: 'New: Nord Flask',
  body: 'Double-wall steel keeps drinks cold for 24 hours.',
  action: 'Shop the Flask',
}
const look = { primary: '#1d3557', accent: '#ff5a36', theme: 'dark', family: 'Inter' } as const
const seed = 'abcdef0123456789'

/** A photo of six megapixels, with noise as in real photos. */
async function photo(): Promise<Buffer> {
  const [width, height] = [3000, 2000]
  const noise = { type: 'gaussian', mean: 128, sigma: 18 } as const
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer()
  const scene = Buffer.from(drawSample({ words: 'Bench', width, height, chance: seeded(seed) }))
  return sharp(scene)
    .composite([{ input: grain, blend: 'soft-light' }])
    .flatten()
    .jpeg({ quality: 90 })
    .toBuffer()
}

function contextOf(picture: Buffer, given: Pick<NodeContext, 'params' | 'inputs'>): NodeContext {
  const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  return {
    ...given,
    ...{ seed, unit: 'bench', signal: new AbortController().signal, checkpoint: null, taskId: null },
    saveCheckpoint: async () => undefined,
    progress: () => undefined,
    files: {
      read: async () => picture,
      write: async (bytes, media_type) => ({ digest: digestOf(bytes), media_type, size: bytes.length, name: null }),
    },
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/**
 * Executes the service's code (`ours`) and direct calls of the libraries (`floor`) in turns, so that a slow minute affects both;
 * the first round is not counted. Returns the median of each in seconds. With `floor`, libvips uses its default number of
 * threads; with `ours`, it uses one thread, as in the service.
 */
async function inTurns(rounds: number, ours: () => Promise<unknown>, floor: () => Promise<unknown>) {
  const measured = async (threads: number, work: () => Promise<unknown>): Promise<number> => {
    sharp.concurrency(threads)
    return secondsOf(work)
  }
  const taken: { ours: number; floor: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const turn = { ours: await measured(1, ours), floor: await measured(0, floor) }
    if (round >= 0) taken.push(turn)
  }
  sharp.concurrency(1)
  return { ours: median(taken.map(({ ours }) => ours)), floor: median(taken.map(({ floor }) => floor)) }
}

const run = (type: NodeType, context: NodeContext) => {
  if (type.gate !== null) throw new Error(`${type.type} is a gate.`)
  return type.run(context)
}

export async function measureImages(report: Report, rounds: number): Promise<void> {
  const picture = await photo()
  const image = { digest: '0'.repeat(64), media_type: 'image/jpeg', size: picture.length, name: 'photo.jpg' }
  const count = usualPlacements.length
  report.heading(
    `Pictures of ${count} placements from a photo of 6 megapixels; the floor calls the libraries in its own thread`,
  )

  const type = layoutRender(createPictureWorkers({ most: 1 }))
  const one = async (placement: string) => {
    const inputs = { ...words, image, placement }
    return run(type, contextOf(picture, { params: { ...look, font: 'Inter' }, inputs }))
  }
  const elements = await Promise.all(usualPlacements.map((placement) => layOut(jobOf(placement, picture))))
  const drawn = await inTurns(
    rounds,
    async () => {
      for (const placement of usualPlacements) await one(placement)
    },
    async () => {
      for (const [at, { element, size, fonts }] of elements.entries()) {
        await cutDirectly(picture, usualPlacements[at] ?? '')
        new Resvg(await satori(element, { ...size, fonts }), { font: { loadSystemFonts: false } }).render().asPng()
      }
    },
  )
  report.add({
    what: 'layout.render, one at a time',
    unit: 'images/s',
    ours: count / drawn.ours,
    floor: count / drawn.floor,
    aim: { atLeast: 0.9 },
  })

  const all = layoutRender(createPictureWorkers())
  const whole = contextOf(picture, {
    params: { ...look, font: 'Inter', placements: usualPlacements },
    inputs: { ...words, image },
  })
  await run(all, whole)
  const together: number[] = []
  for (let round = 0; round < rounds; round++) together.push(await secondsOf(() => run(all, whole)))
  report.add({ what: 'layout.render, all sizes at once', unit: 'images/s', ours: count / median(together) })

  const resize = imageResize(createPictureWorkers({ most: 1 }))
  const params = { placements: usualPlacements, quality: 90, format: 'jpeg' }
  const resized = await inTurns(
    rounds,
    () => run(resize, contextOf(picture, { params, inputs: { image } })),
    async () => {
      for (const placement of usualPlacements) await cutDirectly(picture, placement)
    },
  )
  report.add({
    what: 'image.resize',
    unit: 'images/s',
    ours: count / resized.ours,
    floor: count / resized.floor,
    aim: { atLeast: 0.9 },
  })
}

function jobOf(placement: string, picture: Buffer): LayoutJob {
  const none = { offer: null, author: null, disclaimer: null, label: null, brand: null }
  return {
    ...{ template: 'hero', placement, format: 'png', look, seed, picture, logo: null, font: null, labels: [] },
    words: { ...words, ...none },
  }
}

const cutDirectly = (picture: Buffer, placement: string): Promise<Buffer> =>
  sharp(picture)
    .resize({ ...sizeOf(placement), fit: 'cover', position: 'attention' })
    .jpeg({ quality: 90 })
    .toBuffer()
