// In charge of duplicating a task: the copy is created in the backlog, and then opened.
import type { Task } from '@atelier/contract/tasks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { boardWrite } from '../board/use-feeds.ts'
import { useOpenTask } from '../board/use-open-task.ts'
import { call } from '../lib/api.ts'
import { tell, tellError } from '../ui/toasts.tsx'
import { copyOfTask } from './copy-of-task.ts'

export function useDuplicate(): (task: Task) => void {
  const client = useQueryClient()
  const openTask = useOpenTask()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: (task: Task) => call('createTask', { body: copyOfTask(task) }),
    onSuccess: ({ id, number }) => {
      tell(`Duplicated as #${number}, without creatives.`)
      void openTask(id)
    },
    onError: (error) => tellError(error, 'Not duplicated'),
    onSettled: () => void client.invalidateQueries({ queryKey: ['feed'] }),
  })
  return mutate
}
