// In charge of cache keys. A key identifies the outputs of a call; it is made of everything that can change them, and of
// nothing else.
import { createHash } from 'node:crypto'
import type { NodeType } from '../../nodes/node-type.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { membersOf, objectText, shortText, wholeText } from './digests.ts'
import { type Roll, rollOf } from './marks.ts'
import type { ReadyUnit } from './run-model.ts'
import { turn } from './turns.ts'
import type { UnitName } from './units.ts'

export type KeyParts = {
  type: Pick<NodeType, 'type' | 'version' | 'implementation' | 'provider'>
  params: Record<string, unknown>
  inputs: Record<string, unknown>
  /** The item's number among items with equal elements, so that equal rows lead to different pictures; 0 for a node. */
  occurrence: number
  /** The random text that the last re-roll of the unit set; empty if it was never rolled again. */
  roll: string
}

type Part = { values: Record<string, unknown> } | { plain: unknown }

/**
 * The parts of a key in their canonical order. A key does not depend on labels, on the layout, on positions of items or on
 * file names.
 */
const partsOf = ({ type, params, inputs, occurrence, roll }: KeyParts): [string, Part][] => [
  ['implementation', { plain: type.implementation }],
  ['inputs', { values: inputs }],
  ['occurrence', { plain: occurrence }],
  ['params', { values: params }],
  ['provider', { plain: type.provider(params) }],
  ['roll', { plain: roll }],
  ['type', { plain: type.type }],
  ['v', { plain: 1 }],
  ['version', { plain: type.version }],
]

/** How many bytes are hashed in one piece, between two calls of `turn`; hashing them takes about a millisecond. */
const pieceBytes = 512 * 1024

/**
 * Returns a hash of all parts: 64 hexadecimal digits, not shortened. Paid results are stored under such keys for years, so
 * the computation must never change.
 */
export async function cacheKey(parts: KeyParts): Promise<string> {
  const hash = createHash('sha256')
  const add = async (text: string | Buffer): Promise<void> => {
    if (typeof text === 'string') return void hash.update(text)
    for (let from = 0; from < text.length; from += pieceBytes) {
      hash.update(text.subarray(from, from + pieceBytes))
      if (text.length > pieceBytes) await turn()
    }
  }
  let before = '{'
  for (const [name, part] of partsOf(parts)) {
    await add(`${before}"${name}":`)
    before = ','
    if ('plain' in part) await add(canonicalJson(part.plain))
    else await addMembers(part.values, add)
  }
  await add('}')
  return hash.digest('hex')
}

async function addMembers(values: object, add: (text: string | Buffer) => Promise<void>): Promise<void> {
  let before = '{'
  for (const [name, value] of membersOf(values)) {
    await add(`${before}${canonicalJson(name)}:`)
    await add(await wholeText(value))
    before = ','
  }
  await add(before === '{' ? '{}' : '}')
}

/**
 * The key of a call whose outputs are not cached; it only shows whether the call is still the same. Large values are replaced
 * by their hashes. The hash of a value is computed once, however many calls share the value.
 */
export function recipeKey(parts: KeyParts): string {
  const texts = partsOf(parts).map(([name, part]) => {
    return `"${name}":${'plain' in part ? canonicalJson(part.plain) : objectText(part.values, shortText)}`
  })
  return sha256Hex(`{${texts.join(',')}}`)
}

/**
 * Whether calls of this type use a key. No key is computed for other types: computing it takes time, because it reads all
 * inputs, and these may be large.
 */
const needsKey = ({ cacheable, pure, seeded }: Pick<NodeType, 'cacheable' | 'pure' | 'seeded'>): boolean =>
  cacheable || pure || seeded

/** The members of a call that determine its key. */
export type KeyedCall = Pick<ReadyUnit, 'params' | 'inputs' | 'occurrence'> & {
  node: Pick<ReadyUnit['node'], 'type'>
  unit: UnitName
}

/**
 * The key of the call that a unit would make now. It depends on the unit's own roll or, if the unit has none, on that of its
 * node. Empty if the type uses no keys.
 */
export function keyOf(
  { node, unit, params, inputs, occurrence }: KeyedCall,
  rolls: ReadonlyMap<string, Pick<Roll, 'roll'>>,
): Promise<string> {
  if (!needsKey(node.type)) return Promise.resolve('')
  const parts = { type: node.type, params, inputs, occurrence, roll: rollOf(rolls, unit)?.roll ?? '' }
  return node.type.cacheable || node.type.seeded ? cacheKey(parts) : Promise.resolve(recipeKey(parts))
}
