// In charge of changes that could not be sent and whose field has disappeared since, because the user closed the task or opened
// another of its tabs: they are saved once the service can be reached, unless somebody else has changed the same member.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { call, callTagged } from '../lib/api.ts'
import { ChangedMeanwhile, ifMatch, mayRepeat, writeChecked } from '../lib/conflict.ts'
import { isUnreachable, wordsOf } from '../lib/errors.ts'
import { isNotSignedIn } from '../lib/session.ts'
import { type Failure, tryAgainLater } from '../lib/try-again.ts'
import type { Creative } from '../lib/types.ts'
import { tellOffer } from '../ui/toasts.tsx'
import { refreshCreatives } from './restore-creative.ts'
import { refreshAfterTask } from './write-task.ts'

type Members = Readonly<Record<string, unknown>>

/** How a member of a record is saved without its field. */
export type LateSave = {
  /** Saves a change, unless the members are not as in `base` any more. Throws `ChangedMeanwhile` then. */
  save: (change: Members, base: Members) => Promise<void>
  /** The name of the record, for a message. */
  what: string
  /** Opens the record. */
  open: () => void
}

/** How a record is read and written, with its ETag. */
type Kept = {
  read: () => Promise<{ data: Members; etag: string | null }>
  write: (change: Members, etag: string | null) => Promise<unknown>
}

const saveOver = (change: Members, base: Members, { read, write }: Kept) =>
  writeChecked({
    read,
    check: (now) => {
      // If only the answer to an earlier attempt was lost, the record is as it is wanted already.
      if (!mayRepeat(base, now, change) && !mayRepeat(change, now, change)) throw new ChangedMeanwhile()
    },
    write: (etag) => write(change, etag),
  })

export function useLateSave(taskId: string, what: string): LateSave {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { task_id: taskId }
    const save = async (change: Members, base: Members) => {
      await saveOver(change, base, {
        read: () => callTagged('getTask', { params }),
        write: (body, etag) => call('patchTask', { params, body, headers: ifMatch(etag) }),
      })
      void client.invalidateQueries({ queryKey: ['task', taskId] })
      refreshAfterTask(client, taskId)
    }
    return { save, what, open: () => void navigate({ to: '/tasks/$task_id', params }) }
  }, [client, navigate, taskId, what])
}

export function useLateSaveOfCreative({ id, task_id: taskId, name: what }: Creative): LateSave {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { creative_id: id }
    const save = async (change: Members, base: Members) => {
      await saveOver(change, base, {
        read: () => callTagged('getCreative', { params }),
        write: (body, etag) => call('patchCreative', { params, body, headers: ifMatch(etag) }),
      })
      refreshCreatives(client, taskId)
    }
    // With the id of the creative, the address would open the viewer, over the field that has the text.
    const open = () => void navigate({ to: '/tasks/$task_id', params: { task_id: taskId }, hash: 'creatives' })
    return { save, what, open }
  }, [client, navigate, id, taskId, what])
}

/** Stops waiting for the service, by the key of the draft that waits. */
const waiting = new Map<string, () => void>()

function stopWaiting(key: string): void {
  waiting.get(key)?.()
  waiting.delete(key)
}

type Named = Pick<LateSave, 'what' | 'open'>

function saveWhenReachable(key: string, failure: Failure, act: () => Promise<void>, { what, open }: Named): void {
  stopWaiting(key)
  const again = () => {
    stopWaiting(key)
    act().catch((error: unknown) => {
      if (isUnreachable(error) || isNotSignedIn(error))
        saveWhenReachable(key, { error, failures: failure.failures + 1 }, act, { what, open })
      else tellOffer(`A change of “${what}” is not saved. ${wordsOf(error)}`, { label: 'Open it', act: open })
    })
  }
  waiting.set(key, tryAgainLater(failure, again))
}

/**
 * Has `act` save a draft later if the field disappears while it is `unsent`, or disappears before it turns out that it could not be
 * sent; for the latter, the field calls the returned function, which returns false while the field is still there. Nothing is saved
 * later once the field appears again, since the field then saves its draft itself. `late`: null if the member cannot be saved without
 * its field.
 */
export function useSaveWithoutField(
  key: string,
  late: LateSave | null,
  unsent: Failure | null,
  act: (late: LateSave) => Promise<void>,
): (error: unknown) => boolean {
  const isGone = useRef(false)
  const latest = useRef({ late, unsent, act })
  useEffect(() => {
    latest.current = { late, unsent, act }
  })
  const saveLater = useRef((failure: Failure) => {
    const { late: how, act: save } = latest.current
    if (how) saveWhenReachable(key, failure, () => save(how), how)
  })
  useEffect(() => {
    isGone.current = false
    stopWaiting(key)
    return () => {
      isGone.current = true
      if (latest.current.unsent) saveLater.current(latest.current.unsent)
    }
  }, [key])
  return (error) => {
    if (isGone.current) saveLater.current({ error, failures: 1 })
    return isGone.current
  }
}
