// In charge of the type `Trying`: what the editor needs from its page in order to start runs and to show their results.
import type { RunStart } from '@atelier/contract/runs.ts'
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import type { ReactNode } from 'react'
import type { RunBrief } from '../canvas/briefs.ts'

/** What to start. `first`: the run uses only the first element of each list, so that the run is cheap and fast. */
export type Attempt = RunStart & { first?: boolean }

export type Trying = {
  run: CallResult<'getRun'> | null
  start: (attempt: Attempt) => Promise<void>
  briefOf: (node: string) => RunBrief | null
  isBusy: boolean
  /** The reason why no run can be started now; null if one can be started. */
  blocked: string | null
  /** Creates the panel below the canvas with the results of the node `selected`. If no run is shown, the member is null. */
  resultsOf: ((selected: string | null) => ReactNode) | null
}

/** What to start to get a new result of this node, even if an older result is cached; nodes after it do not run. */
export const onlyThis = (node: string) => ({ targets: [node], regenerate: [{ node_id: node }] })
