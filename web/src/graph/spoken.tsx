// In charge of what screen readers speak of the canvas, on which they see nothing: what has been added or removed, and what is selected.
import { useState } from 'react'
import { type Annotation, annotationName } from '../canvas/annotations.ts'
import type { CardView } from '../canvas/cards.ts'
import { Told } from '../ui/told.tsx'
import { changeSpoken } from './change-spoken.ts'
import type { Editor } from './use-editor.ts'

/** `view`, `annotation`: what alone is selected, if so. */
type Props = { editor: Editor; view: CardView | undefined; annotation: Annotation | undefined }

export function Spoken({ editor, view, annotation }: Props) {
  const change = useChange(editor.doc)
  const issues = view ? (editor.perNode.get(view.id)?.length ?? 0) : 0
  const selected = annotation
    ? annotationName(annotation)
    : view
      ? `${view.id}, ${view.title}. ${issues} ${issues === 1 ? 'issue' : 'issues'}.`
      : ''
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        <Told {...change} />
      </p>
      <p className="visually-hidden" aria-live="polite">
        {selected}
      </p>
    </>
  )
}

function useChange(doc: Editor['doc']): { words: string; count: number } {
  const [last, setLast] = useState({ doc, words: '', count: 0 })
  if (last.doc !== doc) {
    const words = changeSpoken(last.doc, doc)
    setLast(words === '' ? { ...last, doc } : { doc, words, count: last.count + 1 })
  }
  return last
}
