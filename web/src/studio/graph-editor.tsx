// In charge of the editor of one graph: it saves, runs and forks the graph, and shows the graph's name, description and history.
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { forkName } from '@atelier/contract/names.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { Anchor, Button, Menu, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { Raw } from '../canvas/doc.ts'
import { layoutOf } from '../canvas/layout.ts'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { AboutPanel } from '../graph/about-panel.tsx'
import { CheckpointPreview } from '../graph/checkpoint-preview.tsx'
import { Editor } from '../graph/editor.tsx'
import { GraphConflict } from '../graph/graph-conflict.tsx'
import { History } from '../graph/history.tsx'
import { type Graph, graphHistoryQuery } from '../graph/queries.ts'
import { useEditor } from '../graph/use-editor.ts'
import { useOthersSave } from '../graph/use-others-save.ts'
import { call, callTagged } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import type { Caller } from '../lib/types.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { tell, tellError } from '../ui/toasts.tsx'
import { RunHere } from './run-here.tsx'
import { useTry } from './use-try.ts'

const route = getRouteApi('/graphs/$graph_id')

/** The scripts of these components are loaded only after the graph is shown, so that the graph appears earlier. */
const TryDock = lazyRouteComponent(() => import('./try-dock.tsx'), 'TryDock')
const RunDialog = lazyRouteComponent(() => import('../run/run-dialog.tsx'), 'RunDialog')

type Props = { graph: Tagged<Graph>; types: NodeTypes; caller: Caller; reload: () => Promise<void> }

