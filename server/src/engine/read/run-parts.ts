// In charge of streaming the nodes of a run that is too large to be held in memory.
//
// One part is read at a time, and other work can run between two parts. The response is therefore not a snapshot of one
// moment; the caller checks whether the run has changed since the first part was read.
//
// Text from the database is converted to bytes at once, and the process reads only a few parts at the same time. Bytes that a
// slow client has not fetched yet are stored outside the JavaScript heap. Strings that wait for a client would survive
// several garbage collections, and then stay in the heap: hundreds of megabytes for six clients.

import { chunksOf } from '../../platform/chunks.ts'
import type { Db } from '../../platform/db.ts'
import { unitsOf } from '../model/units.ts'
import type { Tally } from '../store/run-changes.ts'
import {
  type OwnUnit,
  readItemSizes,
  type Scope,
  type Sized,
  type TextUnit,
  usePort,
  useTexts,
} from '../store/unit-pages.ts'
import { nodeChanges, unitState } from './node-json.ts'

/** The maximum number of bytes of JSON in one part. */
const partBytes = 256 * 1024
/** The maximum number of units in one part. */
const partUnits = 500

/** How many parts the process reads at the same time, for all responses together. */
const atATime = 2

type Run = { id: string; generation: number }

/** A piece of a response: text, or its bytes, which end at a character boundary. */
export type TextPart = string | Buffer

export type Parts = {
  db: Db
  run: Run
  scope: Scope
  own: readonly OwnUnit[]
  tallies: ReadonlyMap<string, readonly Tally[]>
  /**
   * For nodes that run once per element: whether the response contains the lists of their items' outputs, or only the number
   * of items. The response with a whole run contains the lists; one with changes does not.
   */
  lists: boolean
}

let free = atATime
const waiting: (() => void)[] = []

/**
 * Reads a part, once fewer than `atATime` parts are being read. Inside a transaction it does not wait: the other reads may
 * need the connection that the transaction occupies.
 */
