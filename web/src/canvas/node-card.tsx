// In charge of the card of a node on the canvas: its name and type, its ports, and in a run its state and its results.
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { type MouseEvent, memo } from 'react'
import { Icon } from '../ui/icons.tsx'
import type { RunBrief } from './briefs.ts'
import { useCanvas } from './canvas-context.ts'
import type { CardNode } from './canvas-nodes.ts'
import { newPort, type Port, portY } from './cards.ts'
import { NodeIcon } from './node-icons.tsx'
import { Picture } from './picture.tsx'
import { StatusMark } from './status-mark.tsx'

/** A tap on a port begins or ends a wire. It must not select the node too: on narrow screens, selecting moves the canvas. */
function keepFromNode(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('.port')) event.stopPropagation()
}

export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<CardNode>) {
  const { mode } = useCanvas()
  const { view, issues, brief, mark } = data
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks on ports are kept from the node
    <div
      className="node-card"
      data-group={view.group}
      data-selected={selected || undefined}
      data-trouble={view.trouble !== null || issues > 0 || undefined}
      data-status={brief?.status}
      data-mark={mark ?? undefined}
      onClick={keepFromNode}
    >
      <header>
        <span className="node-icon">
          <NodeIcon name={view.group} size={15} />
        </span>
        <span className="node-names">
          <strong>{view.id}</strong>
          <span>{view.trouble && !view.info ? `${view.type || view.title}: ${view.trouble}` : view.title}</span>
        </span>
        {view.each ? (
          <span className="mark" title="Runs once for each element">
            each
          </span>
        ) : null}
        {issues > 0 ? (
          <span className="mark" data-tone="danger" title={`${issues} ${issues === 1 ? 'issue' : 'issues'}`}>
            <Icon name="warning" size={12} />
            {issues}
          </span>
        ) : null}
      </header>
      {view.inputs.map((port, index) => (
        <PortRow key={port.name} port={port} side="in" index={index} />
      ))}
      {mode !== 'run' && view.open ? <NewPort index={view.inputs.length} /> : null}
      {view.outputs.map((port, index) => (
        <PortRow key={port.name} port={port} side="out" index={index} />
      ))}
      {mode !== 'edit' ? <RunFoot brief={brief} hasPreview={view.makesFiles} /> : null}
    </div>
  )
})

function PortRow({ port, side, index }: { port: Port; side: 'in' | 'out'; index: number }) {
  const isMissing = side === 'in' && port.required && !port.fed && !port.hasValue
  return (
    <>
      <Handle
        id={port.name}
        type={side === 'in' ? 'target' : 'source'}
        position={side === 'in' ? Position.Left : Position.Right}
        className={`port port-${port.kind}`}
        data-fed={port.fed || undefined}
        data-missing={isMissing || undefined}
        style={{ top: portY(index) }}
      />
      <span
        className={`port-name port-name-${side}`}
        style={{ top: portY(index) - 12 }}
        title={`${port.title}: ${port.words}${port.each ? ', one element at a time' : ''}`}
      >
        {port.title}
        {port.each ? <span className="port-each"> each</span> : null}
        {isMissing ? <span className="port-missing"> *</span> : null}
      </span>
    </>
  )
}

function NewPort({ index }: { index: number }) {
  return (
    <>
      <Handle
        id={newPort}
        type="target"
        position={Position.Left}
        className="port port-new"
        style={{ top: portY(index) }}
      />
      <span className="port-name port-name-in port-name-new" style={{ top: portY(index) - 12 }}>
        new input
      </span>
    </>
  )
}

function RunFoot({ brief, hasPreview }: { brief: RunBrief | null; hasPreview: boolean }) {
  return (
    <footer className="node-foot">
      {hasPreview ? (
        <div className="node-strip">
          {(brief?.files ?? []).map((file, index) => (
            <Picture key={`${index}-${file.digest}`} file={file} alt="" small />
          ))}
        </div>
      ) : null}
      <div className="node-status">
        <StatusMark status={brief?.status ?? 'pending'} plain />
        {brief?.items ? (
          <span>
            {brief.items.done} of {brief.items.total}
            {brief.items.failed > 0 ? `, ${brief.items.failed} failed` : ''}
          </span>
        ) : null}
        {brief && brief.credits > 0 ? <span className="node-credits">{brief.credits} cr</span> : null}
      </div>
      {brief?.status === 'running' ? (
        <span className="node-progress" style={{ inlineSize: `${Math.round(brief.progress * 100)}%` }} />
      ) : null}
    </footer>
  )
}
