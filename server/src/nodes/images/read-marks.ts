// In charge of reading what a picture says of its origin: in its XMP packet, or in credentials that are signed into it.
import { isMade, madeTypeIn } from './marks.ts'
import { openPicture } from './open.ts'
import { type Packet, readPacket } from './xmp.ts'

export async function marksOf(bytes: Uint8Array): Promise<Packet> {
  const { xmp } = await openPicture(bytes, 'picture').metadata()
  const packet = readPacket(xmp === undefined ? '' : Buffer.from(xmp).toString('utf8'))
  if (isMade(packet.sourceType)) return packet
  // Signed credentials name it as plain text inside their own format.
  return { ...packet, sourceType: madeTypeIn(bytes) ?? packet.sourceType }
}
