// In charge of the dialog that shows how the file of a creative was made: the run, the node, the node's inputs, and the cost.
import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullWords } from '../lib/dates.ts'
import { aiWords } from '../lib/marks-words.ts'
import { provenanceQuery } from '../lib/queries.ts'
import type { Creative, Provenance } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/states.tsx'

export function ProvenanceDialog({ creative, close }: { creative: Creative; close: () => void }) {
  return (
    <Dialog onClose={close} title="How this file was made" size="lg">
      <p className="hint mono">{creative.name}</p>
      <Made creativeId={creative.id} />
    </Dialog>
  )
}

function Made({ creativeId }: { creativeId: string }) {
  const provenance = useQuery(provenanceQuery(creativeId))
  if (provenance.isPending) return <Loading what="how it was made" />
  if (provenance.data === undefined) return <Failed error={provenance.error} retry={() => void provenance.refetch()} />
  const made = provenance.data
  if (made === null) return <p>No run made this file: somebody put it here.</p>
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Run</dt>
          <dd>
            <Link to="/runs/$run_id" params={{ run_id: made.run_id }}>
              Open the run
            </Link>
          </dd>
        </div>
        <div>
          <dt>Node</dt>
          <dd>
            {made.node_id} ({made.node_type} {made.node_version}
            {made.item === null ? '' : `, item ${made.item + 1}`})
          </dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>{made.credits}</dd>
        </div>
        <div>
          <dt>Made by a model</dt>
          <dd>{aiWords(made.ai)}</dd>
        </div>
        <div>
          <dt>Credentials</dt>
          <dd>{signedWords(made)}</dd>
        </div>
        {made.labels.length > 0 ? (
          <div>
            <dt>Labels drawn</dt>
            <dd>{made.labels.join(', ')}</dd>
          </div>
        ) : null}
        <div>
          <dt>Put on the card</dt>
          <dd>{fullWords(made.exported_at)}</dd>
        </div>
      </dl>
      <Given title="Params" value={made.params} />
      <Given title="Inputs" value={made.inputs} />
    </>
  )
}

/** Says who signed the file or, if nobody did, why not: for example, because the file is too large to be signed. */
function signedWords({ signed_by, unsigned_because }: Provenance): string {
  if (signed_by !== null) return `Signed by ${signed_by}`
  return unsigned_because === null ? 'Not noted' : `Not signed. ${unsigned_because}`
}

function Given({ title, value }: { title: string; value: Record<string, unknown> }) {
  if (Object.keys(value).length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <Code block>{JSON.stringify(value, null, 2)}</Code>
    </>
  )
}
