// In charge of showing a whole graph on its canvas, without any of it under the small map. Of a graph that is too large for the smallest
// zoom, for example because one note stands very far away, the fullest part is shown.
import { type Node, useReactFlow, useStore } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import { fullestCluster, leastZoom, type Placed, type Size, spaceForMap } from './in-view.ts'

/** The pixels between a node and the small map. */
const gap = 12

/** Returns a function that shows the whole graph. `padding`: the share of the canvas that stays free around it. */
export function useFit(): (options: { padding: number; duration?: number }) => void {
  const flow = useReactFlow()
  return useCallback(
    ({ padding, ...options }) => {
      const canvas = document.querySelector('.canvas')?.getBoundingClientRect()
      // Without nodes, React Flow would wait for the first one, and then show none of it.
      if (!canvas || flow.getNodes().length === 0) return
      const map = document.querySelector('.canvas .small-map')?.getBoundingClientRect()
      // On a narrow or low screen the map is not shown, and has no size.
      const covered =
        map && map.width > 0
          ? { width: canvas.right - map.left + gap, height: canvas.bottom - map.top + gap }
          : { width: 0, height: 0 }
      const nodes = shownOf(flow.getNodes(), roomsBeside(covered, canvas, padding))
      const { right, bottom } = spaceForMap(flow.getNodesBounds(nodes), canvas, covered)
      void flow.fitView({
        ...{ maxZoom: 1, nodes, ...options },
        padding: {
          ...{ top: padding, left: padding },
          right: right > 0 ? `${right}px` : padding,
          bottom: bottom > 0 ? `${bottom}px` : padding,
        },
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

/** The rooms, in canvas coordinates, that the smallest zoom leaves above and beside the small map. */
function roomsBeside(map: Size, canvas: Size, padding: number): Size[] {
  // React Flow leaves half of this free at either side.
  const kept = 1 / (1 + padding)
  const roomOf = (width: number, height: number) => ({
    width: (width * kept) / leastZoom,
    height: (height * kept) / leastZoom,
  })
  return [roomOf(canvas.width, canvas.height - map.height), roomOf(canvas.width - map.width, canvas.height)]
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
