// In charge of the dialog that opens if a start may cost money and therefore needs a limit from the user or an admin's approval.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { approvalsQuery, moneyQuery } from '../lib/queries.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { tell } from '../ui/toasts.tsx'
import { TopDialog } from '../ui/top-dialog.tsx'
import { AmountField } from './amount-field.tsx'
import { microsOf } from './micros.ts'
import { useFirstWaiting } from './waiting-starts.ts'

export function StartGuard() {
  const start = useFirstWaiting()
  if (start === null) return null
  const { id, kind, why, answer } = start
  return (
    <TopDialog
      key={id}
      title={kind === 'limit' ? 'What may this cost?' : 'This start needs an approval'}
      close={() => answer(null)}
    >
      <p className="hint">{kind === 'limit' ? 'Nobody can say beforehand what this costs at most.' : why}</p>
      {start.kind === 'limit' ? <Limit answer={answer} /> : <Ask ask={start.ask} done={() => answer(null)} />}
    </TopDialog>
  )
}

function Limit({ answer }: { answer: (limit: number) => void }) {
  const currency = useQuery(moneyQuery).data?.currency ?? ''
  const [amount, setAmount] = useState('')
  const micros = microsOf(amount)
  return (
    <form
      className="dialog-fields"
      onSubmit={(event) => {
        event.preventDefault()
        if (micros !== null) answer(micros)
      }}
    >
      <AmountField
        label="At most"
        currency={currency}
        hint="No call is begun once this is reached."
        text={amount}
        write={setAmount}
        isFirst
      />
      <div className="dialog-foot">
        <Button {...leaveEscape} type="submit" size="sm" disabled={micros === null}>
          Start with this limit
        </Button>
      </div>
    </form>
  )
}

function Ask({ ask, done }: { ask: () => Promise<unknown>; done: () => void }) {
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const send = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await ask()
      void client.invalidateQueries({ queryKey: approvalsQuery.queryKey })
      tell('The admins get to know it, and you what they decide.')
      done()
    } catch (problem) {
      setError(wordsOf(problem))
      setIsBusy(false)
    }
  }
  return (
    <>
      {error === null ? null : (
        <p className="notice" data-tone="danger" role="alert">
          {error}
        </p>
      )}
      <div className="dialog-foot">
        <Button {...leaveEscape} size="sm" data-autofocus aria-busy={isBusy} onClick={() => void send()}>
          Ask for the approval
        </Button>
      </div>
    </>
  )
}
