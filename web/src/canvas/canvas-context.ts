// In charge of providing what node cards, and a wire that is being drawn, need to know about their canvas.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { createContext, useContext } from 'react'
import type { CardMode } from './cards.ts'
import type { Joining } from './connecting.ts'
import type { Box } from './places.ts'

export type CanvasTools = {
  mode: CardMode
  /** Returns what would happen if the edge were added, or the reason why it cannot be added. */
  joinOf: (edge: GraphEdge) => Joining
  /** Shows a note or a frame at another size, and saves the size once `isOver` is true. Missing if the graph cannot be changed. */
  resize?: (id: string, box: Box, isOver: boolean) => void
}

export const CanvasContext = createContext<CanvasTools>({
  mode: 'run',
  joinOf: () => ({ problem: null, each: false, isChoice: false }),
})
export const useCanvas = (): CanvasTools => useContext(CanvasContext)