export function GraphEditor({ graph: { data: graph, etag }, types, caller, reload }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayWrite = caller.scopes.includes('graphs:write')
  const isOwn = caller.user?.id === graph.owner_id
  const readOnly = readOnlyReason(graph, isOwn, mayWrite)
  const editor = useEditor(
    {
      definition: graph.definition,
      uiState: graph.ui_state,
      etag,
      readOnly,
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
  const isOld = useOthersSave(graph.id, autosave)
  const template = useTemplate(graph, editor)
  const [hasHistory, setHasHistory] = useState(false)
  const [isRunning, setIsRunning] = useState(false)
  useEffect(() => whenIdle(() => void RunDialog.preload?.()), [])
  const fork = async (content?: { definition: Raw }) => {
    try {
      const isSaved = await autosave.flush()
      if (!content && !isSaved) throw new Error('Your last changes are not saved, and the fork would lack them.')
      const made = content
        ? await call('createGraph', {
            body: {
              name: forkName(graph.name, '(mine)'),
              description: graph.description,
              definition: { ...content.definition },
              ui_state: layoutOf({ ...editor.doc, positions: editor.positions }, {}),
            },
          })
        : await call('forkGraph', { params: { graph_id: graph.id } })
      void client.invalidateQueries({ queryKey: ['graphs'] })
      tell(`“${made.name}” is yours`)
      await navigate({ to: '/graphs/$graph_id', params: { graph_id: made.id }, ignoreBlocker: true })
    } catch (error) {
      tellError(error, 'Not forked')
    }
  }
  const describe = async (description: string): Promise<boolean> => {
    try {
      await autosave.writeBetween((etag) =>
        callTagged('patchGraph', { params: { graph_id: graph.id }, body: { description }, headers: ifMatch(etag) }),
      )
      return true
    } catch (error) {
      tellError(error, 'Not saved')
      return false
    }
  }
  const mayRun = caller.scopes.includes('runs:write') && graph.deleted_at === null
  const trying = useTryHere(graph, editor)
  const blocked = editor.issues.length > 0 ? 'Resolve the issues first: they keep it from running.' : null
  const resultsOf =
    trying.id === null
      ? null
      : (selected: string | null) => (
          <Suspense fallback={null}>
            <TryDock trying={trying} views={editor.views} selected={selected} />
          </Suspense>
        )
  return (
    <>
      <Editor
        editor={editor}
        trying={mayRun ? { ...trying, blocked, resultsOf } : null}
        title={<Title {...{ graph, editor, readOnly }} isTemplate={template.isTemplate} />}
        banner={
          <Banner
            {...{ graph, editor, caller, mayWrite, isOld }}
            reload={() => void reload()}
            fork={(definition) => void fork(definition)}
          />
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<NodeIcon name="history" size={14} />}
              onClick={() => setHasHistory((before) => !before)}
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
                {mayWrite && graph.deleted_at === null ? (
                  <Menu.Item leftSection={<NodeIcon name="fork" />} onClick={() => void fork()}>
                    Fork
                  </Menu.Item>
                ) : null}
                {isOwn && graph.deleted_at === null ? <TemplateItem {...template} /> : null}
              </Menu.Dropdown>
            </Menu>
            {mayRun ? (
              <RunHere {...{ trying, blocked, editor }} node={soleOf(editor)} forTask={() => setIsRunning(true)} />
            ) : null}
          </>
        }
        about={
          <AboutPanel
            editor={editor}
            title="About this graph"
            description={graph.description}
            save={readOnly === null ? describe : null}
          />
        }
        aside={
          hasHistory ? (
            <GraphHistory graph={graph} editor={editor} reload={reload} close={() => setHasHistory(false)} />
          ) : null
        }
        closeAside={() => setHasHistory(false)}
      />
      {isRunning ? (
        <Suspense fallback={null}>
          <RunDialog graphId={graph.id} blocked={blocked} before={autosave.flush} close={() => setIsRunning(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

type BannerProps = {
  graph: Graph
  editor: ReturnType<typeof useEditor>
  caller: Caller
  mayWrite: boolean
  isOld: boolean
  reload: () => void
  fork: (content?: { definition: Raw }) => void
}

function Banner({ graph, editor, caller, mayWrite, isOld, reload, fork }: BannerProps) {
  if (editor.autosave.state.kind === 'conflict') {
    return <GraphConflict {...{ graph, editor, caller, fork }} />
  }
  return (
    <>
      {isOld ? (
        <div className="banner" data-tone="warn" role="status">
          <Icon name="warning" />
          <p>
            <strong>Somebody else has changed this graph.</strong> Here it stands as it was before.
          </p>
          <Button variant="default" onClick={reload}>
            Show theirs
          </Button>
        </div>
      ) : null}
      {editor.readOnly === null ? null : (
        <div className="banner" data-tone="quiet">
          <p>{editor.readOnly}</p>
          {mayWrite && graph.deleted_at === null ? (
            <Button leftSection={<NodeIcon name="fork" size={14} />} onClick={() => fork()}>
              Fork to edit
            </Button>
          ) : null}
        </div>
      )}
    </>
  )
}

/** Runs the graph in the editor. The address contains the id of the displayed run, so that a reload of the page shows it again. */
function useTryHere({ id: graph_id }: Graph, { doc, autosave, readOnly }: ReturnType<typeof useEditor>) {
  const { run } = route.useSearch()
  const navigate = useNavigate()
  return useTry({
    ...{ graphId: graph_id, doc, id: run ?? null },
    show: (id) =>
      void navigate({
        to: '/graphs/$graph_id',
        params: { graph_id },
        search: id === null ? {} : { run: id },
        replace: true,
      }),
    save: readOnly === null ? autosave.flush : () => Promise.resolve(true),
  })
}

/** Returns the id of the selected node if exactly one node is selected, else null. */
function soleOf({ selection, views }: ReturnType<typeof useEditor>): string | null {
  const [only, ...others] = selection.nodes
  return only !== undefined && others.length === 0 && views.has(only) ? only : null
}

const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })

function readOnlyReason(graph: Graph, isOwn: boolean, mayWrite: boolean): string | null {
  if (graph.deleted_at !== null) return 'This graph is deleted. Its owner can restore it from the list of graphs.'
  if (!mayWrite) return 'You may look at graphs, and not change them.'
  return isOwn ? null : 'This graph is somebody else’s. Fork it to have one of your own.'
}

type TitleProps = Pick<BannerProps, 'graph' | 'editor'> & { readOnly: string | null; isTemplate: boolean }

function Title({ graph, editor, readOnly, isTemplate }: TitleProps) {
  const [name, setName] = useState(graph.name)
  const [kept, setKept] = useState(graph.name)
  const [error, setError] = useState<string | null>(null)
  // If another person renames the graph, the field shows the new name, unless the user has typed something else in it.
  useEffect(() => {
    setName((before) => (before === kept ? graph.name : before))
    setKept(graph.name)
  }, [graph])
  const save = async () => {
    const next = name.trim()
    if (next === '' || next === kept) return setName(kept)
    try {
      const params = { graph_id: graph.id }
      await editor.autosave.writeBetween((etag) =>
        callTagged('patchGraph', { params, body: { name: next }, headers: ifMatch(etag) }),
      )
      setKept(next)
      setError(null)
    } catch (problem) {
      setError(wordsOf(problem))
    }
  }
  return (
    <div className="studio-title">
      <h1 className="visually-hidden">{kept}</h1>
      <Anchor className="crumb" renderRoot={(props) => <Link to="/graphs" {...props} />}>
        Graphs
      </Anchor>
      <span aria-hidden="true">/</span>
      <TextInput
        size="sm"
        variant="unstyled"
        classNames={{ input: 'title-input' }}
        aria-label="Name of the graph"
        maxLength={255}
        readOnly={readOnly !== null}
        error={error}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isCommand(event)) event.currentTarget.blur()
        }}
      />
      {isTemplate ? (
        <span className="mark" data-tone="accent">
          Template
        </span>
      ) : null}
      {graph.forked_from ? (
        <Anchor
          className="mark"
          renderRoot={(props) => (
            <Link to="/graphs/$graph_id" params={{ graph_id: graph.forked_from ?? '' }} {...props} />
          )}
        >
          Fork of another graph
        </Anchor>
      ) : null}
    </div>
  )
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
  reload: () => Promise<void>
  close: () => void
}

function GraphHistory({ graph, editor, reload, close }: HistoryProps) {
  const history = useInfiniteQuery(graphHistoryQuery(graph.id))
  const restore = async (at: string) => {
    try {
      await editor.autosave.flush()
      await call('restoreGraphHistory', {
        params: { graph_id: graph.id },
        body: { at },
        headers: ifMatch(editor.autosave.etag()),
      })
      await reload()
      tell('The graph is as it stood then')
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
      preview={(at) => <CheckpointPreview graphId={graph.id} at={at} now={editor.doc} />}
      close={close}
    />
  )
}
