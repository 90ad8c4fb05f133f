// In charge of the dialog in which a user records the launch of a creative or of a whole task; launch tools use the API instead.

import { isCampaignId } from '@atelier/contract/campaign-id.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fromLocalInput, latestLocalInput } from '../lib/dates.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type Launched, useRecordLaunch } from './use-record-launch.ts'

export const unlikely =
  'This does not look like a campaign id: those have 15 digits or more, and nothing else. The lookup page takes what is no number for a name, and does not find the launch by it.'

export function LaunchDialog({ close, ...launched }: Launched & { close: () => void }) {
  const { creative } = launched
  const [adId, setAdId] = useState('')
  const [at, setAt] = useState('')
  const id = adId.trim()
  const { record, voided } = useRecordLaunch(launched, close)
  const problem = (member: string) => fieldError(record.error, 'launches', 0, member)
  /** The campaign id about which the user was warned because it looks wrong. If it is submitted a second time, it is recorded. */
  const [warnedOf, setWarnedOf] = useState<string | null>(null)
  const isDoubtful = id !== '' && !isCampaignId(id)
  const isSure = warnedOf === id
  const idProblem = isSure && isDoubtful ? unlikely : problem('ad_id')
  const isAtField = ['ad_id', 'launched_at'].some(problem)
  return (
    <Dialog onClose={close} title={creative === undefined ? 'The pack went live' : 'The creative went live'}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isDoubtful && !isSure) setWarnedOf(id)
          else record.mutate({ ad_id: id, launched_at: fromLocalInput(at) })
        }}
      >
        <p className={creative === undefined ? 'launch-what' : 'launch-what mono'}>
          {creative?.name ?? 'All creatives of this task under one campaign id, also those that come later.'}
        </p>
        <TextInput
          data-autofocus
          label="Campaign id"
          description="As the ad account shows it. The lookup answers by it from now on."
          required
          maxLength={255}
          classNames={{ input: 'mono' }}
          error={idProblem}
          value={adId}
          onChange={(event) => setAdId(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          max={latestLocalInput}
          label="Live since"
          description="Empty: now."
          error={problem('launched_at') ?? voided}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        {record.isError && !isAtField ? (
          <p className="problem" role="alert">
            {wordsOf(record.error)}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={id === ''} loading={record.isPending}>
            {isDoubtful && isSure ? 'Record it all the same' : 'Record the launch'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
