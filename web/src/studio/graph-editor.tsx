// In charge of the editor of one graph: it saves, runs and forks the graph, and shows the graph's name, description and history.
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { forkName } from '@atelier/contract/names.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { Button, Menu } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { nothingSelected } from '../canvas/canvas.tsx'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { AboutPanel } from '../graph/about-panel.tsx'
import { ChangedElsewhere, DeletedElsewhere } from '../graph/changed-elsewhere.tsx'
import { CheckpointPreview } from '../graph/checkpoint-preview.tsx'
import { Editor } from '../graph/editor.tsx'
import { Forbidden } from '../graph/forbidden.tsx'
import { GoneForGood } from '../graph/gone-for-good.tsx'
import { GraphConflict } from '../graph/graph-conflict.tsx'
import { History } from '../graph/history.tsx'
import { reasonNotToRun } from '../graph/issues.ts'
import { type Graph, graphHistoryQuery, graphQuery } from '../graph/queries.ts'
import { useDescription } from '../graph/use-description.ts'
import { useEditor } from '../graph/use-editor.ts'
import { type Stored, useOthersSave } from '../graph/use-others-save.ts'
import { useRole } from '../graph/use-role.ts'
import { call, callTagged } from '../lib/api.ts'
import { ifMatch } from '../lib/conflict.ts'
import type { Caller } from '../lib/types.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { Icon } from '../ui/icons.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { tell, tellError } from '../ui/toasts.tsx'
import { GraphTitle } from './graph-title.tsx'
import { type About, patchAbout } from './patch-about.ts'
import { RunHere } from './run-here.tsx'
import { useTry } from './use-try.ts'

const route = getRouteApi('/graphs/$graph_id')

/** The scripts of these components are loaded only after the graph is shown, so that the graph appears earlier. */
const TryDock = lazyPart('the results', async () => (await import('./try-dock.tsx')).TryDock)
const RunDialog = lazyDialog(
  'this dialog',
  async () => (await import('../run/run-dialog.tsx')).RunDialog,
  ({ close }) => ({ title: 'Run this graph', close }),
)

type Props = {
  graph: Tagged<Graph>
  types: NodeTypes
  caller: Caller
  /** Restarts the editor with the stored graph, if `mayReplace` returns true once the graph is read. Resolves to whether it did. */
  reload: (mayReplace: () => boolean) => Promise<boolean>
}