async function part<T>(db: Db, read: () => Promise<T>): Promise<T> {
  if (db.isTransaction) return read()
  if (free > 0) free--
  else await new Promise<void>((resolve) => void waiting.push(resolve))
  try {
    return await read()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

/** Joins pieces of text into bytes, and empties the array, so that the memory of the texts can be freed soon. */
function bytesOf(pieces: string[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  pieces.length = 0
  return bytes
}

/** The text of the members of `nodes`, without the enclosing braces; if the scope is one node, only the text of that node. */
export async function* nodeParts(parts: Parts): AsyncGenerator<TextPart, void> {
  const { db, run, scope, own, lists } = parts
  const nameOf = (node: string): string => (scope.node === null ? `${JSON.stringify(node)}:` : '')
  let before = ''
  for (const group of groupsOf(own)) {
    const [first] = group
    if (first && first.itemCount !== null) {
      yield before + nameOf(first.node)
      yield* eachNode(parts, first)
      before = ','
      continue
    }
    const toBytes = (units: readonly TextUnit[]): Buffer => {
      const pieces: string[] = []
      for (const unit of counted(run, null, units)) {
        pieces.push(before + nameOf(unit.node), ...plainNode(unit, lists))
        before = ','
        unit.made = null
      }
      return bytesOf(pieces)
    }
    yield await part(db, () => useTexts(db, { runId: run.id, units: group, withPorts: false }, toBytes))
  }
}

/**
 * The nodes in groups that are read together. Nodes that run once share groups of limited size; each node that runs once per
 * element has a group to itself.
 */
function* groupsOf(own: readonly OwnUnit[]): Generator<OwnUnit[]> {
  let plain: OwnUnit[] = []
  for (const unit of own) {
    if (unit.itemCount === null) {
      plain.push(unit)
      continue
    }
    yield* partsOf(plain)
    plain = []
    yield [unit]
  }
  yield* partsOf(plain)
}

/** Splits units into parts of limited size, in the same order. */
const partsOf = <U extends { bytes: number }>(units: readonly U[]): Generator<U[]> =>
  chunksOf(units, { count: partUnits, bytes: partBytes }, ({ bytes }) => ({ count: 1, bytes }))

/**
 * Units as the present generation sees them. If `units` are items, `own` is the own unit of their node, which says whether
 * the node is stale; otherwise `own` is null.
 */
function counted({ generation }: Run, own: OwnUnit | null, units: readonly TextUnit[]): TextUnit[] {
  const all = own === null ? units : [{ ...own, made: null, ports: [] }, ...units]
  return unitsOf(generation, all, { startedAt: null, finishedAt: null }).slice(own === null ? 0 : 1)
}

/**
 * The JSON text of a unit's state, in pieces. `outputs`: the JSON text of its outputs as the database stores it. It is not
 * parsed, since it may be much larger than the rest.
 */
function stateText(state: object, outputs: string): string[] {
  const rest = JSON.stringify({ ...state, outputs: undefined })
  return ['{"outputs":', outputs, `${rest === '{}' ? '' : `,${rest.slice(1, -1)}`}}`]
}

const madeBy = (unit: TextUnit): string => (unit.outputs === null ? '{}' : (unit.made ?? '{}'))

function plainNode(unit: TextUnit, lists: boolean): string[] {
  const { item_count, ...state } = nodeChanges([unit])
  return stateText(lists ? state : { ...state, item_count }, madeBy(unit))
}

async function* eachNode({ db, run, scope, tallies, lists }: Parts, own: OwnUnit): AsyncGenerator<TextPart, void> {
  const sizes = await readItemSizes(db, run, own, scope.since)
  const withOutputs = new Set<string>()
  const ports = new Set<string>()
  let before = '{"items":{'
  const toBytes = (units: readonly TextUnit[]): Buffer => {
    const pieces: string[] = []
    for (const unit of counted(run, own, units)) {
      pieces.push(`${before}${JSON.stringify(String(unit.position))}:`, ...stateText(unitState(unit), madeBy(unit)))
      before = ','
      unit.made = null
      if (unit.outputs === null) continue
      withOutputs.add(unit.item)
      for (const port of unit.ports) ports.add(port)
    }
    return bytesOf(pieces)
  }
  for (const units of partsOf(sizes)) {
    yield await part(db, () => useTexts(db, { runId: run.id, units, withPorts: lists }, toBytes))
  }
  yield before === ',' ? '}' : `${before}}`
  if (lists) yield* listsOf(db, run.id, { sizes, withOutputs, ports })
  const [now] = unitsOf(run.generation, [own], { startedAt: null, finishedAt: null })
  const { item_count, items: _items, outputs, ...state } = nodeChanges([now ?? own], tallies.get(own.node) ?? [])
  yield `,${JSON.stringify(lists ? state : { ...state, outputs, item_count }).slice(1)}`
}

type Items = { sizes: readonly Sized[]; withOutputs: ReadonlySet<string>; ports: ReadonlySet<string> }

/**
 * The member `outputs` of a node that runs once per element: port → the list of its items' outputs, in the order of the
 * items; null stands for an item without an output.
 */
async function* listsOf(db: Db, runId: string, { sizes, withOutputs, ports }: Items): AsyncGenerator<TextPart, void> {
  let beforePort = ''
  yield ',"outputs":{'
  for (const port of ports) {
    yield `${beforePort}${JSON.stringify(port)}:[`
    beforePort = ','
    let before = ''
    for (const units of partsOf(sizes)) {
      const toBytes = (values: ReadonlyMap<string, string>): Buffer => {
        const pieces: string[] = []
        for (const { item } of units) {
          pieces.push(before, withOutputs.has(item) ? (values.get(item) ?? 'null') : 'null')
          before = ','
        }
        return bytesOf(pieces)
      }
      yield await part(db, () => usePort(db, { runId, units, port }, toBytes))
    }
    yield ']'
  }
  yield '}'
}
