// In charge of recording by hand that a creative, or a task as a pack, went live; launch tools do it over the API.

import { Button, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { fromLocalInput } from '../lib/dates.ts'
import { fieldError } from '../lib/errors.ts'
import { useWrite } from '../lib/use-write.ts'
import { tell } from '../ui/toasts.tsx'
import '../people/people.css'

/** A creative is launched by its name; without one, all of the task's creatives go live together. */
type Props = { taskId: string; creative?: string; close: () => void }

export function LaunchDialog({ taskId, creative, close }: Props) {
  const client = useQueryClient()
  const [adId, setAdId] = useState('')
  const [at, setAt] = useState('')
  const record = useWrite({
    write: async () => {
      const launch = { ad_id: adId.trim(), launched_at: fromLocalInput(at) }
      const rows =
        creative === undefined
          ? await call('recordPackLaunches', { body: { launches: [{ task_id: taskId, ...launch }] } })
          : await call('recordCreativeLaunches', { body: { launches: [{ name: creative, ...launch }] } })
      return rows.some(({ recorded }) => recorded)
    },
    list: ['creatives', taskId],
    done: (recorded) => {
      for (const key of ['task', 'activity']) void client.invalidateQueries({ queryKey: [key, taskId] })
      tell(recorded ? `Recorded as live under ${adId.trim()}` : `That was recorded before, under ${adId.trim()}`)
      close()
    },
  })
  const problem = (member: string) => fieldError(record.error, 'launches', 0, member)
  return (
    <Modal opened onClose={close} title={creative === undefined ? 'The pack went live' : 'The creative went live'}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          record.mutate(undefined)
        }}
      >
        <p className={creative === undefined ? 'launch-what' : 'launch-what mono'}>
          {creative ?? 'All creatives of this task under one campaign id, also those that come later.'}
        </p>
        <TextInput
          data-autofocus
          label="Campaign id"
          description="As the ad account shows it. The lookup answers by it from now on."
          required
          maxLength={255}
          classNames={{ input: 'mono' }}
          error={problem('ad_id')}
          value={adId}
          onChange={(event) => setAdId(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="Live since"
          description="Empty: now."
          error={problem('launched_at')}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={adId.trim() === ''} loading={record.isPending}>
            Record the launch
          </Button>
        </div>
      </form>
    </Modal>
  )
}
