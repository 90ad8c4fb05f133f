// In charge of drawing one wire with its label; the wire goes around nodes that are in its way.
import { BaseEdge, type EdgeProps } from '@xyflow/react'
import { createContext, useContext } from 'react'
import type { WireEdge } from './canvas-nodes.ts'
import type { Box } from './places.ts'
import { wayOf } from './wire-path.ts'

/** The boxes of nodes by id; empty if the graph has too many nodes to route wires around them. */
export const BoxesContext = createContext<ReadonlyMap<string, Box>>(new Map())

export function Wire({
  source,
  target,
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
  interactionWidth,
}: EdgeProps<WireEdge>) {
  const boxes = useContext(BoxesContext)
  const between = [...boxes].flatMap(([id, box]) => (id === source || id === target ? [] : [box]))
  const { path, middle } = wayOf({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, between)
  return (
    <BaseEdge
      path={path}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
      {...(data?.label ? { label: data.label, labelX: middle.x, labelY: middle.y } : {})}
    />
  )
}
