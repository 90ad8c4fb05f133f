// In charge of the form for the sum above which starts need an approval. Several admins may have it open at once: what one of them
// has typed stays, and replaces what another has saved only once they have seen that.
import { amountWords } from '@atelier/contract/money.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../lib/api.ts'
import { moneyQuery } from '../lib/queries.ts'
import type { Money } from '../lib/types.ts'
import { draftOf, type FieldDraft, followed, isEntered, isOvertaken, rebased, sentAs } from '../ui/field-draft.ts'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { tell } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { AmountField } from './amount-field.tsx'
import { amountText, microsOf } from './micros.ts'

export function ApprovalAbove({ money }: { money: Money }) {
  const client = useQueryClient()
  const above = amountText(money.approval_above)
  const [draft, setDraft] = useState(() => draftOf(above))
  useEffect(() => setDraft((now) => followed(now, above)), [above])
  const set = useWrite({
    /** Returns whether the sum was saved. */
    write: async (sent: FieldDraft) => {
      // Another admin may have saved a sum of which this page was not told yet: it is read again, and shown if it is another one.
      const now = await client.fetchQuery({ ...moneyQuery, staleTime: 0 })
      const latest = followed(sent, amountText(now.approval_above))
      if (!isEntered(latest) || isOvertaken(latest, null)) return false
      const saved = await call('patchMoney', { body: { approval_above: microsOf(sent.text) } })
      client.setQueryData(moneyQuery.queryKey, saved)
      setDraft((now) => sentAs(now, sent, amountText(saved.approval_above)))
      return true
    },
    list: moneyQuery.queryKey,
    done: (isSaved) => {
      if (isSaved) tell('Saved')
    },
  })
  const sent = set.isPending ? set.variables.text.trim() : null
  const overtaken = isOvertaken(draft, sent)
  /** Also nothing is an amount here: no start then needs an approval. */
  const isAmount = draft.text.trim() === '' || microsOf(draft.text) !== null
  const useMine = () => {
    setDraft(rebased)
    if (isAmount) set.mutate(rebased(draft))
  }
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        // While the note is shown, the user first has to choose one of the sums.
        if (!overtaken && !set.isPending && isAmount) set.mutate(draft)
      }}
    >
      <AmountField
        label="Starts need an approval above"
        currency={money.currency}
        placeholder="None does"
        // Its button stands beside it, also on a phone.
        mb={0}
        inputContainer={(input) => (
          <>
            {input}
            {overtaken ? (
              <OvertakenNote
                theirs={money.approval_above === null ? 'None does' : amountWords(money.approval_above, money.currency)}
                useMine={useMine}
                takeTheirs={() => setDraft(draftOf(draft.saved))}
              />
            ) : null}
          </>
        )}
        text={draft.text}
        write={(text) => setDraft((now) => ({ ...now, text }))}
      />
      {/* It is not disabled meanwhile: a disabled button would lose the focus. */}
      <Button type="submit" size="sm" variant="default" aria-busy={set.isPending}>
        Save
      </Button>
    </form>
  )
}
