// In charge of showing a whole graph on its canvas, without any of it under the small map or the tools to zoom. Of a graph that is too
// large for the smallest zoom, for example because one note stands very far away, the fullest part is shown.
import { type Node, useReactFlow, useStore } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import {
  bestSpace,
  fullestCluster,
  leastZoom,
  type Placed,
  roomIn,
  type Size,
  type Space,
  spacesBeside,
} from './in-view.ts'

/** The pixels between a node and what lies over a corner of the canvas. */
const gap = 12

const nothing: Size = { width: 0, height: 0 }

/** Where something lies over the canvas; null if it is not shown, as the small map on a narrow or low screen. */
function boxOf(selector: string): DOMRect | null {
  const box = document.querySelector(`.canvas ${selector}`)?.getBoundingClientRect()
  return box && box.width > 0 ? box : null
}

/** Returns a function that shows the whole graph. `padding`: the share of the canvas that stays free around it. */
export function useFit(): (options: { padding: number; duration?: number }) => void {
  const flow = useReactFlow()
  return useCallback(
    ({ padding, ...options }) => {
      const canvas = document.querySelector('.canvas')?.getBoundingClientRect()
      // Without nodes, React Flow would wait for the first one, and then show none of it.
      if (!canvas || flow.getNodes().length === 0) return
      const [map, tools] = [boxOf('.small-map'), boxOf('.zoom-tools')]
      const spaces = spacesBeside(
        map ? { width: canvas.right - map.left + gap, height: canvas.bottom - map.top + gap } : nothing,
        tools ? { width: tools.right - canvas.left + gap, height: canvas.bottom - tools.top + gap } : nothing,
      )
      const nodes = shownOf(flow.getNodes(), roomsBeside(spaces, canvas, padding))
      const { left, right, bottom } = bestSpace(flow.getNodesBounds(nodes), canvas, spaces)
      const orElse = (pixels: number) => (pixels > 0 ? (`${pixels}px` as const) : padding)
      void flow.fitView({
        ...{ maxZoom: 1, nodes, ...options },
        padding: { top: padding, left: orElse(left), right: orElse(right), bottom: orElse(bottom) },
      })
    },
    [flow],
  )
}

/** Shows the whole graph once, as soon as the canvas has a size, unless `isWanted` is false. */
export function useFirstFit(isWanted: boolean): void {
  const fit = useFit()
  const hasSize = useStore(({ width, height, panZoom }) => width > 0 && height > 0 && panZoom !== null)
  const isDue = useRef(isWanted)
  useEffect(() => {
    if (!hasSize || !isDue.current) return
    isDue.current = false
    fit({ padding: 0.1 })
  }, [fit, hasSize])
}

/** The rooms, in canvas coordinates, that the smallest zoom leaves beside these spaces. */
function roomsBeside(spaces: readonly Space[], canvas: Size, padding: number): Size[] {
  // React Flow leaves half of this free at either side.
  const kept = 1 / (1 + padding)
  return spaces.map((space) => {
    const { width, height } = roomIn(canvas, space)
    return { width: (width * kept) / leastZoom, height: (height * kept) / leastZoom }
  })
}

/** The nodes to show: all, if there is a zoom for that. */
function shownOf(nodes: Node[], rooms: readonly Size[]): Node[] {
  const ids = new Set(fullestCluster(nodes.map(placed), rooms))
  return ids.size === 0 ? nodes : nodes.filter(({ id }) => ids.has(id))
}

const placed = ({ id, type, position, width = 0, height = 0 }: Node): Placed => ({
  ...{ id, ...position, width, height },
  isCard: type === 'card',
})
