// In charge of asking the user if a start may cost money and therefore needs a limit from the user or an admin's approval. The script of
// the questions is loaded with the first of them.
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { useFirstWaiting } from './waiting-starts.ts'

const StartQuestion = lazyDialog(
  'this question',
  async () => (await import('./start-question.tsx')).StartQuestion,
  ({ start }) => ({ title: 'Not started yet', close: () => start.answer(null) }),
)

export function StartGuard() {
  const start = useFirstWaiting()
  return start === null ? null : <StartQuestion key={start.id} start={start} />
}