export function GraphEditor({ graph: { data: graph, etag }, types, caller, reload }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const role = useRole('graphs:write')
  const mayWrite = role.allows
  const isOwn = caller.user?.id === graph.owner_id
  /** Why the graph is closed, if it was deleted elsewhere while it is open here. */
  const [gone, setGone] = useState<string | null>(null)
  const readOnly = gone ?? readOnlyReason(graph, isOwn, mayWrite)
  const editor = useEditor(
    {
      definition: graph.definition,
      uiState: graph.ui_state,
      etag,
      ...{ readOnly, role },
      save: (patch, etag) =>
        callTagged('patchGraph', {
          params: { graph_id: graph.id },
          body: { ...patch, ...(patch.definition ? { definition: { ...patch.definition } } : {}) } as const,
          headers: ifMatch(etag),
        }),
    },
    types,
  )
  const { autosave } = editor
  const replace = useReplacing(editor, reload)
  const unseen = useOthersSave(graph.id, autosave)
  const goneNow = goneReason(unseen)
  if (goneNow !== gone) setGone(goneNow)
  const isThere = graph.deleted_at === null && gone === null
  const template = useTemplate(graph, editor)
  const { panel, setPanel, openAbout } = usePanel(editor)
  const [isRunning, setIsRunning] = useState(false)
  useEffect(() => whenIdle(() => void RunDialog.preload()), [])
  /** Saves other parts of the graph than its nodes. From then on, the page continues with the graph that the service has answered. */
  const patch = (body: About) =>
    autosave.writeBetween(async (etag) => {
      const { saved, next } = await patchAbout(graph, body, etag)
      // A closed editor has marked the cached graph as outdated, and it must stay so: the last changes may be saved after this.
      if (autosave.isOpen()) client.setQueryData(graphQuery(graph.id).queryKey, saved)
      return { etag: next }
    })
  const description = useDescription(graph, (description) => patch({ description }))
  /** Makes a fork, and opens it unless the user has left this graph meanwhile. `make` returns null if none is to be made any more. */
  const openFork = async (make: () => Promise<Graph | null>) => {
    try {
      const made = await make()
      if (made === null) return
      void client.invalidateQueries({ queryKey: ['graphs'] })
      tell(`“${made.name}” is yours`)
      // While another page is loading, the address is that page's already, but this editor is still open.
      if (!autosave.isOpen() || !location.pathname.endsWith(graph.id)) return
      await navigate({ to: '/graphs/$graph_id', params: { graph_id: made.id }, ignoreBlocker: true })
    } catch (error) {
      tellError(error, 'Not forked')
    }
  }
  const fork = () =>
    openFork(async () => {
      const isSaved = await editor.saveAll()
      if (!autosave.isOpen()) return null
      if (!isSaved) throw new Error('Your last changes are not saved, and the fork would lack them.')
      return call('forkGraph', { params: { graph_id: graph.id } })
    })
  /** Makes a graph of what this page has, in a conflict with what is stored, also if the page was left: it may be nowhere else. */
  const keepMine = () =>
    openFork(async () => {
      await editor.saveAll()
      const body = { name: forkName(graph.name, '(mine)'), description: description.text, ...editor.asGraph() }
      const made = await call('createGraph', { body })
      description.forget()
      return made
    })
  const mayRun = caller.scopes.includes('runs:write') && graph.deleted_at === null
  const trying = useTryHere(graph, editor)
  const blocked = gone ?? reasonNotToRun(editor.issues)
  const resultsOf =
    trying.id === null
      ? null
      : (selected: string | null) => <TryDock trying={trying} views={editor.views} selected={selected} />
  const about = { editor, title: 'About this graph', description, mayDescribe: readOnly === null }
  return (
    <>
      <Editor
        editor={editor}
        trying={mayRun ? { ...trying, blocked, resultsOf } : null}
        title={
          <GraphTitle {...{ graph, readOnly }} isTemplate={template.isTemplate} rename={(name) => patch({ name })} />
        }
        banner={
          <Banner
            {...{ graph, editor, caller, mayWrite, unseen, replace }}
            fork={() => void fork()}
            keep={() => void keepMine()}
          />
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<NodeIcon name="history" size={14} />}
              onClick={() => setPanel((before) => (before === 'history' ? null : 'history'))}
            >
              History
            </Button>
            <Menu width={210}>
              <Menu.Target>
                <Button variant="default" rightSection={<Icon name="chevron" size={14} />}>
                  More
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<Icon name="run" />}
                  renderRoot={(props) => <Link to="/runs" search={{ graph: graph.id }} {...props} />}
                >
                  Its runs
                </Menu.Item>
                <Menu.Item leftSection={<Icon name="help" />} onClick={openAbout}>
                  About this graph
                </Menu.Item>
                {mayWrite && isThere ? (
                  <Menu.Item leftSection={<NodeIcon name="fork" />} onClick={() => void fork()}>
                    Fork
                  </Menu.Item>
                ) : null}
                {mayWrite && isOwn && isThere ? <TemplateItem {...template} /> : null}
              </Menu.Dropdown>
            </Menu>
            {mayRun ? (
              <RunHere {...{ trying, blocked, editor }} node={soleOf(editor)} forTask={() => setIsRunning(true)} />
            ) : null}
          </>
        }
        about={<AboutPanel {...about} />}
        aside={
          panel === 'history' ? (
            <GraphHistory graph={graph} editor={editor} replace={replace} close={() => setPanel(null)} />
          ) : panel === 'about' ? (
            <AboutPanel {...about} close={() => setPanel(null)} />
          ) : null
        }
        closeAside={() => setPanel(null)}
      />
      {isRunning ? (
        <RunDialog graphId={graph.id} blocked={blocked} before={editor.saveAll} close={() => setIsRunning(false)} />
      ) : null}
    </>
  )
}

