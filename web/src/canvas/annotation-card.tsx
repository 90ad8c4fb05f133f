// In charge of drawing a note or a frame on the canvas.
import { type NodeProps, NodeResizer } from '@xyflow/react'
import { memo, type PointerEvent } from 'react'
import { Markdown } from '../ui/markdown.tsx'
import type { AnnotationNode } from './annotation-nodes.ts'
import './annotations.css'
import { annotationLimits, annotationName, sizes } from './annotations.ts'
import { useCanvas } from './canvas-context.ts'

export const NoteCard = memo(function NoteCard({ id, data: { annotation }, selected }: NodeProps<AnnotationNode>) {
  if (annotation.kind !== 'note') return null
  const text = annotation.text.slice(0, annotationLimits.text)
  return (
    <>
      <Resizer id={id} kind="note" isVisible={selected} />
      <div
        role="note"
        className="canvas-note"
        data-colour={annotation.colour}
        data-selected={selected || undefined}
        aria-label={annotationName(annotation)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long note is scrolled by the keyboard too
        tabIndex={0}
        onPointerEnter={keepWheel}
      >
        {text.trim() === '' ? <p className="canvas-note-empty">Empty note</p> : <Markdown text={text} />}
      </div>
    </>
  )
})

export const FrameCard = memo(function FrameCard({ id, data: { annotation }, selected }: NodeProps<AnnotationNode>) {
  if (annotation.kind !== 'frame') return null
  const title = annotation.title.slice(0, annotationLimits.title)
  return (
    <>
      <Resizer id={id} kind="frame" isVisible={selected} />
      <div className="canvas-frame" data-colour={annotation.colour} data-selected={selected || undefined}>
        <div className="frame-title">{title.trim() === '' ? 'Frame' : title}</div>
      </div>
    </>
  )
})

/** Lets the mouse wheel scroll a note whose text is longer than its box; over other notes the wheel zooms the canvas. */
function keepWheel({ currentTarget: note }: PointerEvent<HTMLElement>): void {
  note.classList.toggle('nowheel', note.scrollHeight > note.clientHeight + 1)
}

function Resizer({ id, kind, isVisible }: { id: string; kind: 'note' | 'frame'; isVisible: boolean }) {
  const { resize } = useCanvas()
  if (!resize || !isVisible) return null
  const { least } = sizes[kind]
  const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
    x: Math.round(x),
    y: Math.round(y),
    width: Math.round(width),
    height: Math.round(height),
  })
  return (
    <NodeResizer
      minWidth={least.width}
      minHeight={least.height}
      maxWidth={sizes.most}
      maxHeight={sizes.most}
      onResize={(_event, at) => resize(id, boxOf(at), false)}
      onResizeEnd={(_event, at) => resize(id, boxOf(at), true)}
    />
  )
}
