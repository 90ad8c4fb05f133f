// In charge of the dialog with a question about a start that may cost money: its limit, or whether to ask the admins for an approval.
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
import type { WaitingStart } from './waiting-starts.ts'

export function StartQuestion({ start }: { start: WaitingStart }) {
  const { kind, why, answer } = start
  return (
    <TopDialog
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
