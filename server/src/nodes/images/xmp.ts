// In charge of XMP packets: reads a picture's source type and the properties to copy into pictures made from it; writes packets.
// Packets come from pictures of unknown origin, so the parser resolves no entities and fetches nothing.
import { SaxesParser, type SaxesTagNS } from 'saxes'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const iptc = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'
/** The beginning of the address of every digital source type; the rest of the address is the term of the source type. */
export const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/**
 * Limits on parsing: the length of a packet, and how deep its elements are nested. From a packet beyond a limit, only the source
 * type is read.
 */
const limits = { characters: 4_000_000, depth: 100 } as const

/**
 * Properties that a new picture does not take over from the picture from which it is made: those about the camera and the editing
 * (place, lens, thumbnails, history), and the source type, which is written anew.
 */
const leftOut = {
  namespaces: new Set([
    'http://ns.adobe.com/exif/1.0/',
    'http://ns.adobe.com/exif/1.0/aux/',
    'http://cipa.jp/exif/1.0/',
    'http://cipa.jp/exif/1.0/exifEX',
    'http://ns.adobe.com/tiff/1.0/',
    'http://ns.adobe.com/camera-raw-settings/1.0/',
    'http://ns.adobe.com/xap/1.0/mm/',
    'http://ns.adobe.com/xmp/note/',
  ]),
  names: new Set(['Thumbnails', 'History', 'DocumentAncestors', 'DigitalSourceType', 'DigitalSourcefileType']),
  /** This property has the address of a C2PA manifest outside the file. That manifest describes the bytes of the old picture. */
  elsewhere: { namespace: 'http://purl.org/dc/terms/', name: 'provenance' },
} as const

/** A property of a packet. `xml`: the element. `namespaces`: the namespace declarations that the element needs. */
export type Property = { namespaces: string; xml: string }

export type Packet = {
  /** The term of the digital source type that the packet names; null if it names none. */
  sourceType: string | null
  properties: Property[]
}

const nothing: Packet = { sourceType: null, properties: [] }

/** Reads a packet. If it is malformed or beyond the limits, only its source type is returned. */
export function readPacket(text: string): Packet {
  const source = text.replace(/\0+$/, '')
  if (source.trim() === '') return nothing
  const found = termsIn(source)
  const [named = null] = found
  if (source.length > limits.characters) return { sourceType: named, properties: [] }
  try {
    return { sourceType: named, properties: propertiesOf(source) }
  } catch {
    return { sourceType: named, properties: [] }
  }
}

/** The terms of the source types whose addresses occur in a text, in their order. The text need not be XML. */
export function termsIn(text: string): string[] {
  return Array.from(
    text.matchAll(/cv\.iptc\.org\/newscodes\/digitalsourcetype\/([A-Za-z]{3,60})/g),
    ([, term = '']) => term,
  )
}

type Scope = Readonly<Record<string, string>>
type Open = { tag: SaxesTagNS; start: number; scope: Scope }

/** The properties to copy into pictures that are made from the packet's picture. Throws if the packet is not well-formed. */
function propertiesOf(source: string): Property[] {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const properties: Property[] = []
  const open: Open[] = []
  let start = 0
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('A packet has no document type.')
  })
  parser.on('opentagstart', () => {
    start = source.lastIndexOf('<', parser.position - 1)
  })
  parser.on('opentag', (tag) => {
    if (open.length >= limits.depth) throw new Error('The packet is too deep.')
    const scope = { ...open.at(-1)?.scope, ...tag.ns }
    open.push({ tag, start, scope })
    if (isDescription(open)) properties.push(...attributesOf(tag, scope))
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (!closed || !isDescription(open) || isLeftOut(closed.tag.uri, closed.tag.local)) return
    const xml = source.slice(closed.start, parser.position)
    properties.push({ namespaces: namespacesFor(xml, open.at(-1)?.scope ?? {}), xml })
  })
  parser.write(source).close()
  return properties
}

/** Whether the innermost open element contains properties of the picture: it is an `rdf:Description` directly in `rdf:RDF`. */
function isDescription(open: readonly Open[]): boolean {
  const [last, before] = [open.at(-1)?.tag, open.at(-2)?.tag]
  return last?.uri === rdf && last.local === 'Description' && before?.uri === rdf && before.local === 'RDF'
}

/** A packet may have simple properties as attributes of `rdf:Description`. Returns them as elements. */
function attributesOf(tag: SaxesTagNS, scope: Scope): Property[] {
  return Object.values(tag.attributes).flatMap(({ uri, local, prefix, value }) => {
    if (prefix === '' || prefix === 'xmlns' || prefix === 'xml' || uri === rdf || isLeftOut(uri, local)) return []
    const xml = `<${prefix}:${local}>${escapeText(value)}</${prefix}:${local}>`
    return [{ namespaces: namespacesFor(xml, scope), xml }]
  })
}

function isLeftOut(uri: string, local: string): boolean {
  const { namespaces, names, elsewhere } = leftOut
  return (
    namespaces.has(uri) || names.has(local) || (uri === elsewhere.namespace && local === elsewhere.name) || uri === rdf
  )
}

/** The namespace declarations for the prefixes that occur in a piece of XML. */
function namespacesFor(xml: string, scope: Scope): string {
  return Object.entries(scope)
    .filter(([prefix]) => (prefix === '' ? true : prefix !== 'xml' && xml.includes(`${prefix}:`)))
    .map(([prefix, uri]) => `${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapeText(uri)}"`)
    .join(' ')
}

/** A property that names the model that made the picture. */
export const madeBy = (model: string): Property => ({
  namespaces: `xmlns:Iptc4xmpExt="${iptc}"`,
  xml: `<Iptc4xmpExt:AISystemUsed>${escapeText(model)}</Iptc4xmpExt:AISystemUsed>`,
})

const escapeText = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (mark) => `&#${mark.charCodeAt(0)};`)

const open = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">`
const close = '</rdf:RDF></x:xmpmeta><?xpacket end="r"?>'
const describe = (namespaces: string, xml: string): string =>
  `<rdf:Description rdf:about=""${namespaces === '' ? '' : ` ${namespaces}`}>${xml}</rdf:Description>`

/**
 * Writes a packet. It always contains the source type, if there is one. A property that would make it larger than `room` bytes is
 * left out. The same content always results in the same packet. Null if there is nothing to write.
 */
export function writePacket({ sourceType, properties }: Packet, room: number): string | null {
  const parts: string[] = []
  if (sourceType !== null) {
    const xml = `<Iptc4xmpExt:DigitalSourceType>${sourceTypes}${sourceType}</Iptc4xmpExt:DigitalSourceType>`
    parts.push(describe(`xmlns:Iptc4xmpExt="${iptc}"`, xml))
  }
  let left = room - Buffer.byteLength(open + close + parts.join(''))
  for (const { namespaces, xml } of properties) {
    const part = describe(namespaces, xml)
    const size = Buffer.byteLength(part)
    if (size > left) continue
    parts.push(part)
    left -= size
  }
  return parts.length === 0 ? null : `${open}${parts.join('')}${close}`
}
