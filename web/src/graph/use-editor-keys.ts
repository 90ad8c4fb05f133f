// In charge of performing the keyboard shortcuts of the editor. `editor-keys.ts` decides what a key means.
import { useEffect, useRef } from 'react'
import { neighbour } from '../canvas/arrange.ts'
import { nothingSelected, onlyNode } from '../canvas/canvas.tsx'
import { type Clip, clipText, idsIn, isEmpty, readClip } from '../canvas/clip.ts'
import { useFit } from '../canvas/use-fit.ts'
import { elsewhere } from '../ui/page-keys.ts'
import { tell } from '../ui/toasts.tsx'
import { type KeyMeaning, meaningOf, scrollAreas, scrollsArea } from './editor-keys.ts'
import type { Editor } from './use-editor.ts'

type Panels = { palette: () => void; inspector: () => void; issues: () => void; leave: () => void } & {
  /** Starts a run up to the node with this id; null starts a run of all nodes. */
  run: (upTo: string | null) => void
  leadOn: (id: string) => void
  menu: (id: string) => void
}

export function useEditorKeys(editor: Editor, panels: Panels): void {
  const fit = useFit()
  const latest = useRef<(meaning: KeyMeaning) => boolean>(() => false)
  latest.current = (meaning) => act(meaning, editor, panels, () => fit({ padding: 0.16 }))
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.defaultPrevented || target?.closest(elsewhere)) return
      if (scrollsArea(event, target?.closest(scrollAreas))) return
      const meaning = meaningOf(event)
      // Buttons and links handle Enter themselves.
      if (!meaning || (meaning.kind === 'open' && target?.closest('button, a, summary'))) return
      if (latest.current(meaning)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  useClipboard(editor)
}

/** The last clip that was copied in this browser tab, as text. It is pasted if the clipboard holds no text or cannot be read. */
let held = ''

function useClipboard(editor: Editor): void {
  const latest = useRef(editor)
  latest.current = editor
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const { copied, selection, removeAll, readOnly } = latest.current
      const target = event.target instanceof Element ? event.target : null
      const isText = target?.closest(elsewhere) || (getSelection()?.toString() ?? '') !== ''
      if (isText || selection.nodes.size === 0) return
      const clip = copied()
      held = clipText(clip)
      event.clipboardData?.setData('text/plain', held)
      event.preventDefault()
      if (event.type === 'cut' && readOnly === null) removeAll(idsIn(clip))
      tell(`${clipWords(clip)} copied`)
    }
    const onPaste = (event: ClipboardEvent) => {
      const { paste, readOnly } = latest.current
      const target = event.target instanceof Element ? event.target : null
      // A table in the inspector prevents the default action if it takes the pasted cells itself.
      if (event.defaultPrevented || target?.closest(elsewhere) || readOnly !== null) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const clip = readClip(text === '' ? held : text)
      if (!clip || isEmpty(clip)) return
      event.preventDefault()
      if (paste(clip)) tell(`${clipWords(clip)} pasted`)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}

function clipWords({ nodes, annotations }: Clip): string {
  const kinds = Object.values(annotations).map(({ kind }) => kind)
  const counts = [
    [Object.keys(nodes).length, 'node'],
    [kinds.filter((kind) => kind === 'note').length, 'note'],
    [kinds.filter((kind) => kind === 'frame').length, 'frame'],
  ] as const
  return counts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}${count === 1 ? '' : 's'}`)).join(', ')
}

/**
 * Performs the action of a key; returns false if the browser may react to the key too. Copying, cutting and pasting are not done
 * here but in `useClipboard`, in the clipboard events that the browser sends after these keys.
 */
function act(meaning: KeyMeaning, editor: Editor, panels: Panels, fit: () => void): boolean {
  const { dispatch, doc, selection, setSelection, views, readOnly } = editor
  const mayEdit = readOnly === null
  switch (meaning.kind) {
    case 'copy':
    case 'cut':
    case 'paste':
      return false
    case 'walk':
      return walk(meaning.direction, editor)
    case 'nudge':
      if (mayEdit) editor.nudge(steps[meaning.direction])
      return mayEdit && selection.nodes.size > 0
    case 'note':
    case 'frame':
    case 'arrange':
    case 'palette':
      return mayEdit && build(meaning.kind, editor, panels)
    case 'undo':
    case 'redo':
      if (mayEdit) dispatch({ type: meaning.kind })
      return true
    case 'duplicate':
      if (mayEdit && selection.nodes.size > 0) editor.duplicate()
      return true
    case 'remove':
      if (mayEdit) editor.remove()
      return mayEdit
    case 'all':
      setSelection({ nodes: new Set([...views.keys(), ...Object.keys(doc.annotations)]), edges: new Set() })
      return true
    case 'open':
      if (selection.nodes.size === 1) panels.inspector()
      return selection.nodes.size === 1
    case 'issues':
      panels.issues()
      return true
    case 'run':
    case 'runTo':
    case 'leadOn':
    case 'menu':
      return actOnNode(meaning.kind, editor, panels)
    case 'leave':
      panels.leave()
      setSelection(nothingSelected)
      return true
    case 'fit':
      fit()
      return true
  }
}

function build(kind: 'note' | 'frame' | 'arrange' | 'palette', editor: Editor, panels: Panels): true {
  if (kind === 'note') editor.addNote()
  else if (kind === 'frame') editor.addFrame()
  else if (kind === 'arrange') editor.arrange()
  else panels.palette()
  return true
}

const step = 20
const steps = {
  left: { x: -step, y: 0 },
  right: { x: step, y: 0 },
  up: { x: 0, y: -step },
  down: { x: 0, y: step },
} as const

function actOnNode(kind: 'run' | 'runTo' | 'leadOn' | 'menu', editor: Editor, panels: Panels): boolean {
  const id = [...editor.selection.nodes].at(-1)
  if (kind === 'run') panels.run(null)
  else if (id === undefined) return false
  else if (kind !== 'menu' && !editor.views.has(id)) return false
  else if (kind === 'runTo') panels.run(id)
  else if (editor.readOnly !== null) return false
  else panels[kind](id)
  return true
}

function walk(direction: Parameters<typeof neighbour>[2], editor: Editor): boolean {
  const { selection, boxes, views, show, setSelection } = editor
  const from = [...selection.nodes].at(-1)
  const places = Object.fromEntries([...boxes].map(([id, { box }]) => [id, box]))
  const to =
    from === undefined ? (views.keys().next().value ?? boxes.keys().next().value) : neighbour(places, from, direction)
  if (to === undefined || to === null) return from !== undefined
  setSelection(onlyNode(to))
  show(to)
  return true
}
