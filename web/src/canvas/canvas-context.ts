// In charge of providing what node cards, and a wire that is being drawn, need to know about their canvas.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { createContext, useContext } from 'react'
import type { CardMode } from './cards.ts'
import type { Joining } from './connecting.ts'
import type { Box } from './places.ts'

export type CanvasTools = {
  mode: CardMode
  /** Returns what would happen if the edge were added; its `problem` says why the edge cannot be added, or is null. */
  joinOf: (edge: GraphEdge) => Joining
  /**
   * Called repeatedly while a user resizes a note or a frame: shows it in this box. The last call, with `isOver` true, saves the
   * box. Missing if the graph cannot be changed.
   */
  resize?: (id: string, box: Box, isOver: boolean) => void
}

export const CanvasContext = createContext<CanvasTools>({
  mode: 'run',
  joinOf: () => ({ problem: null, each: false, isChoice: false, misfit: null, replaces: [] }),
})
export const useCanvas = (): CanvasTools => useContext(CanvasContext)
