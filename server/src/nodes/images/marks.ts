// In charge of what pictures say about their origin: the digital source types, and the XMP packets that nodes write. Pure.
import type { AiKind } from '@atelier/contract/marks.ts'
import { madeBy, type Packet, sourceTypes, termsIn, writePacket } from './xmp.ts'

/** The source types of pictures that a model or an algorithm made. The type with the largest part made by a model comes first. */
const madeTypes = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'algorithmicMedia',
] as const
/** A source type of a picture that a model or an algorithm made. */
export type MadeType = (typeof madeTypes)[number]

export const isMade = (term: string | null): term is MadeType => madeTypes.some((known) => known === term)

/** The maximum size of a packet, in bytes: about half of what a segment of a JPEG can hold. */
const most = 32_000

/**
 * The packet for a picture that is made by editing a picture with the packet `marks`; null if there is nothing to write.
 * `budget`: the maximum size of the new file in bytes, of which the packet may use a quarter; null if the size is not limited.
 */
export const packetFrom = (marks: Packet, budget: number | null = null): string | null =>
  writePacket(marks, budget === null ? most : Math.min(most, Math.floor(budget / 4)))

const unmarked: Packet = { sourceType: null, properties: [] }

/**
 * The XMP packet to write into a picture that a model or an algorithm made. It contains the `properties` that the provider wrote
 * into the picture, and the name of the model, `model`; null: no name.
 */
export function packetOf(sourceType: MadeType, { properties }: Packet = unmarked, model: string | null = null): string {
  const system = model === null ? [] : [madeBy(model)]
  return writePacket({ sourceType, properties: [...system, ...properties] }, most) ?? ''
}

/** The packet for an ad, by the source types of the pictures in it. Null if no model or algorithm made any of these pictures. */
export function packetOfLayout(pictures: readonly Packet[]): string | null {
  const types = pictures.map(({ sourceType }) => sourceType)
  const strongest = madeTypes.find((term) => types.includes(term))
  if (strongest === undefined) return null
  const composed = strongest === 'trainedAlgorithmicMedia' ? 'compositeWithTrainedAlgorithmicMedia' : strongest
  return packetOf(composed)
}

/** Adds metadata to an SVG that our own code made, which says that an algorithm made the picture. */
export const markSvg = (svg: string): string =>
  svg.replace('>', `><metadata>${packetOf('algorithmicMedia').replace(/<\?.*?\?>/g, '')}</metadata>`)

/** The term of a source type, which is the last part of its address; null if the text is no such address. */
export const termOf = (address: string): string | null => termsIn(address)[0] ?? null

/** How much of a picture with this source type a model made; null if `term` is null, as for a picture that names no source type. */
export function aiOfSourceType(term: string | null): AiKind | null {
  if (term === null) return null
  if (term === 'trainedAlgorithmicMedia') return 'generated'
  return term === 'compositeWithTrainedAlgorithmicMedia' || term === 'compositeSynthetic' ? 'assisted' : 'none'
}

/** Whether a model made the picture, or a part of it. */
export const hasModel = (ai: AiKind | null): boolean => ai === 'generated' || ai === 'assisted'

/** The source type that a file of any kind names; of several, the first in `madeTypes`; null if none. Reads the file in pieces. */
export async function sourceTypeOf(source: AsyncIterable<Uint8Array>): Promise<string | null> {
  // Only these terms are kept: a file can name any number of others.
  const made = new Set<MadeType>()
  let first: string | null = null
  const note = (terms: Iterable<string>): void => {
    for (const term of terms) {
      first ??= term
      if (isMade(term)) made.add(term)
    }
  }
  let tail: Uint8Array = Buffer.alloc(0)
  for await (const piece of source) {
    const bytes = Buffer.concat([tail, piece])
    // The end of a piece may cut an address in two, so one that begins there is read together with the next piece.
    const end = Math.max(0, bytes.length - longestAddress)
    note(sourceTermsIn(bytes, end))
    tail = bytes.subarray(end)
  }
  note(sourceTermsIn(tail))
  return madeTypes.find((term) => made.has(term)) ?? first
}

/** A number of bytes that is larger than any address of a source type. */
const longestAddress = 200

/** How many matches a search reads at most. Even the credentials of a picture with a long history contain only some dozens. */
const occurrences = 1000

/**
 * The first of `madeTypes` whose address occurs in a file as plain text, as it does in an XMP packet or in signed credentials; null
 * if there is none.
 */
export function madeTypeIn(bytes: Uint8Array): MadeType | null {
  const terms = sourceTermsIn(bytes)
  return madeTypes.find((term) => terms.has(term)) ?? null
}

/** The terms of the addresses that begin before `end`. */
function sourceTermsIn(bytes: Uint8Array, end = bytes.length): Set<string> {
  const needle = sourceTypes.slice('http://'.length)
  return new Set(textsAfter(bytes, needle, end).flatMap((text) => termsIn(needle + text).slice(0, 1)))
}

/** The models that XMP packets in a file name. */
export const modelsIn = (bytes: Uint8Array): string[] => [
  ...new Set(textsAfter(bytes, 'Iptc4xmpExt:AISystemUsed>').flatMap((text) => /^[^<]{1,100}(?=<)/.exec(text) ?? [])),
]

/** The texts after those occurrences of `needle` that begin before `end`. */
function textsAfter(bytes: Uint8Array, needle: string, end = bytes.length): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts: string[] = []
  const next = (from: number): number => buffer.indexOf(needle, from)
  for (let at = next(0); at !== -1 && at < end && texts.length < occurrences; at = next(at + 1)) {
    const start = at + needle.length
    texts.push(buffer.toString('utf8', start, start + 200))
  }
  return texts
}
