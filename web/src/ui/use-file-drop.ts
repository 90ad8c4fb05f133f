// In charge of files that are dropped on a part of a page.
import { type DragEvent, useState } from 'react'

/**
 * Returns the handlers of an element on which files can be dropped, and whether files are dragged over it. `take`: gets the files;
 * null if the element takes none at present; a drop then has no effect, also not on elements around this one.
 */
export function useFileDrop(take: ((files: File[]) => void) | null) {
  const [isOver, setIsOver] = useState(false)
  /** Whether the event is about files, and about this element: events of dialogs that it opened come through React, too. */
  const isMine = ({ dataTransfer, target, currentTarget }: DragEvent) =>
    dataTransfer.types.includes('Files') && target instanceof Node && currentTarget.contains(target)
  const over = (event: DragEvent) => {
    // An element inside this one has handled the event already.
    if (event.defaultPrevented || !isMine(event)) return setIsOver(false)
    event.preventDefault()
    event.dataTransfer.dropEffect = take ? 'copy' : 'none'
    setIsOver(take !== null)
  }
  const handlers = {
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
    },
    onDrop: (event: DragEvent) => {
      setIsOver(false)
      if (event.defaultPrevented || !isMine(event)) return
      event.preventDefault()
      const files = [...event.dataTransfer.files]
      if (files.length > 0) take?.(files)
    },
  }
  return { isOver, handlers }
}
