// In charge of the picture of a graph in a list of graphs: its frames, its wires, and its nodes in the colours of their groups.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sketchOf } from '../canvas/sketch.ts'
import '../canvas/hues.css'
import { graphQuery, nodeTypesQuery } from './queries.ts'

/** A graph with more nodes than this is not drawn, because nobody could recognize anything in such a small picture. */
const mostNodes = 150

/** Reads the graph only when the picture becomes visible, because a long list would otherwise send a request for every graph. */
export function GraphPicture({ id, nodeCount }: { id: string; nodeCount: number }) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const isWanted = isSeen && nodeCount > 0 && nodeCount <= mostNodes
  const graph = useQuery({ ...graphQuery(id), enabled: isWanted, staleTime: 60_000 }).data
  const types = useQuery({ ...nodeTypesQuery, enabled: isWanted }).data
  const sketch = graph && types ? sketchOf(readDefinition(graph.data.definition), graph.data.ui_state, types) : null
  return (
    <div className="graph-picture" ref={place}>
      {sketch ? (
        <svg viewBox={sketch.viewBox} preserveAspectRatio="xMidYMid meet" aria-hidden="true">
          {sketch.frames.map((frame) => (
            <rect key={frame.id} className="picture-frame" data-colour={frame.colour} {...frame.box} rx={14} />
          ))}
          {sketch.wires.map(({ name, path }) => (
            <path key={name} className="picture-wire" d={path} />
          ))}
          {sketch.nodes.map(({ id, group, box }) => (
            <rect key={id} className="picture-node" data-group={group} {...box} rx={12} />
          ))}
        </svg>
      ) : null}
    </div>
  )
}

function useSeen(place: { current: Element | null }): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const one = place.current
    if (!one || isSeen) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    watch.observe(one)
    return () => watch.disconnect()
  }, [place, isSeen])
  return isSeen
}
