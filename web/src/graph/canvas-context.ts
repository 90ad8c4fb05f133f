// In charge of what the cards and the wire being drawn need to know of the canvas they are on.
import type { GraphEdge } from '@atelier/contract/definition.ts'
import { createContext, useContext } from 'react'
import type { CardMode } from './cards.ts'

export type CanvasTools = {
  mode: CardMode
  /** Why an edge cannot be drawn, or null. */
  problemOf: (edge: GraphEdge) => string | null
}

export const CanvasContext = createContext<CanvasTools>({ mode: 'run', problemOf: () => null })
export const useCanvas = (): CanvasTools => useContext(CanvasContext)
