// In charge of the small map of a graph: it shows each node as a coloured rectangle, and outlines the part that is visible on the
// canvas. All nodes of one colour are drawn as one SVG path, so that the map stays fast with thousands of nodes.
import { Panel, useReactFlow, useStore } from '@xyflow/react'
import { memo, type PointerEvent, useMemo } from 'react'
import type { CardNode } from './canvas-nodes.ts'

const frame = { width: 188, height: 128, margin: 8 } as const

type Box = { x: number; y: number; width: number; height: number }
/** `factor`: map pixels per unit of canvas coordinates; `left`, `top`: the canvas point at the map's top left, after the margin. */
type Scale = { left: number; top: number; factor: number }

export const SmallMap = memo(function SmallMap({ nodes }: { nodes: readonly CardNode[] }) {
  const flow = useReactFlow()
  const scale = useMemo(() => scaleOf(nodes), [nodes])
  const paths = useMemo(() => pathsOf(nodes, scale), [nodes, scale])
  const go = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    const x = (event.clientX - box.left - frame.margin) / scale.factor + scale.left
    const y = (event.clientY - box.top - frame.margin) / scale.factor + scale.top
    void flow.setCenter(x, y, { zoom: flow.getZoom() })
  }
  return (
    <Panel position="bottom-right" className="small-map">
      <svg
        width={frame.width}
        height={frame.height}
        role="img"
        aria-label="Map of the graph"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
      >
        {[...paths].map(([look, path]) => (
          <path key={look} className={`map-node map-${look}`} d={path} />
        ))}
        <InSight scale={scale} />
      </svg>
    </Panel>
  )
})

function InSight({ scale }: { scale: Scale }) {
  const [x, y, zoom] = useStore((store) => store.transform)
  const [width, height] = [useStore((store) => store.width), useStore((store) => store.height)]
  const seen = onMap({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }, scale)
  return <rect className="map-sight" {...seen} rx={3} />
}

function scaleOf(nodes: readonly CardNode[]): Scale {
  const [left, top] = [least(nodes, ({ position }) => position.x), least(nodes, ({ position }) => position.y)]
  const right = -least(nodes, ({ position, width }) => -position.x - (width ?? 0))
  const bottom = -least(nodes, ({ position, height }) => -position.y - (height ?? 0))
  const fit = (room: number, size: number) => (room - 2 * frame.margin) / Math.max(1, size)
  const factor = Math.min(fit(frame.width, right - left), fit(frame.height, bottom - top), 0.2)
  // The empty space on each side of the graph, in canvas coordinates; it puts the graph in the middle of the map.
  const spare = (room: number, size: number) => (room - 2 * frame.margin - size * factor) / 2 / factor
  return { left: left - spare(frame.width, right - left), top: top - spare(frame.height, bottom - top), factor }
}

const least = (nodes: readonly CardNode[], of: (node: CardNode) => number): number =>
  nodes.reduce((sofar, node) => Math.min(sofar, of(node)), nodes[0] ? of(nodes[0]) : 0)

const onMap = ({ x, y, width, height }: Box, { left, top, factor }: Scale): Box => ({
  x: (x - left) * factor + frame.margin,
  y: (y - top) * factor + frame.margin,
  width: width * factor,
  height: height * factor,
})

/** One SVG path for each colour, by the status or node group that decides the colour. */
function pathsOf(nodes: readonly CardNode[], scale: Scale): Map<string, string> {
  const paths = new Map<string, string>()
  for (const { data, position, width = 0, height = 0 } of nodes) {
    const look = data.brief?.status ?? data.view.group
    const box = onMap({ ...position, width, height }, scale)
    const [w, h] = [Math.max(1.5, box.width), Math.max(1.5, box.height)]
    paths.set(
      look,
      `${paths.get(look) ?? ''}M${box.x.toFixed(1)} ${box.y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${-w.toFixed(1)}z`,
    )
  }
  return paths
}
