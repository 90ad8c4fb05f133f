// In charge of what pictures say of their origin: the digital source types there are, and the packets of what nodes make. Pure.
import type { AiKind } from '@atelier/contract/marks.ts'
import { madeBy, type Packet, sourceTypes, termsIn, writePacket } from './xmp.ts'

/** Terms of made pictures, the one that says most first. */
const madeTypes = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'algorithmicMedia',
] as const
/** A source type that our own nodes give to a picture. */
export type MadeType = (typeof madeTypes)[number]

export const isMade = (term: string | null): term is MadeType => madeTypes.some((known) => known === term)

/** Bytes that a packet may take of a file: what JPEG has room for is twice as much. */
const most = 32_000

/** The packet of a picture made from another without anything added to it; `budget`: bytes its file may have. */
export const packetFrom = (marks: Packet, budget: number | null = null): string | null =>
  writePacket(marks, budget === null ? most : Math.min(most, Math.floor(budget / 4)))

const unmarked: Packet = { sourceType: null, properties: [] }

/** The packet of a picture that a model or a formula made; what its maker wrote besides stays. */
export function packetOf(sourceType: MadeType, { properties }: Packet = unmarked, model: string | null = null): string {
  const system = model === null ? [] : [madeBy(model)]
  return writePacket({ sourceType, properties: [...system, ...properties] }, most) ?? ''
}

/** The packet of a layout, from what the pictures in it say. Null where none of them says that it was made. */
export function packetOfLayout(pictures: readonly Packet[]): string | null {
  const types = pictures.map(({ sourceType }) => sourceType)
  const strongest = madeTypes.find((term) => types.includes(term))
  if (strongest === undefined) return null
  const composed = strongest === 'trainedAlgorithmicMedia' ? 'compositeWithTrainedAlgorithmicMedia' : strongest
  return packetOf(composed)
}

/** An SVG of our own that says that a formula drew it. */
export const markSvg = (svg: string): string =>
  svg.replace('>', `><metadata>${packetOf('algorithmicMedia').replace(/<\?.*?\?>/g, '')}</metadata>`)

/** The term of a source type that is written out as an address. */
export const termOf = (address: string): string | null => termsIn(address)[0] ?? null

/** How much of a picture with this source type a model made; null for one that says nothing. */
export function aiOfSourceType(term: string | null): AiKind | null {
  if (term === null) return null
  if (term === 'trainedAlgorithmicMedia') return 'generated'
  return term === 'compositeWithTrainedAlgorithmicMedia' || term === 'compositeSynthetic' ? 'assisted' : 'none'
}

/** Whether a model made a picture, or one in it. */
export const hasModel = (ai: AiKind | null): boolean => ai === 'generated' || ai === 'assisted'

/** The term that says most in a file of any kind and size, read piece by piece; null where it names none. */
export async function sourceTypeOf(source: AsyncIterable<Uint8Array>): Promise<string | null> {
  const found = new Set<string>()
  let tail: Uint8Array = Buffer.alloc(0)
  for await (const piece of source) {
    const bytes = Buffer.concat([tail, piece])
    for (const term of sourceTermsIn(bytes)) found.add(term)
    // What ends a piece may begin an address, whose term is cut short.
    tail = bytes.subarray(Math.max(0, bytes.length - longestAddress))
  }
  const whole = [...found].filter((term) => ![...found].some((other) => other !== term && other.startsWith(term)))
  return madeTypes.find((term) => whole.includes(term)) ?? whole[0] ?? null
}

/** Longer than any address of a source type. */
const longestAddress = 200

/** Occurrences that are looked at: credentials of a picture with a long history have some dozens. */
const occurrences = 1000

/** The strongest source type that stands as plain text in a file: in a packet of ours, or in signed credentials. */
export function madeTypeIn(bytes: Uint8Array): MadeType | null {
  const terms = sourceTermsIn(bytes)
  return madeTypes.find((term) => terms.has(term)) ?? null
}

function sourceTermsIn(bytes: Uint8Array): Set<string> {
  const needle = sourceTypes.slice('http://'.length)
  return new Set(textsAfter(bytes, needle).flatMap((text) => termsIn(needle + text).slice(0, 1)))
}

/** The models that packets in a file name. */
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
