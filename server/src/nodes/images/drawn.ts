// In charge of pictures that a formula of ours draws: they say so.
import { putPacket } from './containers.ts'
import { packetOf } from './marks.ts'
import { rasterize } from './rasterize.ts'

/** The PNG of an SVG of our own. */
export async function drawPicture(job: { svg: string }): Promise<Uint8Array> {
  return putInto(Buffer.from(await rasterize(job)), packetOf('algorithmicMedia'))
}

/** Puts a packet into a PNG or JPEG that was made here. */
export function putInto(bytes: Buffer, packet: string): Buffer {
  const marked = putPacket(bytes, packet, { width: 0, height: 0, hasAlpha: false })
  if (marked === null) throw new Error('A picture that was made here has no place for its packet.')
  return marked
}
