// In charge of streaming the nodes of a run that is too large to hold in memory.
//
// One part is read at a time, and other work has its turn between two parts. A response is therefore not a snapshot of one
// moment; the caller checks whether the run has changed meanwhile.
//
// Text from the database is converted to bytes at once, and the process reads few parts at a time. Bytes that a slow client
// has not fetched yet lie outside the heap; waiting strings would survive garbage collections and accumulate in the old
// generation, hundreds of megabytes for six clients.
import type { Db } from '../../platform/db.ts'
import { chunksOf } from '../model/chunks.ts'
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

/** Bytes of JSON in one part. */
const partBytes = 256 * 1024
/** Units in one part. */
const partUnits = 500

/** Parts that the process reads at the same time. */
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
   * Whether nodes that run once per element include the lists of their items' outputs, as a whole run does; otherwise their
   * count.
   */
  lists: boolean
}

let free = atATime
const waiting: (() => void)[] = []

/** Reads a part once fewer are being read. A transaction does not wait: those that are being read may wait for its connection. */
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

/** Concatenates pieces of text as bytes; releases the pieces, as `useTexts` does. */
function bytesOf(pieces: string[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  pieces.length = 0
  return bytes
}

/** The members of `nodes`, without the braces around them; for a scope of one node, that node. */
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

/** Nodes that run once are read in groups; each node with items is a group of its own. */
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

/** Splits units, in their order, into parts. */
const partsOf = <U extends { bytes: number }>(units: readonly U[]): Generator<U[]> =>
  chunksOf(units, { count: partUnits, bytes: partBytes }, ({ bytes }) => ({ count: 1, bytes }))

/** Units as they count in the present generation, which depends on their node; `own`: for items, the unit of their node. */
function counted({ generation }: Run, own: OwnUnit | null, units: readonly TextUnit[]): TextUnit[] {
  const all = own === null ? units : [{ ...own, made: null, ports: [] }, ...units]
  return unitsOf(generation, all, { startedAt: null, finishedAt: null }).slice(own === null ? 0 : 1)
}

/** A state as text, in pieces. Its outputs are inserted as stored text: they may be many times larger than the rest. */
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

/** Port → the outputs of the items, in their order; null where an item has none. */
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
