// In charge of reading what a picture says about its origin: in its XMP packet, or in its signed credentials.
import { isMade, madeTypeIn } from './marks.ts'
import { openPicture } from './open.ts'
import { type Packet, readPacket } from './xmp.ts'

export async function marksOf(bytes: Uint8Array): Promise<Packet> {
  const { xmp } = await openPicture(bytes, 'picture').metadata()
  const packet = readPacket(xmp === undefined ? '' : Buffer.from(xmp).toString('utf8'))
  if (isMade(packet.sourceType)) return packet
  // The XMP packet does not say that a model or an algorithm made the picture. Signed credentials may: they contain source types as
  // plain text.
  return { ...packet, sourceType: madeTypeIn(bytes) ?? packet.sourceType }
}
