// In charge of pictures that our own code draws: metadata in them says that an algorithm made them.
import { putPacket } from './containers.ts'
import { packetOf } from './marks.ts'
import { rasterize } from './rasterize.ts'

/** Renders an SVG from our own code to a PNG whose metadata says that an algorithm made it. */
export async function drawPicture(job: { svg: string }): Promise<Uint8Array> {
  return putInto(Buffer.from(await rasterize(job)), packetOf('algorithmicMedia'))
}

/** Writes an XMP packet into a PNG or JPEG that our own code made. */
export function putInto(bytes: Buffer, packet: string): Buffer {
  const marked = putPacket(bytes, packet, { width: 0, height: 0, hasAlpha: false })
  if (marked === null) throw new Error('A picture that was made here has no place for its packet.')
  return marked
}
