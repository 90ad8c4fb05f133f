// In charge of the banners above a run: about an open question, an approval, a failure, an export, or the deletion of the run.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GoneForGood } from '../graph/gone-for-good.tsx'
import { creativeQuery } from '../lib/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { ApprovalBanner } from './approval-banner.tsx'
import type { Run } from './queries.ts'
import type { Question } from './questions.ts'
import { recordWords } from './record-words.ts'
import { UnsentTexts } from './unsent-texts.tsx'
import type { Actions } from './use-actions.ts'

type Props = {
  run: Run
  isGone: boolean
  actions: Actions
  mayWrite: boolean
  questions: readonly Question[]
  isGateOpen: boolean
  openGate: () => void
}

export function RunBanners({ run, isGone, actions, mayWrite, questions, isGateOpen, openGate }: Props) {
  const [question] = questions
  if (isGone) {
    return (
      <>
        <GoneForGood what="run" keep={null} />
        <UnsentTexts run={run} questions={questions} />
      </>
    )
  }
  return (
    <>
      {run.deleted_at === null ? null : (
        <div className="banner" data-tone="warn">
          <Icon name="trash" />
          <p>This run is deleted. It can be undeleted while the retention window lasts.</p>
          {mayWrite ? (
            <Button variant="default" onClick={() => void actions.undelete()}>
              Undelete
            </Button>
          ) : null}
        </div>
      )}
      {mayWrite && runRefuses.start(run) === null ? <ApprovalBanner run={run} actions={actions} /> : null}
      {question && !isGateOpen ? (
        <div className="banner" data-tone="warn" role="status">
          <Icon name="help" />
          <p>
            <strong>{question.request.title}</strong> The gate “{question.node}” asks
            {questions.length > 1 ? `, and ${questions.length - 1} more` : ''}. Nothing that follows goes on before.
          </p>
          <Button title="Answer (g)" onClick={openGate}>
            Answer
          </Button>
        </div>
      ) : null}
      <UnsentTexts run={run} questions={questions} />
      {(run.status === 'failed' || run.status === 'queued') && run.error ? (
        <div className="banner" data-tone={run.status === 'failed' ? 'danger' : 'warn'} role="status">
          <Icon name="warning" />
          <p>{run.error}</p>
        </div>
      ) : null}
      {run.exported_at === null ? null : (
        <div className="banner" data-tone="quiet">
          <Icon name="flag" />
          <p>{recordWords(run.exported_creatives.length)}</p>
          <ToCard creativeId={run.exported_creatives.at(-1)} />
        </div>
      )}
    </>
  )
}

/**
 * A link to the card of a creative, which need not be the card to which the run exports by default. There is no link if the creative
 * was deleted for good.
 */
function ToCard({ creativeId = '' }: { creativeId: string | undefined }) {
  const taskId = useQuery({ ...creativeQuery(creativeId), enabled: creativeId !== '' }).data?.task_id
  if (taskId === undefined) return null
  return (
    <Anchor
      size="xs"
      renderRoot={(props) => <Link to="/tasks/$task_id" params={{ task_id: taskId }} hash="creatives" {...props} />}
    >
      To the card
    </Anchor>
  )
}
