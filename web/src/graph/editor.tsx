// In charge of the editor for graphs and for the definitions of runs: palette, canvas and inspector show the same document.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Annotation, annotationOf } from '../canvas/annotations.ts'
import { Canvas, type MenuSubject, nothingSelected, onlyNode, type Spot } from '../canvas/canvas.tsx'
import type { CardView } from '../canvas/cards.ts'
import { useFocusToCanvas } from '../canvas/use-canvas-focus.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { setPageShortcuts } from '../ui/shortcut-help.tsx'
import { Empty } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'
import { CanvasMenu } from './canvas-menu.tsx'
import './editor.css'
import type { End } from '../canvas/connecting.ts'
import { nameNow } from './edit.ts'
import { EditorTools } from './editor-tools.tsx'
import './notes.css'
import './panels.css'
import { editorShortcuts } from './editor-keys.ts'
import { IssuesPanel } from './issues-panel.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { Palette } from './palette.tsx'
import { type Asked, QuickAdd } from './quick-add.tsx'
import { RemovedUploads } from './removed-uploads.tsx'
import { SaveMark } from './save-mark.tsx'
import { Spoken } from './spoken.tsx'
import type { Trying } from './trying.ts'
import type { Editor as EditorState } from './use-editor.ts'
import { useEditorKeys } from './use-editor-keys.ts'
import { UploadContext } from './use-editor-uploads.ts'

/** Scripts that load after the canvas, so that graphs open sooner: the first when the browser is idle, the second when needed. */
const Inspector = lazyPart('the inspector', async () => (await import('./inspector.tsx')).Inspector)
const AnnotationPanel = lazyPart('the inspector', async () => (await import('./annotation-panel.tsx')).AnnotationPanel)

type Props = {
  editor: EditorState
  /** The runs that the user starts in the editor, whose results the canvas shows; null if the user cannot start runs here. */
  trying: Trying | null
  title: ReactNode
  /** Buttons of the page, which are shown in the editor's bar. */
  actions: ReactNode
  banner: ReactNode
  /** The panel beside the canvas while nothing is selected, so that the canvas keeps its size when a node is selected. */
  about: ReactNode
  /** A panel of the page, such as the history, that is shown instead of the inspector. */
  aside: ReactNode
  closeAside: () => void
}

export function Editor({ editor, trying, title, actions, banner, about, aside, closeAside }: Props) {
  const { dispatch, selection, views, definition, readOnly, autosave } = editor
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false })
  const [hasPalette, setHasPalette] = useState(readOnly === null && !isNarrow && (isWide || views.size === 0))
  const [hasIssues, setHasIssues] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const offers = useOffers(editor, trying)
  const side = useRef<HTMLDivElement>(null)
  const { only, view, annotation } = soleOf(editor)
  const { showAbove } = editor
  useEffect(() => {
    if (isNarrow && only !== undefined) showAbove(only)
    // `showAbove` is left out of the list on purpose: it changes at every edit, and only a new selection may move the canvas.
  }, [isNarrow, only])
  const endStep = () => dispatch({ type: 'endStep' })
  const shown = view?.id ?? (annotation && only)
  // A field that disappears with what was selected may be gone without a blur event.
  useEffect(endStep, [shown])
  useEffect(() => setPageShortcuts(editorShortcuts), [])
  useEffect(() => whenIdle(() => void Inspector.preload()), [])
  const findType = () => {
    // `flushSync` draws the search field now, so that it gets the focus at once: the user may already be typing.
    flushSync(() => setHasPalette(true))
    search.current?.focus()
  }
  useEditorKeys(editor, {
    palette: findType,
    inspector: () => side.current?.querySelector<HTMLElement>('.side-scroll :is(input, textarea, button)')?.focus(),
    issues: () => setHasIssues((before) => !before),
    run: (upTo) => startHere(trying, upTo),
    leadOn: offers.leadOn,
    menu: offers.menuOf,
    leave: () => {
      setHasIssues(false)
      closeAside()
    },
  })
  const labelOf = useWireLabels(editor, trying?.run ?? null)
  const keepFocus = useFocusToCanvas()
  const add = (type: string) => {
    editor.addType(type)
    if (isNarrow) setHasPalette(false)
  }
  return (
    <div className="studio" {...keepFocus}>
      <div className="studio-bar">
        {title}
        <SaveMark state={autosave.state} readOnly={readOnly} retry={() => void autosave.flush()} />
        <LeaveGuard {...editor.uploads} autosave={autosave} />
        <EditorTools
          editor={editor}
          togglePalette={() => setHasPalette((before) => !before)}
          toggleIssues={() => setHasIssues((before) => !before)}
        />
        <div className="studio-actions">{actions}</div>
      </div>
      {banner}
      <RemovedUploads editor={editor} />
      <div className="studio-body">
        {hasPalette && readOnly === null ? (
          <Palette types={editor.types} add={add} close={() => setHasPalette(false)} field={search} />
        ) : null}
        <section className="studio-canvas" aria-label="Graph">
          <Canvas
            mode={trying?.run ? 'try' : 'edit'}
            {...(trying?.run ? { briefOf: trying.briefOf } : {})}
            views={views}
            positions={editor.positions}
            edges={definition.edges}
            annotations={editor.doc.annotations}
            selection={selection}
            onSelect={editor.setSelection}
            labelOf={labelOf}
            issueCount={editor.issueCount}
            viewport={editor.viewport.current}
            onViewport={(viewport) => {
              editor.viewport.current = viewport
            }}
            {...(readOnly === null
              ? {
                  editing: {
                    move: (positions) => dispatch({ type: 'move', positions }),
                    resize: editor.annotate,
                    held: editor.held,
                    write: editor.write,
                    connect: editor.connect,
                    joinOf: editor.joinOf,
                    refused: (why) => tellError(new Error(why), 'Not connected'),
                    drop: editor.addType,
                    ...offers.editing,
                  },
                }
              : {})}
          />
          {trying?.resultsOf?.(view?.id ?? null)}
          {offers.shown}
          <EmptyCanvas editor={editor} findType={findType} />
          <Spoken {...{ editor, view, annotation }} />
          {readOnly === null ? <SelectionBar editor={editor} /> : null}
        </section>
        {aside || hasIssues || view || annotation || !isNarrow ? (
          <aside className="inspector" ref={side} aria-label="Inspector" onBlur={endStep}>
            {aside ??
              (hasIssues ? (
                <IssuesPanel editor={editor} close={() => setHasIssues(false)} />
              ) : (
                <UploadContext value={formUploads(editor, only ?? '')}>
                  <Selected editor={editor} view={view} annotation={annotation} about={about} />
                </UploadContext>
              ))}
          </aside>
        ) : null}
      </div>
    </div>
  )
}

