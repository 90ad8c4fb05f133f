// In charge of recording a launch, and of telling the user what became of it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOpenTaskOf } from '../board/use-open-task.ts'
import { call } from '../lib/api.ts'
import { everyPage } from '../lib/queries.ts'
import type { Creative } from '../lib/types.ts'
import { tell, tellError, tellOffer } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { elsewhereWords, type Outcome, outcomeOf, outcomeOfRepeat, type Sent } from './launch-outcome.ts'
import { showLaunches } from './shown-launches.ts'

/** The creative that was launched; if it is missing, all creatives of the task were launched together. */
export type Launched = { taskId: string; creative?: Pick<Creative, 'id' | 'name'> | undefined }

/** `launched_at`: null for “now”. */
type LaunchInput = { ad_id: string; launched_at: string | null }

const waitingWords = (name: string, id: string): string =>
  `The launch under ${id} is kept for “${name}” and counts once a creative gets this name. If the creative has another name now, record the launch there.`

const voidedWords =
  'Not recorded: this launch was taken back or corrected before. If it did go live, give the time at which it did.'

async function recorded({ taskId, creative }: Launched, given: LaunchInput): Promise<Outcome> {
  const sent: Sent = { ...given, creativeId: creative?.id ?? null }
  const [answer] = creative
    ? await call('recordCreativeLaunches', { body: { launches: [{ name: creative.name, ...given }] } })
    : await call('recordPackLaunches', { body: { launches: [{ task_id: taskId, ...given }] } })
  if (!answer) throw new Error('The service has not answered whether the launch was recorded.')
  const outcome = outcomeOf(sent, answer)
  if (outcome !== 'repeated') return outcome
  return outcomeOfRepeat(sent, await everyPage((query) => call('listLaunches', { params: { task_id: taskId }, query })))
}

/** Returns a function that opens the launches of the task to which a creative belongs. */
function useShowLaunchesOf(): (creativeId: string) => Promise<void> {
  const openTaskOf = useOpenTaskOf()
  return async (creativeId) => {
    try {
      showLaunches(await openTaskOf(creativeId))
    } catch (error) {
      tellError(error, 'Not opened')
    }
  }
}

/** `close` is called unless the user has to change something. `voided`: what they have to change, because of a voided launch. */
export function useRecordLaunch(launched: Launched, close: () => void) {
  const { taskId, creative } = launched
  const client = useQueryClient()
  const showLaunchesOf = useShowLaunchesOf()
  const [voided, setVoided] = useState<string | null>(null)
  const record = useWrite({
    write: async (given: LaunchInput) => {
      setVoided(null)
      return { given, outcome: await recorded(launched, given) }
    },
    list: ['creatives', taskId],
    quiet: true,
    done: ({ given: { ad_id }, outcome }) => {
      for (const key of ['task', 'activity', 'launches']) void client.invalidateQueries({ queryKey: [key, taskId] })
      if (outcome === 'voided') return setVoided(voidedWords)
      const name = creative?.name ?? ''
      if (outcome === 'new') tell(`Recorded as live under ${ad_id}`)
      else if (outcome === 'before') tell(`That was recorded before, under ${ad_id}`)
      else if (outcome === 'waiting')
        tellError(new Error(waitingWords(name, ad_id)), 'No creative has this name any more')
      else {
        const act = () => void showLaunchesOf(outcome.elsewhere)
        tellOffer(elsewhereWords(name, ad_id, outcome.recorded), { label: 'Its launches', act })
      }
      close()
    },
  })
  return { record, voided }
}
