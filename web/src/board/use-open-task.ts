// In charge of opening the page of a task: the search parameters stay in the address only if they are the board's.
import { useMatchRoute, useNavigate } from '@tanstack/react-router'
import { call } from '../lib/api.ts'
import { useStable } from '../lib/use-stable.ts'

/**
 * Returns a function that opens a task. `hash`: the part of its panel to show; `true` for the hash that the address has already.
 *
 * The page of a task shows the board too. So if the page that is open when the function is called is the board or that of a task, the
 * board's search parameters stay in the address. Those of any other page are dropped.
 */
export function useOpenTask(): (task_id: string, hash?: string | true) => Promise<void> {
  const matches = useMatchRoute()
  const navigate = useNavigate()
  return useStable((task_id, hash = '') => {
    const isOnBoard = matches({ to: '/' }) !== false || matches({ to: '/tasks/$task_id' }) !== false
    return navigate({ to: '/tasks/$task_id', params: { task_id }, search: (search) => (isOnBoard ? search : {}), hash })
  })
}

/** `before` is called once the task is known, just before it is opened. */
type Opening = { hash?: string; before?: () => void }

/** Returns a function that opens the task of a creative, and resolves to the id of the task. */
export function useOpenTaskOf(): (creative_id: string, opening?: Opening) => Promise<string> {
  const openTask = useOpenTask()
  return async (creative_id, { hash = '', before } = {}) => {
    const { task_id } = await call('getCreative', { params: { creative_id } })
    before?.()
    await openTask(task_id, hash)
    return task_id
  }
}
