// In charge of running the edited graph without leaving the editor. All starts use one run as long as this run can be edited;
// before each start, the run gets the editor's definition.
import { busy, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { createBriefs, type RunBrief } from '../canvas/briefs.ts'
import { type Doc, layoutOf } from '../canvas/layout.ts'
import type { Attempt } from '../graph/trying.ts'
import { call, callTagged } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { useStable } from '../lib/use-stable.ts'
import { startGuarded } from '../money/guarded.ts'
import { type Run, type RunData, runQuery } from '../run/queries.ts'
import { useRun } from '../run/use-run.ts'
import { tellError } from '../ui/toasts.tsx'
import { firstRowOf } from './first-row.ts'

export type EditorRun = ReturnType<typeof useTry>

type Options = {
  graphId: string
  doc: Doc
  /** The id of the displayed run; null if there is none. */
  id: string | null
  show: (id: string | null) => void
  /** Saves the graph, with the files that are uploading; returns whether that succeeded. */
  save: () => Promise<boolean>
}

export function useTry({ graphId, doc, id, show, save }: Options) {
  const client = useQueryClient()
  const run = useRun(id)
  const shown = id === null ? null : (run.data?.data ?? null)
  const [isStarting, setIsStarting] = useState(false)
  const [makeBriefs] = useState(createBriefs)
  const nodes = shown?.nodes
  const briefs = useMemo(() => makeBriefs(nodes ?? {}), [makeBriefs, nodes])
  const briefOf = useCallback((node: string): RunBrief | null => briefs.get(node) ?? null, [briefs])
  /** Creates a draft run, and shows it before it is started: if the start is refused, the next attempt uses the same run. */
  const create = async (): Promise<Run> => {
    const made = await callTagged('createRun', { params: { graph_id: graphId }, body: { execute: false } })
    client.setQueryData<RunData>(runQuery(made.data.id).queryKey, { ...made, cursor: null })
    show(made.data.id)
    return made.data
  }
  const docNow = useStable(() => doc)
  const start = async (attempt: Attempt) => {
    setIsStarting(true)
    try {
      if (!(await save())) throw new Error('The graph is not saved yet: see the words at its name.')
      const { first = false, ...body } = attempt
      // Saving may have waited for an upload.
      const doc = docNow()
      const wanted = first ? firstRowOf(doc.definition) : doc.definition
      if (wanted === null)
        throw new Error('Nothing here runs once for each element of a list, so there is no first row.')
      const run = reusable(shown, graphId) ?? (await create())
      await startWith(run, { ...doc, definition: wanted }, body)
      await client.invalidateQueries({ queryKey: runQuery(run.id).queryKey })
      void client.invalidateQueries({ queryKey: ['runs'] })
      // Also if the run is shown already: the user may have closed its results while it was started.
      show(run.id)
    } catch (error) {
      tellError(error, 'Not started')
    } finally {
      setIsStarting(false)
    }
  }
  const cancel = async () => {
    if (id === null) return
    try {
      await call('cancelRun', { params: { run_id: id } })
      await run.refetch()
    } catch (error) {
      tellError(error, 'Not cancelled')
    }
  }
  const text = useMemo(() => JSON.stringify(shown?.definition), [shown?.definition])
  const isBusy = isStarting || (shown !== null && busy(shown.status))
  return {
    ...{ id, run: shown, start, cancel, briefOf, isBusy, isStarting },
    error: id !== null && shown === null && run.error ? wordsOf(run.error) : null,
    /** Whether the displayed run has neither the editor's present definition nor that definition reduced to the first row. */
    isOld: shown !== null && ![doc.definition, firstRowOf(doc.definition)].some((one) => JSON.stringify(one) === text),
    /** Whether the displayed run has the editor's present definition, and not that definition reduced to the first row. */
    isWhole: shown !== null && JSON.stringify(doc.definition) === text,
    close: () => show(null),
  }
}

/** Returns the run if it can be used again, else null: an exported, deleted or busy run, or one of another graph, cannot. */
const reusable = (run: Run | null, graphId: string): Run | null =>
  run !== null && run.graph_id === graphId && runRefuses.edit(run) === null ? run : null

async function startWith(run: Run, doc: Doc, body: Omit<Attempt, 'first'>): Promise<void> {
  const params = { run_id: run.id }
  if (JSON.stringify(run.definition) !== JSON.stringify(doc.definition)) {
    const ui_state = layoutOf(doc, run.ui_state)
    await call('patchRun', { params, body: { definition: { ...doc.definition }, ui_state } })
  }
  // Without targets, a run that was prepared for some nodes would be started only for these.
  await startGuarded(run.id, { targets: [], ...body })
}
