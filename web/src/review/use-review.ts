// In charge of the state of a review in the viewer: comments, versions, the chosen comment, the drawing tool, and the actions.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useOpenTaskOf } from '../board/use-open-task.ts'
import { call, callTagged } from '../lib/api.ts'
import { callerQuery, creativeQuery } from '../lib/queries.ts'
import { useStable } from '../lib/use-stable.ts'
import { tell, tellError, tellOffer } from '../ui/toasts.tsx'
import { closeViewer } from '../ui/viewer-store.ts'
import { absenceOf } from './absence.ts'
import type { Tool } from './marks.ts'
import { decisionsQuery, type Said, saidQuery, type Version, versionsQuery } from './queries.ts'
import { useMedium } from './use-medium.ts'

export type Thread = Said & { number: number; answers: Said[] }
export type Reviewing = ReturnType<typeof useReview>

const watchedMs = 5000
const none: readonly Version[] = []

/** Returns the old objects for threads that did not change, so that their components are not rendered again. */
function sameWhereSame(before: readonly Thread[], threads: Thread[]): Thread[] {
  const known = new Map(before.map((thread) => [thread.id, thread]))
  return threads.map((thread) => {
    const was = known.get(thread.id)
    return was && isSame(was, thread) ? was : thread
  })
}

/** Whether a thread that was read again is unchanged. React Query returns unchanged parts as the same objects: `===` is enough. */
function isSame({ answers: was, ...before }: Thread, { answers, ...after }: Thread): boolean {
  const same = (one: object, other: object) =>
    Object.entries(one).every(([key, value]) => Reflect.get(other, key) === value)
  return same(before, after) && was.length === answers.length && was.every((answer, at) => answer === answers[at])
}

/** Returns the threads in the order in which they were started, each with a number and its replies. */
function threadsOf(said: readonly Said[]): Thread[] {
  const answers = Map.groupBy(said, ({ thread_id }) => thread_id)
  return (answers.get(null) ?? []).map((one, at) => ({ ...one, number: at + 1, answers: answers.get(one.id) ?? [] }))
}

/** Reads the review of the creative in the viewer. If `creativeId` is undefined, the file has no creative and thus no review. */
function useReviewed(creativeId: string | undefined, digest: string) {
  const client = useQueryClient()
  const id = creativeId ?? ''
  const enabled = creativeId !== undefined
  const versions: readonly Version[] = useQuery({ ...versionsQuery(id), enabled }).data ?? none
  const said = useQuery({
    ...saidQuery(id),
    enabled,
    // Read again regularly while a take is under way: the service reports no change of the creative when the run waits at a gate.
    refetchInterval: ({ state }) => (state.data?.some(({ take }) => take?.state === 'under_way') ? watchedMs : false),
  }).data
  const decisions = useQuery({ ...decisionsQuery(id), enabled }).data ?? []
  const creative = useQuery({ ...creativeQuery(id), enabled })
  const absence = absenceOf(creative.data, creative.error)
  const caller = useQuery(callerQuery).data
  // Of a deleted creative, the service refuses all changes.
  const canWrite = absence === null && (caller?.scopes.includes('tasks:write') ?? false)
  const canStart = caller?.scopes.includes('runs:write') ?? false
  const before = useRef<Thread[]>([])
  const threads = useMemo(() => sameWhereSame(before.current, threadsOf(said ?? [])), [said])
  useEffect(() => {
    before.current = threads
  }, [threads])
  /** Resolves when what has changed is there. */
  const refresh = () =>
    Promise.all(
      ['creative', 'versions', 'review-comments', 'decisions', 'review'].map((key) =>
        client.invalidateQueries({ queryKey: key === 'review' ? [key] : [key, id] }),
      ),
    )
  const current = versions.find((version) => version.current)
  const version = versions.find(({ file }) => file === digest)
  const isKnown = said !== undefined
  return {
    ...{ id, versions, version, current, decisions, threads, caller, canWrite, canStart, refresh, isKnown },
    /** Whether the creative was deleted; null if it was not. */
    absence,
  }
}

/** Returns `decide`, which sends a decision about the version, and `decideTake`, which uses or dismisses a proposed take. */
function useDeciding(id: string, digest: string, refresh: () => Promise<unknown>) {
  const client = useQueryClient()
  const openTask = useCloseForTask(id)
  /** The ids of the takes that are being decided, until the page shows it. Until then, their buttons are still there. */
  const taken = useRef<ReadonlySet<string>>(new Set())
  const refused = (error: unknown) => {
    tellError(error, 'Not decided')
    return refresh()
  }
  /** Returns whether the decision was taken. */
  const decide = async (decision: 'accepted' | 'changes_wanted', note = ''): Promise<boolean> => {
    try {
      const body = { file: digest, decision, note }
      const { message } = await callTagged('decideReview', { params: { creative_id: id }, body })
      // The service has taken the decision, but says that something else did not follow from it.
      if (message) tellOffer(`Accepted. ${message}`, { label: 'Open the task', act: () => void openTask() })
      else tell(decision === 'accepted' ? 'Accepted' : 'Changes wanted: noted')
    } catch (error) {
      void refused(error)
      return false
    }
    void refresh()
    return true
  }
  const decideTake = async (take: { id: string; version: number | null }, verdict: 'use' | 'dismiss') => {
    if (taken.current.has(take.id)) return
    taken.current = new Set(taken.current).add(take.id)
    try {
      await call('decideReviewTake', { params: { take_id: take.id }, body: { verdict } })
      tell(verdict === 'use' ? `Version ${take.version} is current` : `Version ${take.version} is dismissed`)
      for (const key of ['creatives', 'task', 'marks', 'provenance']) void client.invalidateQueries({ queryKey: [key] })
      await refresh()
    } catch (error) {
      await refused(error)
    }
    taken.current = new Set([...taken.current].filter((one) => one !== take.id))
  }
  return { decide, decideTake }
}

