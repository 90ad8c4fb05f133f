// In charge of writing the origin into pictures that nodes output: pictures that a model made, and rendered ads that contain such
// pictures.
import sharp from 'sharp'
import { hasCredentials, putPacket } from './containers.ts'
import { putInto } from './drawn.ts'
import { type LayoutJob, renderLayout } from './layout/render.ts'
import { aiOfSourceType, hasModel, isMade, type MadeType, packetOf, packetOfLayout } from './marks.ts'
import { openPicture, type Reading } from './open.ts'
import { Misfit } from './placements.ts'
import { marksOf } from './read-marks.ts'

export type MarkJob = { picture: Uint8Array; sourceType: MadeType; model: string }
export type Marked = { bytes: Uint8Array; format: string }

/**
 * Writes the source type into a picture that a model made. The pixels stay unchanged, except in AVIF, which is encoded again. The
 * file is returned unchanged if no packet can be written into its format, or if it has signed credentials and already says that a
 * model or an algorithm made it: a packet would break the signature.
 */
export async function markPicture({ picture, sourceType, model }: MarkJob, reading: Reading): Promise<Marked> {
  const { format, width, height, hasAlpha } = await reading(() => openPicture(picture, 'picture').metadata())
  const bytes = Buffer.from(picture)
  const marks = await reading(() => marksOf(picture))
  if (hasCredentials(bytes) && isMade(marks.sourceType)) return { bytes, format }
  const packet = packetOf(sourceType, marks, model)
  const marked = putPacket(bytes, packet, { width, height, hasAlpha })
  if (marked) return { bytes: marked, format }
  if (format !== 'heif') return { bytes, format }
  const again = sharp(picture).keepIccProfile().withXmp(packet).avif({ quality: 90, effort: 3 })
  return { bytes: await reading(() => again.toBuffer()), format }
}

/** `labels`: the ids of the rules of the drawn labels. `misfit`: why the ad cannot be made in this size. */
export type Composed = { bytes: Uint8Array; labels: string[] } | { misfit: string }

/**
 * Draws an ad with those labels of the job that apply. If a model or an algorithm made a picture in the ad, the metadata of the ad
 * says so. A `Misfit` is returned as a value, because an error loses its class on the way to another process.
 */
export async function composeLayout(job: LayoutJob, reading: Reading): Promise<Composed> {
  const pictures = [job.picture, job.logo].flatMap((picture) =>
    picture === null ? [] : [reading(() => marksOf(picture))],
  )
  const marks = await Promise.all(pictures)
  const hasGenerated = marks.some(({ sourceType }) => hasModel(aiOfSourceType(sourceType)))
  const labels = job.labels.filter(({ always }) => always || hasGenerated)
  const label = labels.length === 0 ? null : labels.map(({ words }) => words).join(' · ')
  const drawn = await renderLayout({ ...job, words: { ...job.words, label } }, reading).catch(misfitOf)
  if ('misfit' in drawn) return drawn
  const packet = packetOfLayout(marks)
  const bytes = packet === null ? drawn : putInto(Buffer.from(drawn), packet)
  return { bytes, labels: labels.map(({ rule }) => rule) }
}

function misfitOf(error: unknown): { misfit: string } {
  if (error instanceof Misfit) return { misfit: error.message }
  throw error
}
