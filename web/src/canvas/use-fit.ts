// In charge of showing a whole graph on its canvas, without any of it under the small map.
import { useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { spaceForMap } from './in-view.ts'

/** The pixels between a node and the small map. */
const gap = 12

/** Returns a function that shows the whole graph. `padding`: the share of the canvas that stays free around it. */
export function useFit(): (options: { padding: number; duration?: number }) => void {
  const flow = useReactFlow()
  return useCallback(
    ({ padding, ...options }) => {
      const canvas = document.querySelector('.canvas')?.getBoundingClientRect()
      const map = document.querySelector('.canvas .small-map')?.getBoundingClientRect()
      // On a narrow screen the map is not shown, and has no size.
      const { right, bottom } =
        canvas && map && map.width > 0
          ? spaceForMap(flow.getNodesBounds(flow.getNodes()), canvas, {
              width: canvas.right - map.left + gap,
              height: canvas.bottom - map.top + gap,
            })
          : { right: 0, bottom: 0 }
      void flow.fitView({
        ...{ maxZoom: 1, ...options },
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
