// In charge of asking the user if a start may cost money and therefore needs a limit from the user or an admin's approval. The script of
// the questions is loaded with the first of them.
import { lazyPart } from '../ui/lazy-part.tsx'
import { TopDialog } from '../ui/top-dialog.tsx'
import { useFirstWaiting } from './waiting-starts.ts'

const StartQuestion = lazyPart('this question', async () => (await import('./start-question.tsx')).StartQuestion, {
  loading: null,
  failedIn: (content, { start }) => (
    <TopDialog title="Not started yet" close={() => start.answer(null)}>
      {content}
    </TopDialog>
  ),
})

export function StartGuard() {
  const start = useFirstWaiting()
  return start === null ? null : <StartQuestion key={start.id} start={start} />
}
