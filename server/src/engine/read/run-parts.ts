// In charge of the nodes of a run as text that is read as it is sent: of a run that is too large to be held whole.
//
// A part is read at a time, and others have their turn between two of them. So an answer is not of one moment; whoever
// sends it looks whether the run has changed meanwhile.
import type { Db } from '../../platform/db.ts'
import { unitsOf } from '../model/units.ts'
import type { Tally } from '../store/run-changes.ts'
import {
  type OwnUnit,
  readItemSizes,
  readPort,
  readTexts,
  type Scope,
  type Sized,
  type TextUnit,
} from '../store/unit-pages.ts'
import { nodeChanges, unitState } from './node-json.ts'

/** What is read at once, in bytes of JSON. */
const partBytes = 256 * 1024
/** And in units. */
const partUnits = 500

type Run = { id: string; generation: number }

export type Parts = {
  db: Db
  run: Run
  scope: Scope
  own: readonly OwnUnit[]
  tallies: ReadonlyMap<string, readonly Tally[]>
  /** Whether nodes that run once per element have the lists their items make, as a whole run does; or their count. */
  lists: boolean
}

/** The members of `nodes`, without the braces around them; of a scope of one node, that node. */
export async function* nodeParts(parts: Parts): AsyncGenerator<string, void> {
  const nameOf = (node: string): string => (parts.scope.node === null ? `${JSON.stringify(node)}:` : '')
  let before = ''
  for (const group of groupsOf(parts.own)) {
    const [first] = group
    if (first && first.itemCount !== null) {
      yield before + nameOf(first.node)
      yield* eachNode(parts, first)
      before = ','
      continue
    }
    for (const unit of counted(parts.run, null, await readTexts(parts.db, parts.run.id, group))) {
      yield before + nameOf(unit.node) + plainNode(unit, parts.lists)
      before = ','
    }
  }
}

/** Nodes that run once are read together; one with items has a group of its own. */
function* groupsOf(own: readonly OwnUnit[]): Generator<OwnUnit[]> {
  let plain: OwnUnit[] = []
  for (const unit of own) {
    if (unit.itemCount === null) {
      plain.push(unit)
      continue
    }
    yield* chunksOf(plain)
    plain = []
    yield [unit]
  }
  yield* chunksOf(plain)
}

/** What is read at once of units in their order: at least one. */
function* chunksOf<U extends { bytes: number }>(units: readonly U[]): Generator<U[]> {
  let chunk: U[] = []
  let bytes = 0
  for (const unit of units) {
    if (chunk.length > 0 && (chunk.length >= partUnits || bytes + unit.bytes > partBytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(unit)
    bytes += unit.bytes
  }
  if (chunk.length > 0) yield chunk
}

/** Units as they count in the present generation, which hangs on their node; `own`: of items, the node they are of. */
function counted({ generation }: Run, own: OwnUnit | null, units: readonly TextUnit[]): TextUnit[] {
  const all = own === null ? units : [{ ...own, made: null }, ...units]
  return unitsOf(generation, all, { startedAt: null, finishedAt: null }).slice(own === null ? 0 : 1)
}

/** A state as text. What it made goes in as it is kept: it may be many times larger than the rest. */
function stateText(state: object, outputs: string): string {
  const rest = JSON.stringify({ ...state, outputs: undefined })
  return `{"outputs":${outputs}${rest === '{}' ? '' : `,${rest.slice(1, -1)}`}}`
}

const madeBy = (unit: TextUnit): string => (unit.outputs === null ? '{}' : (unit.made ?? '{}'))

function plainNode(unit: TextUnit, lists: boolean): string {
  const { item_count, ...state } = nodeChanges([unit])
  return stateText(lists ? state : { ...state, item_count }, madeBy(unit))
}

async function* eachNode({ db, run, scope, tallies, lists }: Parts, own: OwnUnit): AsyncGenerator<string, void> {
  const sizes = await readItemSizes(db, run, own, scope.since)
  const ports = new Set<string>()
  const withOutputs = new Set<string>()
  let before = '{"items":{'
  for (const chunk of chunksOf(sizes)) {
    for (const unit of counted(run, own, await readTexts(db, run.id, chunk))) {
      const made = madeBy(unit)
      yield `${before}${JSON.stringify(String(unit.position))}:${stateText(unitState(unit), made)}`
      before = ','
      if (!lists || unit.outputs === null) continue
      withOutputs.add(unit.item)
      for (const port of Object.keys(JSON.parse(made))) ports.add(port)
    }
  }
  yield before === ',' ? '}' : `${before}}`
  if (lists) yield* listsOf(db, run.id, { sizes, withOutputs, ports })
  const [now] = unitsOf(run.generation, [own], { startedAt: null, finishedAt: null })
  const { item_count, items: _items, outputs, ...state } = nodeChanges([now ?? own], tallies.get(own.node) ?? [])
  yield `,${JSON.stringify(lists ? state : { ...state, outputs, item_count }).slice(1)}`
}

type Items = { sizes: readonly Sized[]; withOutputs: ReadonlySet<string>; ports: ReadonlySet<string> }

/** Port → what the items gave, in their order; null where one gave nothing. */
async function* listsOf(db: Db, runId: string, { sizes, withOutputs, ports }: Items): AsyncGenerator<string, void> {
  let beforePort = ''
  yield ',"outputs":{'
  for (const port of ports) {
    yield `${beforePort}${JSON.stringify(port)}:[`
    beforePort = ','
    let before = ''
    for (const chunk of chunksOf(sizes)) {
      const values = await readPort(db, runId, chunk, port)
      for (const { item } of chunk) {
        yield before + (withOutputs.has(item) ? (values.get(item) ?? 'null') : 'null')
        before = ','
      }
    }
    yield ']'
  }
  yield '}'
}
