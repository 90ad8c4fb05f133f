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
import { tellOffer } from '../ui/toasts.tsx'
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

export function useLateSave(taskId: string, what: string): LateSave {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { task_id: taskId }
    const save = async (change: Members, base: Members) => {
      await writeChecked({
        read: () => callTagged('getTask', { params }),
        check: (now) => {
          if (!mayRepeat(base, { ...now }, change)) throw new ChangedMeanwhile()
        },
        write: (etag) => call('patchTask', { params, body: change, headers: ifMatch(etag) }),
      })
      void client.invalidateQueries({ queryKey: ['task', taskId] })
      refreshAfterTask(client, taskId)
    }
    return { save, what, open: () => void navigate({ to: '/tasks/$task_id', params }) }
  }, [client, navigate, taskId, what])
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
