// In charge of what the editor knows of runs of the graph it edits; the page that starts them passes it in.
import type { RunStart } from '@atelier/contract/runs.ts'
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import type { ReactNode } from 'react'
import type { RunBrief } from '../canvas/briefs.ts'

/** `first`: with only the first element of each list. */
export type Attempt = RunStart & { first?: boolean }

export type Trying = {
  run: CallResult<'getRun'> | null
  start: (attempt: Attempt) => Promise<void>
  briefOf: (node: string) => RunBrief | null
  isBusy: boolean
  /** Why no run can be started now; null if one can. */
  blocked: string | null
  /** The panel below the canvas with the results of the selected node; null if no run is shown. */
  resultsOf: ((selected: string | null) => ReactNode) | null
}

/** Starts only `node`, for a new result. */
export const onlyThis = (node: string) => ({ targets: [node], regenerate: [{ node_id: node }] })
