// In charge of calculating a small drawing of a graph: its nodes, frames and wires with their positions and colours. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { edgeName, infoOf } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { type Colour, readAnnotations } from './annotations.ts'
import { withPlaces } from './arrange.ts'
import { measure } from './cards.ts'
import type { Raw } from './doc.ts'
import { readPositions } from './layout.ts'
import type { Box } from './places.ts'

type Sketch = {
  viewBox: string
  nodes: { id: string; group: string; box: Box }[]
  frames: { id: string; colour: Colour; box: Box }[]
  wires: { name: string; path: string }[]
}

/** All nodes are drawn with the same height, because ports are not visible at this size. */
const size = { width: measure.width, height: 96 }
const margin = 40

export function sketchOf(definition: Definition, layout: Raw, types: NodeTypes): Sketch {
  const places = withPlaces(definition, readPositions(layout), () => size)
  const nodes = Object.entries(definition.nodes).flatMap(([id, node]) => {
    const at = places[id]
    return at ? [{ id, group: infoOf(node, types)?.group ?? 'other', box: { ...at, ...size } }] : []
  })
  const frames = Object.entries(readAnnotations(layout)).flatMap(([id, one]) => {
    const { x, y, width, height } = one
    return one.kind === 'frame' ? [{ id, colour: one.colour, box: { x, y, width, height } }] : []
  })
  const wires = definition.edges.flatMap((edge) => {
    const [from, to] = [places[edge.from.node], places[edge.to.node]]
    return from && to ? [{ name: edgeName(edge), path: wireBetween(from, to) }] : []
  })
  return { viewBox: boundsOf([...nodes, ...frames].map(({ box }) => box)), nodes, frames, wires }
}

function wireBetween(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x, y, ex, ey] = [from.x + size.width, from.y + size.height / 2, to.x, to.y + size.height / 2]
  const bend = Math.max(40, Math.abs(ex - x) / 2)
  return `M${x} ${y}C${x + bend} ${y} ${ex - bend} ${ey} ${ex} ${ey}`
}

function boundsOf(boxes: readonly Box[]): string {
  const [first, ...others] = boxes
  if (!first) return '0 0 1 1'
  const all = others.reduce((sofar, box) => {
    const [x, y] = [Math.min(sofar.x, box.x), Math.min(sofar.y, box.y)]
    const right = Math.max(sofar.x + sofar.width, box.x + box.width)
    const bottom = Math.max(sofar.y + sofar.height, box.y + box.height)
    return { x, y, width: right - x, height: bottom - y }
  }, first)
  return [all.x - margin, all.y - margin, all.width + 2 * margin, all.height + 2 * margin].join(' ')
}
