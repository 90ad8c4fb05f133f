// In charge of what pictures say about their origin: the digital source types, and the packets that nodes write. Pure.
import type { AiKind } from '@atelier/contract/marks.ts'
import { madeBy, type Packet, sourceTypes, termsIn, writePacket } from './xmp.ts'

/** Source types of pictures that a model or an algorithm made, the strongest statement first. */
const madeTypes = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'algorithmicMedia',
] as const
/** A source type that our nodes write into a picture. */
export type MadeType = (typeof madeTypes)[number]

export const isMade = (term: string | null): term is MadeType => madeTypes.some((known) => known === term)

/** The maximum size of a packet, in bytes: about half of what a segment of a JPEG can hold. */
const most = 32_000

/**
 * The packet for a picture that was edited from the picture with these marks; null if they say nothing. `budget`: the bytes that
 * the new file may have, of which the packet gets a quarter at most; null: no limit.
 */
export const packetFrom = (marks: Packet, budget: number | null = null): string | null =>
  writePacket(marks, budget === null ? most : Math.min(most, Math.floor(budget / 4)))

const unmarked: Packet = { sourceType: null, properties: [] }

/**
 * The packet for a picture that a model or an algorithm made. Other properties that the provider wrote are kept. `model`: the name
 * of the model to write; null: none.
 */
export function packetOf(sourceType: MadeType, { properties }: Packet = unmarked, model: string | null = null): string {
  const system = model === null ? [] : [madeBy(model)]
  return writePacket({ sourceType, properties: [...system, ...properties] }, most) ?? ''
}

/** The packet of an ad, from the source types of the pictures in it. Null if no model or algorithm made any of them. */
export function packetOfLayout(pictures: readonly Packet[]): string | null {
  const types = pictures.map(({ sourceType }) => sourceType)
  const strongest = madeTypes.find((term) => types.includes(term))
  if (strongest === undefined) return null
  const composed = strongest === 'trainedAlgorithmicMedia' ? 'compositeWithTrainedAlgorithmicMedia' : strongest
  return packetOf(composed)
}

/** Adds metadata to an SVG of our own code, saying that an algorithm made it. */
export const markSvg = (svg: string): string =>
  svg.replace('>', `><metadata>${packetOf('algorithmicMedia').replace(/<\?.*?\?>/g, '')}</metadata>`)

/** The term of a source type, from its full address; null if the text is no such address. */
export const termOf = (address: string): string | null => termsIn(address)[0] ?? null

/** How much of a picture with this source type a model made; null where the picture names no source type. */
export function aiOfSourceType(term: string | null): AiKind | null {
  if (term === null) return null
  if (term === 'trainedAlgorithmicMedia') return 'generated'
  return term === 'compositeWithTrainedAlgorithmicMedia' || term === 'compositeSynthetic' ? 'assisted' : 'none'
}

/** Whether a model made the picture, or a part of it. */
export const hasModel = (ai: AiKind | null): boolean => ai === 'generated' || ai === 'assisted'

/** The strongest source type that a file of any kind and size names; null if it names none. The file is read in pieces. */
export async function sourceTypeOf(source: AsyncIterable<Uint8Array>): Promise<string | null> {
  const found = new Set<string>()
  let tail: Uint8Array = Buffer.alloc(0)
  for await (const piece of source) {
    const bytes = Buffer.concat([tail, piece])
    for (const term of sourceTermsIn(bytes)) found.add(term)
    // An address may be cut in two at the end of a piece, so the end of each piece is searched again together with the next piece.
    tail = bytes.subarray(Math.max(0, bytes.length - longestAddress))
  }
  const whole = [...found].filter((term) => ![...found].some((other) => other !== term && other.startsWith(term)))
  return madeTypes.find((term) => whole.includes(term)) ?? whole[0] ?? null
}

/** Longer than any address of a source type. */
const longestAddress = 200

/** The maximum number of matches that are read in one search. Credentials of a picture with a long history contain some dozens. */
const occurrences = 1000

/**
 * The strongest source type of a made picture that occurs in a file as plain text, in our packet or in signed credentials; null if
 * there is none.
 */
export function madeTypeIn(bytes: Uint8Array): MadeType | null {
  const terms = sourceTermsIn(bytes)
  return madeTypes.find((term) => terms.has(term)) ?? null
}

function sourceTermsIn(bytes: Uint8Array): Set<string> {
  const needle = sourceTypes.slice('http://'.length)
  return new Set(textsAfter(bytes, needle).flatMap((text) => termsIn(needle + text).slice(0, 1)))
}

/** The models that are named by packets in a file. */
export const modelsIn = (bytes: Uint8Array): string[] => [
  ...new Set(textsAfter(bytes, 'Iptc4xmpExt:AISystemUsed>').flatMap((text) => /^[^<]{1,100}(?=<)/.exec(text) ?? [])),
]

function textsAfter(bytes: Uint8Array, needle: string): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts: string[] = []
  for (let at = buffer.indexOf(needle); at !== -1 && texts.length < occurrences; at = buffer.indexOf(needle, at + 1)) {
    const start = at + needle.length
    texts.push(buffer.toString('utf8', start, start + 200))
  }
  return texts
}
