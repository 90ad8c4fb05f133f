// In charge of showing the content credentials of a file: who signed it, whether the signature is valid, and how the file was made.
import { useQuery } from '@tanstack/react-query'
import { fullWords } from '../lib/dates.ts'
import { actionWords, sourceWords, stateWords } from '../lib/marks-words.ts'
import { credentialsQuery } from '../lib/queries.ts'
import type { Credentials } from '../lib/types.ts'
import { Failed, Loading } from '../ui/states.tsx'

export function FileCredentials({ digest }: { digest: string }) {
  const credentials = useQuery(credentialsQuery(digest))
  return (
    <section aria-label="Content credentials">
      <h3>Content credentials</h3>
      {credentials.isPending ? (
        <Loading what="the credentials" />
      ) : credentials.data ? (
        <Shown said={credentials.data} />
      ) : (
        <Failed error={credentials.error} retry={() => void credentials.refetch()} />
      )}
    </section>
  )
}

function Shown({ said }: { said: Credentials }) {
  const { words, tone } = stateWords(said)
  const facts: [string, string | null][] = [
    ['Signed by', said.signed_by],
    ['Certificate', said.certificate && certificates[said.certificate]],
    ['Time stamp', said.signed_at && fullWords(said.signed_at)],
    ['Made with', said.generator],
    ['Models', said.models.join(', ') || null],
    ['Source type', said.source_type && sourceWords(said.source_type)],
    ['Done', said.actions.map(actionWords).join(' → ') || null],
  ]
  return (
    <>
      <p>
        <span className="mark" data-tone={tone}>
          {words}
        </span>
      </p>
      {said.problems.length > 0 ? (
        <ul className="marks-problems">
          {said.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      <dl className="facts">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <Ingredients ingredients={said.ingredients} />
    </>
  )
}

const certificates: Record<NonNullable<Credentials['certificate']>, string> = {
  local: 'Of this installation: whole for everybody, trusted by nobody else',
  operator: 'Of the operator',
  other: 'Of somebody else',
}

function Ingredients({ ingredients }: Pick<Credentials, 'ingredients'>) {
  if (ingredients.length === 0) return null
  return (
    <>
      <h4>Made from</h4>
      <ul className="marks-ingredients">
        {ingredients.map(({ title, relation, has_credentials, signed_by, source_type }, at) => (
          <li key={at}>
            <strong>{title ?? 'A file'}</strong>
            {relation === 'parentOf' ? ', the picture before' : ''}
            {has_credentials ? `, with credentials of ${signed_by ?? 'somebody'}` : ', without credentials'}
            {source_type === null ? '' : `: ${sourceWords(source_type)}`}
          </li>
        ))}
      </ul>
    </>
  )
}
