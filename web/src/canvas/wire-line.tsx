// In charge of a wire while a user is drawing it; over a port where the wire cannot end, the reason is shown beside the pointer.
import { type ConnectionLineComponentProps, getBezierPath } from '@xyflow/react'
import type { CanvasNode } from './annotation-nodes.ts'
import { useCanvas } from './canvas-context.ts'
import { edgeBetween } from './connecting.ts'

export function WireLine(line: ConnectionLineComponentProps<CanvasNode>) {
  const { joinOf } = useCanvas()
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus, fromNode, fromHandle, toNode, toHandle } =
    line
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  })
  const isRefused = connectionStatus === 'invalid' && toNode !== null && toHandle !== null
  const edge = isRefused
    ? edgeBetween(
        { node: fromNode.id, port: fromHandle.id ?? '', side: fromHandle.type },
        { node: toNode.id, port: toHandle.id ?? '', side: toHandle.type },
      )
    : null
  const why = isRefused ? (edge ? joinOf(edge).problem : 'An edge leads from an output to an input.') : null
  return (
    <g className="wire-drawn" data-status={connectionStatus ?? 'open'}>
      <path d={path} fill="none" />
      {why === null ? null : (
        <foreignObject x={toX + 14} y={toY + 10} width={280} height={160} className="wire-why-place">
          <div className="wire-why" role="status">
            {why}
          </div>
        </foreignObject>
      )}
    </g>
  )
}
