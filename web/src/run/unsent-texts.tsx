// In charge of texts that were typed at a question of a gate when somebody else answered it or stopped the run: they stay in sight until
// the user discards them. If the gate asks again, a text is back in its field.
import { busy } from '@atelier/contract/graph/run-rules.ts'
import { Button, Textarea } from '@mantine/core'
import { useReducer } from 'react'
import { forgetDraft } from '../lib/kept-drafts.ts'
import { copyText } from '../ui/copy.ts'
import { Icon } from '../ui/icons.tsx'
import { type UnsentText, unsentTexts } from './gate-drafts.ts'
import type { Run } from './queries.ts'
import type { Question } from './questions.ts'

export function UnsentTexts({ run, questions }: { run: Run; questions: readonly Question[] }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // While the run is busy, a question whose value is made anew is not open, and comes back.
  const isOver = ({ node }: UnsentText) => !busy(run.status) || run.nodes[node]?.status === 'succeeded'
  return unsentTexts(run.id, questions)
    .filter(isOver)
    .map(({ key, place, node, text }) => (
      <div key={key} className="banner" data-tone="warn" role="alert">
        <Icon name="warning" />
        <p>{whyClosed(run, place, node)} What you wrote was not sent:</p>
        <Textarea flex="1 1 260px" readOnly aria-label="What you wrote" autosize maxRows={6} value={text} />
        <Button variant="default" onClick={() => copyText(text, 'Copied what you wrote')}>
          Copy
        </Button>
        <Button
          variant="default"
          onClick={() => {
            forgetDraft(key)
            redraw()
          }}
        >
          Discard
        </Button>
      </div>
    ))
}

function whyClosed({ answers, status }: Run, place: string, node: string): string {
  if (place in answers) return `Somebody else answered the gate “${node}” while you wrote.`
  return status === 'cancelled'
    ? `The run was stopped while you wrote at the gate “${node}”.`
    : `The gate “${node}” has stopped asking while you wrote.`
}