/** Which panel of the page is open beside the canvas, and how to open the one about the graph, for which a phone has no room at first. */
function usePanel({ selection, setSelection }: ReturnType<typeof useEditor>) {
  const [panel, setPanel] = useState<'history' | 'about' | null>(null)
  const hasSelection = selection.nodes.size > 0
  useEffect(() => {
    // The panel of what is selected takes the place of the one about the graph.
    if (hasSelection) setPanel((before) => (before === 'about' ? null : before))
  }, [hasSelection])
  const openAbout = () => {
    setSelection(nothingSelected)
    setPanel('about')
  }
  return { panel, setPanel, openAbout }
}

type BannerProps = {
  graph: Graph
  editor: ReturnType<typeof useEditor>
  caller: Caller
  mayWrite: boolean
  unseen: Stored | null
  replace: ReturnType<typeof useReplacing>
  fork: () => void
  keep: () => void
}

function Banner({ graph, editor, caller, mayWrite, unseen, replace, fork, keep }: BannerProps) {
  if (editor.autosave.state.kind === 'conflict') {
    return <GraphConflict {...{ graph, editor, caller, keep }} />
  }
  if (editor.autosave.state.kind === 'forbidden') return <Forbidden what="graph" editor={editor} />
  if (unseen?.isPurged)
    return <GoneForGood what="graph" keep={mayWrite ? keep : null} keepLabel="Keep mine as a fork" />
  if (unseen?.deletedAt) return <DeletedElsewhere deletedAt={unseen.deletedAt} keep={mayWrite ? keep : null} />
  return (
    <>
      {unseen === null ? null : (
        <ChangedElsewhere
          {...{ graphId: graph.id, revision: unseen.revision, caller }}
          show={() => void replace().catch((error: unknown) => tellError(error, 'Not shown'))}
        />
      )}
      {editor.readOnly === null ? null : (
        <div className="banner" data-tone="quiet">
          <p>{editor.readOnly}</p>
          {mayWrite && graph.deleted_at === null ? (
            <Button leftSection={<NodeIcon name="fork" size={14} />} onClick={fork}>
              Fork to edit
            </Button>
          ) : null}
        </div>
      )}
    </>
  )
}

/**
 * Returns a function that shows the stored graph in place of the editor's document, after it has awaited `change`, a request that
 * changes the stored graph. Changes that are not saved are never thrown away, nor files that are uploading: if they cannot be saved
 * first, the function throws; if the user makes some meanwhile, the document stays, and its next save leads to a conflict, in which
 * the user chooses. Resolves to whether the stored graph is shown.
 */
function useReplacing({ doc, uploads, saveAll, readOnly }: ReturnType<typeof useEditor>, reload: Props['reload']) {
  const latest = useRef({ doc, uploads })
  latest.current = { doc, uploads }
  /** `replaced` is called right before the editor restarts, and only if it does. */
  return async (change?: () => Promise<unknown>, replaced?: () => void): Promise<boolean> => {
    if (readOnly === null && !(await saveAll()))
      throw new Error('Your last changes are not saved and would be lost. Save or undo them first.')
    const saved = latest.current.doc
    await change?.()
    return reload(() => {
      const may = readOnly !== null || (latest.current.doc === saved && !latest.current.uploads.isUploading)
      if (may) replaced?.()
      return may
    })
  }
}

