// In charge of a guest's decision about a creative: accepting it, or saying that changes are wanted and why.
import { Button } from '@mantine/core'
import { keptText } from '../review/use-kept-text.ts'
import { offIf } from '../ui/reason.tsx'
import type { Shown } from './guest-api.ts'
import { draftKey } from './guest-drafts.ts'
import { GuestForm, useGuestForm } from './guest-form.tsx'

export type Decision = 'accepted' | 'changes_wanted'

type Props = {
  creative: Shown
  /** The start of the keys under which the guest's unsent texts are kept. */
  drafts: string
  isBusy: boolean
  isSeen: boolean
  /** Sends a decision, with its reason if `note` is not empty, and returns whether that succeeded. */
  decide: (decision: Decision, note: string) => Promise<boolean>
}

export function Decide({ creative, drafts, isBusy, isSeen, decide }: Props) {
  const { creative_id, decision, note, may_decide } = creative
  const draft = draftKey(drafts, creative_id, 'reason')
  const { place, opener, isOpen, open, close } = useGuestForm(draft)
  const isReady = !isBusy && isSeen
  const accept = async () => {
    if (!isReady || !(await decide('accepted', ''))) return
    // A reason that was begun stays.
    if (keptText(draft) === undefined) close()
  }
  const send = (text: string) => decide('changes_wanted', text.trim())
  const why = note ? `: ${note}` : '.'
  return (
    <>
      {may_decide ? (
        <div className="guest-decide" ref={place}>
          <div className="guest-acts">
            <Button
              size="md"
              {...offIf(!isReady)}
              variant={decision === 'accepted' ? 'filled' : 'default'}
              onClick={() => void accept()}
            >
              Accept
            </Button>
            <Button
              ref={opener}
              size="md"
              {...offIf(!isReady)}
              variant={decision === 'changes_wanted' ? 'filled' : 'default'}
              aria-expanded={isOpen}
              onClick={() => {
                if (isOpen) close()
                else if (isReady) open()
              }}
            >
              Want changes
            </Button>
          </div>
          {isOpen ? (
            <GuestForm
              label="Why you want changes"
              description="You can leave this empty."
              button="Send the decision"
              isBlocked={!isReady}
              mayBeEmpty
              maxLength={2000}
              {...{ draft, send, close }}
            />
          ) : null}
        </div>
      ) : null}
      {decision ? (
        <p role="status" className="guest-words">
          {decision === 'accepted' ? 'You have accepted this.' : `You want changes to this${why}`}
        </p>
      ) : null}
    </>
  )
}
