// In charge of moving the canvas so that what was just added to it is seen whole.
import type { useReactFlow } from '@xyflow/react'
import type { Box } from '../canvas/places.ts'

/**
 * Moves the canvas only as far as needed to show the whole box of a new node, note or frame. `beside`: the pixels to the right of it
 * that are shown too, if the canvas is wide enough.
 */
export function reveal(flow: ReturnType<typeof useReactFlow>, { x, y, width, height }: Box, beside = 0): void {
  const frame = document.querySelector('.canvas')?.getBoundingClientRect()
  if (!frame) return
  const { x: left, y: top, zoom } = flow.getViewport()
  const margin = 24
  const back = (start: number, size: number, room: number) =>
    Math.max(margin - start, Math.min(0, room - margin - (start + size)))
  const by = {
    x: back(
      x * zoom + left,
      Math.min(width * zoom + beside, Math.max(width * zoom, frame.width - 2 * margin)),
      frame.width,
    ),
    y: back(y * zoom + top, height * zoom, frame.height),
  }
  if (by.x !== 0 || by.y !== 0) void flow.setViewport({ x: left + by.x, y: top + by.y, zoom })
}
