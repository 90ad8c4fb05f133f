// In charge of the dialog with the launches of a task and its creatives. It shows what was launched under which campaign id, and
// lets users correct wrong records.
import { isCampaignId } from '@atelier/contract/campaign-id.ts'
import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords, fromLocalInput, fullWords, latestLocalInput, toLocalInput } from '../lib/dates.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { launchesQuery } from '../lib/queries.ts'
import type { Launch } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { useSecondStep } from '../ui/use-second-step.ts'
import { useWrite } from '../ui/use-write.ts'
import { unlikely } from './launch-dialog.tsx'
import './launches-dialog.css'

type Props = { taskId: string; disabled: boolean; close: () => void }

export function LaunchesDialog({ taskId, disabled, close }: Props) {
  const launches = useInfiniteQuery(launchesQuery(taskId))
  const [corrected, setCorrected] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const endCorrection = () => {
    // The form disappears, and its focus would be lost; so the list gets the focus, and the keys of the dialog still work.
    list.current?.focus()
    setCorrected(null)
  }
  const items = launches.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Dialog onClose={close} title="Launches" size="lg">
      {launches.isPending ? <Loading what="the launches" /> : null}
      {launches.isError ? <Failed error={launches.error} retry={() => void launches.refetch()} /> : null}
      {launches.data && items.length === 0 ? (
        <p className="hint">
          Nothing of this task was recorded as live yet. Launch tools record it over the API; “Record a launch of the
          pack” in the menu of the task does by hand.
        </p>
      ) : null}
      <ul ref={list} className="launches" aria-label="Launches" tabIndex={-1}>
        {items.map((launch) => (
          <li key={launch.id} data-voided={launch.voided !== null || undefined}>
            <LaunchLine launch={launch} />
            {disabled || launch.voided || corrected === launch.id ? null : (
              <Button size="compact-xs" variant="default" onClick={() => setCorrected(launch.id)}>
                Correct
              </Button>
            )}
            {corrected === launch.id ? <Correction taskId={taskId} launch={launch} close={endCorrection} /> : null}
          </li>
        ))}
      </ul>
      {launches.hasNextPage ? (
        <Button variant="default" loading={launches.isFetchingNextPage} onClick={() => void launches.fetchNextPage()}>
          Earlier
        </Button>
      ) : null}
    </Dialog>
  )
}

function LaunchLine({ launch }: { launch: Launch }) {
  const now = useNow()
  const { voided } = launch
  return (
    <div>
      <p>
        <span className="mono">{launch.ad_id}</span> <span>{launch.name ?? 'The pack'}</span>
      </p>
      <p className="hint">
        Live since {fullWords(launch.launched_at)}. {launch.by?.name ?? 'Somebody'} recorded it{' '}
        {agoWords(launch.recorded_at, now)}.
      </p>
      {voided ? (
        <p className="hint">
          {voided.by?.name ?? 'Somebody'} {voided.ad_id === null ? 'took it back' : 'corrected it'}{' '}
          {agoWords(voided.at, now)}
          {voided.ad_id === null || voided.ad_id === launch.ad_id ? '.' : `: the campaign id is ${voided.ad_id}.`}
        </p>
      ) : null}
    </div>
  )
}

function Correction({ taskId, launch, close }: { taskId: string; launch: Launch; close: () => void }) {
  const client = useQueryClient()
  const [adId, setAdId] = useState(launch.ad_id)
  const was = toLocalInput(launch.launched_at)
  const [at, setAt] = useState(was)
  const id = adId.trim()
  const correct = useWrite({
    write: (ad_id: string | null) =>
      call('correctLaunch', {
        params: { launch_id: launch.id },
        // The input shows no seconds. A date that the user did not edit is not sent, because that would set its seconds to zero.
        body: { ad_id, ...(at === was ? {} : { launched_at: fromLocalInput(at) }) },
      }),
    list: ['launches', taskId],
    quiet: true,
    done: ({ voided }) => {
      for (const key of ['task', 'activity', 'creatives']) void client.invalidateQueries({ queryKey: [key, taskId] })
      tell(voided?.ad_id ? `Corrected: live under ${voided.ad_id}` : 'Taken back: it never went live')
      close()
    },
  })
  const problem = fieldError(correct.error, 'ad_id')
  const isDoubtful = id !== '' && id !== launch.ad_id && !isCampaignId(id)
  return (
    <form
      className="form launch-correction"
      onSubmit={(event) => {
        event.preventDefault()
        correct.mutate(id)
      }}
    >
      <TextInput
        data-autofocus
        label="Campaign id"
        required
        maxLength={255}
        classNames={{ input: 'mono' }}
        error={problem}
        description={isDoubtful ? unlikely : null}
        value={adId}
        onChange={(event) => setAdId(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        max={latestLocalInput}
        label="Live since"
        required
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
      {correct.isError && !problem ? (
        <p className="problem" role="alert">
          {wordsOf(correct.error)}
        </p>
      ) : null}
      <div className="dialog-foot">
        <NeverLive isPending={correct.isPending} takeBack={() => correct.mutate(null)} />
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" disabled={id === '' || (id === launch.ad_id && at === was)} loading={correct.isPending}>
          Correct it
        </Button>
      </div>
    </form>
  )
}

/** A launch that was taken back is not recorded again with the same date, so the button asks first. */
function NeverLive({ isPending, takeBack }: { isPending: boolean; takeBack: () => void }) {
  const { isAsking, handlers } = useSecondStep(takeBack)
  return (
    <Button variant={isAsking ? 'filled' : 'subtle'} color="red" disabled={isPending} {...handlers}>
      {isAsking ? 'Really take it back' : 'It never went live'}
    </Button>
  )
}