/** Returns a function that closes the viewer and opens the task of the creative, wherever the viewer was opened. */
function useCloseForTask(creativeId: string): () => Promise<void> {
  const openTaskOf = useOpenTaskOf()
  return async () => {
    try {
      await openTaskOf(creativeId, { before: closeViewer })
    } catch (error) {
      tellError(error, 'Not opened')
    }
  }
}

export function useReview(creativeId: string | undefined, digest: string) {
  const reviewed = useReviewed(creativeId, digest)
  const { id, version, threads, caller, canWrite, refresh, absence } = reviewed
  const { decide, decideTake } = useDeciding(id, digest, refresh)
  /** The id of the comment for which the user is about to request a new take. */
  const [asksTake, askTake] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [tool, setTool] = useState<Tool | null>(null)
  const [mark, setMark] = useState<Mark | null>(null)
  /** The id of the comment or reply that the user is editing. */
  const [edited, edit] = useState<string | null>(null)
  const [wantsChanges, wantChanges] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  /** The field in which the user replies to the chosen comment. */
  const answer = useRef<HTMLInputElement>(null)
  const medium = useMedium()
  /** Stable, because the row of a comment that is not chosen keeps the function of the render in which it was drawn last. */
  const choose = useStable((next: string | null) => {
    setChosen(next)
    const thread = threads.find((one) => one.id === next)
    if (thread?.from_seconds != null) medium.seek(thread.from_seconds)
    if (next) document.getElementById(`said-${next}`)?.scrollIntoView({ block: 'nearest' })
  })
  /** A comment that is chosen already: the film may have gone on since, so its time leads there again first. */
  const pressAgain = useStable((thread: { id: string; from_seconds: number | null }) => {
    const { media } = medium
    const isThere = thread.from_seconds === null || !media || Math.abs(media.currentTime - thread.from_seconds) < 0.05
    choose(isThere ? null : thread.id)
  })
  const step = (by: 1 | -1) => {
    if (threads.length === 0) return
    const at = threads.findIndex((one) => one.id === chosen)
    const next = at === -1 ? (by === 1 ? 0 : threads.length - 1) : at + by
    const thread = threads[Math.min(threads.length - 1, Math.max(0, next))]
    if (thread) choose(thread.id)
  }
  /**
   * Accepts the shown file. Also before the versions have been read, since the service refuses a decision about a file that is not
   * current: who looks at one picture after the other presses faster than they arrive.
   */
  const accept = () => {
    if (canWrite && creativeId !== undefined && version?.current !== false) void decide('accepted')
  }
  /** Opens the form for the reason why changes are wanted. Not of an earlier version: decisions are about the current one. */
  const askChanges = () => {
    if (version?.current !== false) wantChanges(true)
  }
  const decideChosen = (verdict: 'use' | 'dismiss') => {
    const take = threads.find((one) => one.id === chosen)?.take
    if (canWrite && take?.state === 'proposed') void decideTake(take, verdict)
  }
  const editChosen = () => {
    const thread = threads.find((one) => one.id === chosen)
    if (canWrite && thread?.by.user_id && thread.by.user_id === caller?.user?.id) edit(thread.id)
  }
  const resolve = (thread: Thread | undefined) => {
    if (!canWrite || !thread) return
    void call('patchReviewComment', {
      params: { comment_id: thread.id },
      body: { resolved: thread.resolved === null },
    }).then(refresh, (error: unknown) => tellError(error, 'Not changed'))
  }
  const drop = () => {
    setTool(null)
    setMark(null)
    medium.setAt(null)
    wantChanges(false)
    edit(null)
    askTake(null)
  }
  /** What was begun on a creative is not gone on with once the creative was deleted. */
  const begun = absence === null ? { asksTake, tool, edited } : { asksTake: null, tool: null, edited: null }
  return {
    ...reviewed,
    ...begun,
    ...{ creativeId, digest, askTake, decide, decideTake, decideChosen, editChosen, resolve, edit },
    ...{ wantsChanges, wantChanges, askChanges, answer },
    ...{ chosen, choose, pressAgain, step, accept, field, setTool, mark, setMark, drop },
    ...medium,
  }
}
