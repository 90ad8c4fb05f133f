// In charge of the type for what the editor needs to know about runs that are started in it; the page provides the values.
import type { RunStart } from '@atelier/contract/runs.ts'
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import type { ReactNode } from 'react'
import type { RunBrief } from '../canvas/briefs.ts'

/** `first`: the run uses only the first element of each list, so that it is cheap and fast. */
export type Attempt = RunStart & { first?: boolean }

export type Trying = {
  run: CallResult<'getRun'> | null
  start: (attempt: Attempt) => Promise<void>
  briefOf: (node: string) => RunBrief | null
  isBusy: boolean
  /** The reason why no run can be started now; null if one can be started. */
  blocked: string | null
  /** Creates the panel below the canvas with the results of the selected node; null if no run is shown. */
  resultsOf: ((selected: string | null) => ReactNode) | null
}

/** Options for a run that ends at this node and makes a new result for it, even if an older result is cached. */
export const onlyThis = (node: string) => ({ targets: [node], regenerate: [{ node_id: node }] })
