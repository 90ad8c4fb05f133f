// In charge of saving a graph automatically shortly after each change. Only one save runs at a time.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Raw } from '../canvas/doc.ts'
import { type Doc, layoutOf, type Viewport } from '../canvas/layout.ts'
import { hasCode, isUnreachable } from '../lib/errors.ts'
import { onReachable } from '../lib/live-connection.ts'
import { isNotSignedIn } from '../lib/session.ts'
import { pauseAfter } from '../lib/try-again.ts'
import type { Role } from './use-role.ts'

export type Patch = { definition?: Raw; ui_state?: Raw }
/** `attempts`: how often saving has failed since it last succeeded; `doc`: what could not be saved. */
type Failed = { kind: 'failed'; error: unknown; attempts: number; doc: Doc }
/** The role of the user does not allow to save `doc`. It is saved once the role does. */
type Forbidden = { kind: 'forbidden'; doc: Doc }
export type SaveState = { kind: 'saved' | 'waiting' | 'saving' | 'conflict' } | Failed | Forbidden

type Options = {
  doc: Doc
  uiState: Raw
  etag: string | null
  viewport: () => Viewport | null
  role: Role
  /** Saves the changed parts; null if the graph cannot be changed. */
  save: ((patch: Patch, etag: string | null) => Promise<{ etag: string | null }>) | null
}

const pauseMs = 700

/** How many ms to wait before saving; null if it would only fail again: the service has refused just this. */
function pauseOf(state: SaveState, doc: Doc): number | null {
  if ((state.kind !== 'failed' && state.kind !== 'forbidden') || state.doc !== doc) return pauseMs
  return state.kind === 'failed' && isUnreachable(state.error) ? pauseAfter(state.attempts) : null
}

/**
 * Whether the save was refused because of what others have done: they have saved another version, deleted the graph or run, or made
 * somebody else its owner. Trying again cannot help; the user has to choose what becomes of this version.
 */
const isOverruled = (error: unknown): boolean =>
  (['precondition_failed', 'not_owner', 'graph_deleted', 'not_found'] as const).some((code) => hasCode(error, code))

function refusedAfter(before: SaveState, error: unknown, doc: Doc): SaveState {
  if (isOverruled(error)) return { kind: 'conflict' }
  if (hasCode(error, 'insufficient_scope')) return { kind: 'forbidden', doc }
  return { kind: 'failed', error, doc, attempts: before.kind === 'failed' ? before.attempts + 1 : 1 }
}

/** A failure stays on the screen during the next attempt, so that its message does not come and go. */
const duringAttempt = (before: SaveState): SaveState =>
  before.kind === 'failed' || before.kind === 'forbidden' ? before : { kind: 'saving' }

/** What to send to the service so that it stores `doc` instead of `before`. */
const patchOf = (doc: Doc, before: Doc, uiState: Raw, viewport: Viewport | null): Patch => ({
  ...(doc.definition === before.definition ? {} : { definition: doc.definition }),
  ...(isLaidOutAlike(doc, before) ? {} : { ui_state: { ...layoutOf(doc, uiState), ...viewportOf(viewport) } }),
})

/** Keeps `work` in `running` until it has ended. */
function holdWhile(running: RefObject<Promise<void> | null>, work: Promise<void>): void {
  running.current = work.finally(() => {
    running.current = null
  })
}