/** Runs the graph in the editor. The address contains the id of the displayed run, so that a reload of the page shows it again. */
function useTryHere({ id: graph_id }: Graph, { doc, autosave, saveAll, readOnly }: ReturnType<typeof useEditor>) {
  const { run } = route.useSearch()
  const navigate = useNavigate()
  return useTry({
    ...{ graphId: graph_id, doc, id: run ?? null },
    show: (id) => {
      // A run may be made, or started, after the user has gone on to another page.
      if (!autosave.isOpen()) return
      void navigate({
        to: '/graphs/$graph_id',
        params: { graph_id },
        search: id === null ? {} : { run: id },
        replace: true,
      })
    },
    save: readOnly === null ? saveAll : () => Promise.resolve(true),
  })
}

/** Returns the id of the selected node if exactly one node is selected, else null. */
function soleOf({ selection, views }: ReturnType<typeof useEditor>): string | null {
  const [only, ...others] = selection.nodes
  return only !== undefined && others.length === 0 && views.has(only) ? only : null
}

function goneReason(unseen: Stored | null): string | null {
  if (unseen?.isPurged) return 'This graph is deleted for good. Nothing of it can be saved or run.'
  return unseen?.deletedAt ? 'This graph was deleted. Nothing of it can be saved or run unless it is restored.' : null
}

function readOnlyReason(graph: Graph, isOwn: boolean, mayWrite: boolean): string | null {
  if (graph.deleted_at !== null) return 'This graph is deleted. Its owner can restore it from the list of graphs.'
  if (!mayWrite) return 'You may look at graphs, and not change them.'
  return isOwn ? null : 'This graph is somebody else’s. Fork it to have one of your own.'
}

/**
 * Returns whether the graph is a template, and how to change that. The editor keeps it, because the menu that changes it is gone as
 * soon as it closes.
 */
function useTemplate(graph: Graph, editor: ReturnType<typeof useEditor>) {
  const [isTemplate, setIsTemplate] = useState(graph.template)
  useEffect(() => setIsTemplate(graph.template), [graph])
  const toggle = async () => {
    try {
      const params = { graph_id: graph.id }
      await editor.autosave.writeBetween((etag) =>
        callTagged('patchGraph', { params, body: { template: !isTemplate }, headers: ifMatch(etag) }),
      )
      setIsTemplate(!isTemplate)
      tell(isTemplate ? 'No longer listed as a template' : 'Listed as a template now')
    } catch (error) {
      tellError(error)
    }
  }
  return { isTemplate, toggle }
}

function TemplateItem({ isTemplate, toggle }: ReturnType<typeof useTemplate>) {
  return (
    <Menu.Item leftSection={<Icon name="bookmark" />} onClick={() => void toggle()}>
      {isTemplate ? 'No template any more' : 'Make it a template'}
    </Menu.Item>
  )
}

type HistoryProps = {
  graph: Graph
  editor: ReturnType<typeof useEditor>
  replace: ReturnType<typeof useReplacing>
  close: () => void
}

function GraphHistory({ graph, editor, replace, close }: HistoryProps) {
  const history = useInfiniteQuery(graphHistoryQuery(graph.id))
  const restore = async (at: string) => {
    try {
      const isShown = await replace(
        () =>
          call('restoreGraphHistory', {
            params: { graph_id: graph.id },
            body: { at },
            headers: ifMatch(editor.autosave.etag()),
          }),
        () => editor.unread.forgetKept(),
      )
      tell(
        isShown
          ? 'The graph is as it stood then'
          : 'The graph is as it stood then, without what you have changed meanwhile: choose what to keep of each',
      )
    } catch (error) {
      tellError(error, 'Not restored')
    }
  }
  return (
    <History
      what="graph"
      isNewestNow
      entries={history.data?.pages.flatMap(({ items }) => items)}
      error={history.error}
      retry={() => void history.refetch()}
      more={history.hasNextPage ? () => void history.fetchNextPage() : null}
      refusal={editor.readOnly}
      restore={restore}
      preview={(at) => <CheckpointPreview {...{ graph, at, editor }} />}
      close={close}
    />
  )
}