/**
 * `only`: the id of the node, note or frame that was selected first. Its view or annotation is included only if no other node, note
 * or frame is selected.
 */
function soleOf({ selection, views, doc }: EditorState) {
  const [only, ...others] = selection.nodes
  if (only === undefined || others.length > 0) return { only }
  return { only, view: views.get(only), annotation: annotationOf(doc.annotations, only) }
}

const formUploads = ({ uploads, state }: EditorState, node: string) => ({
  ...uploads,
  ...{ node, nameNow: (id: string) => nameNow(state, id) },
})

/** The list of fitting node types, and the context menu. Both open at the pointer, or beside the selected node after a key. */
function useOffers(editor: EditorState, trying: Props['trying']) {
  const { views, selection, setSelection, spotOf } = editor
  const [asked, setAsked] = useState<Asked | null>(null)
  const [menu, setMenu] = useState<{ about: MenuSubject; spot: Spot } | null>(null)
  return {
    editing: {
      leave: (end: End, spot: Spot) => setAsked({ opening: { kind: 'end', end }, spot }),
      search: (spot: Spot) => setAsked({ opening: { kind: 'place' }, spot }),
      menu: (about: MenuSubject, spot: Spot) => {
        if (about.kind === 'node' && !selection.nodes.has(about.id)) setSelection(onlyNode(about.id))
        setMenu({ about, spot })
      },
    },
    leadOn: (id: string) => {
      const [port] = views.get(id)?.outputs ?? []
      const spot = spotOf(id)
      if (port && spot) setAsked({ opening: { kind: 'end', end: { node: id, port: port.name, side: 'source' } }, spot })
    },
    menuOf: (id: string) => {
      const spot = spotOf(id)
      if (spot) setMenu({ about: { kind: 'node', id }, spot })
    },
    shown: (
      <>
        {asked ? <QuickAdd {...asked} editor={editor} close={() => setAsked(null)} /> : null}
        {menu ? (
          <CanvasMenu {...menu} editor={editor} trying={trying} ask={setAsked} close={() => setMenu(null)} />
        ) : null}
      </>
    ),
  }
}

/** Starts a run up to the node `upTo`; null starts a run of all nodes. Where it cannot be started, a message says why. */
function startHere(trying: Props['trying'], upTo: string | null): void {
  if (!trying || trying.isBusy) return
  if (trying.blocked !== null) tellError(new Error(trying.blocked), 'Not started')
  else void trying.start(upTo === null ? {} : { targets: [upTo] })
}

/** Returns a function for the label of a wire. If a run is shown, the label states the number of elements in this run. */
function useWireLabels({ labelOf }: EditorState, run: Trying['run']) {
  const nodes = run?.nodes
  return useCallback(
    (edge: GraphEdge) => {
      const label = labelOf(edge)
      const items = label === null ? undefined : nodes?.[edge.to.node]?.items
      const count = items && Object.keys(items).length
      return count ? `× ${count}` : label
    },
    [labelOf, nodes],
  )
}

type SelectedProps = {
  editor: EditorState
  view: CardView | undefined
  annotation: Annotation | undefined
  about: ReactNode
}

function Selected({ editor, view, annotation, about }: SelectedProps) {
  const [id] = editor.selection.nodes
  if (annotation && id !== undefined) {
    return <AnnotationPanel key={id} {...{ editor, id, annotation }} />
  }
  const node = view && editor.definition.nodes[view.id]
  if (!view || !node) return about
  return <Inspector editor={editor} view={view} node={node} close={() => editor.setSelection(nothingSelected)} />
}

function SelectionBar({ editor: { selection, duplicate, remove } }: { editor: EditorState }) {
  const count = selection.nodes.size + selection.edges.size
  if (count < 2 && selection.edges.size === 0) return null
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selection">
      <span>{count} selected</span>
      {selection.nodes.size > 0 ? (
        <Button size="compact-xs" variant="default" onClick={duplicate}>
          Duplicate
        </Button>
      ) : null}
      <Button size="compact-xs" variant="default" color="red" onClick={remove}>
        Remove
      </Button>
    </div>
  )
}

function EmptyCanvas({ editor, findType }: { editor: EditorState; findType: () => void }) {
  const { views, doc, readOnly } = editor
  if (views.size + Object.keys(doc.annotations).length > 0) return null
  return (
    <div className="canvas-empty">
      <Empty
        icon="graph"
        title="No nodes yet"
        action={readOnly === null ? <Button onClick={findType}>Find a node type</Button> : null}
      >
        {readOnly === null
          ? 'Begin with an input, lead it to something that generates, and let a gate ask a person.'
          : ''}
      </Empty>
    </div>
  )
}
