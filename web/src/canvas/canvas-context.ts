// In charge of what the cards and the wire being drawn need to know of the canvas they are on.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { createContext, useContext } from 'react'
import type { CardMode } from './cards.ts'
import type { Joining } from './connecting.ts'
import type { Box } from './places.ts'

export type CanvasTools = {
  mode: CardMode
  /** What an edge would do, or why it cannot be drawn. */
  joinOf: (edge: GraphEdge) => Joining
  /** Shows a note or frame at another size, and keeps it once that is over. Absent: nothing can be changed. */
  resize?: (id: string, box: Box, isOver: boolean) => void
}

export const CanvasContext = createContext<CanvasTools>({
  mode: 'run',
  joinOf: () => ({ problem: null, each: false, isChoice: false }),
})
export const useCanvas = (): CanvasTools => useContext(CanvasContext)