export function useAutosave({ doc, uiState, etag, viewport, role, save }: Options) {
  const [state, setState] = useState<SaveState>({ kind: 'saved' })
  const saved = useRef({ doc, etag })
  const latest = useRef({ doc, role, save, viewport, uiState })
  latest.current = { doc, role, save, viewport, uiState }
  const running = useRef<Promise<void> | null>(null)

  const write = useCallback(async () => {
    const { doc, role, save, viewport, uiState } = latest.current
    const before = saved.current
    if (doc === before.doc) return
    if (!role.allows) return setState({ kind: 'forbidden', doc })
    // The page has found out meanwhile that the graph can no longer be changed here, for example because it is deleted.
    if (!save) return setState({ kind: 'conflict' })
    setState(duringAttempt)
    try {
      const { etag } = await save(patchOf(doc, before.doc, uiState, viewport()), before.etag)
      saved.current = { doc, etag }
      setState({ kind: latest.current.doc === doc ? 'saved' : 'waiting' })
    } catch (error) {
      setState((now) => refusedAfter(now, error, doc))
    }
  }, [])

  /** Waits until no save is in progress. */
  const settled = useCallback(async () => {
    while (running.current) await running.current
  }, [])

  /** Saves all changes made so far and waits for the result; returns whether everything is saved. */
  const flush = useCallback(async () => {
    // Does not call `settled`: code that awaits its promise resumes slightly later than this loop ends. In between, another call
    // of `flush` could begin a save too.
    while (running.current) await running.current
    holdWhile(running, write())
    await running.current
    return saved.current.doc === latest.current.doc
  }, [write])

  /**
   * Makes another write to the same record, such as a new name, after all changes have been saved. Saves wait until it has ended,
   * since they need the etag that it returns; otherwise a save of one's own would look like that of somebody else.
   */
  const writeBetween = useCallback(
    async (other: (etag: string | null) => Promise<{ etag: string | null }>): Promise<void> => {
      await flush()
      while (running.current) await running.current
      const written = other(saved.current.etag).then(({ etag }) => {
        saved.current = { ...saved.current, etag }
      })
      holdWhile(
        running,
        written.catch(() => undefined),
      )
      await written
    },
    [flush],
  )

  useEffect(() => {
    if (state.kind === 'conflict' || state.kind === 'saving') return
    if (doc === saved.current.doc) {
      // There is nothing to save any more, for example because the user has undone all changes.
      if (state.kind !== 'saved') setState({ kind: 'saved' })
      return
    }
    if (state.kind === 'saved') setState({ kind: 'waiting' })
    const pause = pauseOf(state, doc)
    if (pause === null) return
    const timer = setTimeout(() => void flush(), pause)
    return () => clearTimeout(timer)
  }, [doc, state, flush])
  useWhenReachable(state, flush)
  useWhenAllowed(role, state, flush)

  const isOpen = useFlushOnLeave(flush)
  useQuestionBeforeClosing(state.kind !== 'saved')

  return {
    state,
    flush,
    settled,
    writeBetween,
    etag: () => saved.current.etag,
    /** The last version that this page has read or saved. In a conflict, it is the common origin of both versions. */
    base: () => saved.current.doc,
    /** Called when a conflict is solved. `doc` and `etag`: the version that was saved elsewhere; the next save replaces it. */
    rebase: (doc: Doc, etag: string | null) => {
      saved.current = { doc, etag }
      setState({ kind: 'waiting' })
    },
    /** Whether the editor is still on the page; if it is not, changes of its document are neither shown nor saved. */
    isOpen,
    /** Saves `doc` in place of the stored version `over` after the editor has been left. */
    saveLeft: async (doc: Doc, over: { doc: Doc; etag: string | null }): Promise<void> => {
      const { save, uiState } = latest.current
      if (!save) throw new Error('It cannot be changed any more.')
      if (doc !== over.doc) await save(patchOf(doc, over.doc, uiState, null), over.etag)
    },
  }
}

/**
 * If the user opens another page of the app, saves unsaved changes at once. If the user closes the tab, the browser warns. Returns a
 * function that tells whether the editor is still on the page.
 */
function useFlushOnLeave(flush: () => Promise<boolean>): () => boolean {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      void flush()
    }
  }, [flush])
  return () => isOpen.current
}

/** Saves as soon as the service can be reached again, instead of after the pause, or as soon as the user has signed in again. */
function useWhenReachable(state: SaveState, flush: () => Promise<boolean>): void {
  const isCutOff = state.kind === 'failed' && (isNotSignedIn(state.error) || isUnreachable(state.error))
  useEffect(() => (isCutOff ? onReachable(() => void flush()) : undefined), [isCutOff, flush])
}

/** Saves as soon as the role of the user allows it again. */
function useWhenAllowed({ allows, readAt }: Role, { kind }: SaveState, flush: () => Promise<boolean>): void {
  const latest = useRef(kind)
  latest.current = kind
  // The state is no dependency: a refusal while the page still takes the role for the former one must not lead to another attempt.
  useEffect(() => {
    if (allows && latest.current === 'forbidden') void flush()
  }, [allows, readAt, flush])
}

function useQuestionBeforeClosing(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOpen])
}

const isLaidOutAlike = (one: Doc, other: Doc) =>
  one.positions === other.positions && one.annotations === other.annotations

const viewportOf = (viewport: Viewport | null) => (viewport ? { viewport } : {})
