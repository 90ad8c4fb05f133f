// In charge of the names that an export gives, told before it: asked of the service, which gives them.
import type { CallResult } from '@atelier/contract/calls.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { chipsOf } from '../task/marks-words.ts'
import type { Output } from './outputs.ts'
import type { Run } from './queries.ts'

type Planned = CallResult<'planExport'>['files'][number]

export const exportBody = (taskId: string, outputs: readonly Output[]) => ({
  task_id: taskId,
  outputs: outputs.map(({ node, port, item }) => ({ node_id: node, port, item })),
})

/** Names that others take meanwhile are taken: each look at the dialog asks anew. */
export function ExportNames({ run, taskId, outputs }: { run: Run; taskId: string; outputs: readonly Output[] }) {
  const body = exportBody(taskId, outputs)
  const plan = useQuery({
    queryKey: ['export-plan', run.id, run.updated_at, body],
    queryFn: ({ signal }) => call('planExport', { params: { run_id: run.id }, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (plan.error) {
    return (
      <p className="notice" data-tone="warn" role="alert">
        {wordsOf(plan.error)}
      </p>
    )
  }
  if (!plan.data) return <p className="hint">Looking at the names …</p>
  const fresh = plan.data.files.filter(({ creative_id }) => creative_id === null)
  const there = plan.data.files.filter(({ creative_id }) => creative_id !== null)
  return (
    <div className="export-names" aria-busy={plan.isFetching}>
      <NameList title={fresh.length === 1 ? 'The new creative' : `${fresh.length} new creatives`} files={fresh} />
      <NameList title="On the card already" files={there} />
    </div>
  )
}

function NameList({ title, files }: { title: string; files: readonly Planned[] }) {
  if (files.length === 0) return null
  return (
    <section>
      <h3 className="side-title">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul aria-label={title} tabIndex={0}>
        {files.map(({ node_id, port, item, name, ai }) => (
          <li key={`${node_id} ${port} ${item} ${name}`} className="mono">
            {name}
            <AiMark ai={ai} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How much of it a model made, where one did. */
const AiMark = ({ ai }: Pick<Planned, 'ai'>) =>
  chipsOf({ ai, demands: [] }).map(({ words, tone }) => (
    <span key={words} className="mark export-ai" data-tone={tone}>
      {words}
    </span>
  ))
