// In charge of one wire: the way it takes around the nodes between its ends, and for how many elements it runs its node.
import { BaseEdge, type EdgeProps } from '@xyflow/react'
import { createContext, useContext } from 'react'
import type { WireEdge } from './canvas-nodes.ts'
import type { Box } from './places.ts'
import { wayOf } from './wire-path.ts'

/** The positions of nodes by id; empty if there are too many nodes to route each wire around them. */
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
