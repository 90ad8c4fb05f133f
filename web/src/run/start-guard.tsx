// In charge of asking for what a start needs before it may cost money: a limit, or the approval of an admin.
import { Button, Modal, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { moneyQuery } from '../lib/queries.ts'
import { tell } from '../ui/toasts.tsx'
import { type Guarded, useGuarded } from './start-guarded.ts'

export function StartGuard() {
  const guarded = useGuarded()
  if (guarded === null) return null
  const { kind, why, answer } = guarded
  return (
    <Modal
      opened
      onClose={() => answer(null)}
      title={kind === 'limit' ? 'What may this cost?' : 'This start needs an approval'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p className="hint">{kind === 'limit' ? 'Nobody can say beforehand what this costs at most.' : why}</p>
      {kind === 'limit' ? <Limit guarded={guarded} /> : <Ask guarded={guarded} />}
    </Modal>
  )
}

function Limit({ guarded: { body, answer } }: { guarded: Guarded }) {
  const currency = useQuery(moneyQuery).data?.currency ?? ''
  const [amount, setAmount] = useState<string | number>('')
  return (
    <form
      className="dialog-fields"
      onSubmit={(event) => {
        event.preventDefault()
        answer({ ...body, max_cost: Math.round(Number(amount) * 1_000_000) })
      }}
    >
      <NumberInput
        label={`At most, in ${currency}`}
        description="No call is begun once this is reached."
        data-autofocus
        min={0}
        max={1_000_000_000}
        decimalScale={6}
        value={amount}
        onChange={setAmount}
      />
      <div className="dialog-foot">
        <Button type="submit" size="sm" disabled={amount === ''}>
          Start with this limit
        </Button>
      </div>
    </form>
  )
}

function Ask({ guarded: { runId, body, answer } }: { guarded: Guarded }) {
  const [error, setError] = useState<string | null>(null)
  const ask = async () => {
    try {
      await call('askApproval', { params: { run_id: runId }, body })
      tell('An admin finds it under Money. Once it is approved, start again.')
      answer(null)
    } catch (problem) {
      setError(wordsOf(problem))
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
        <Button size="sm" data-autofocus onClick={() => void ask()}>
          Ask for the approval
        </Button>
      </div>
    </>
  )
}
